import Foundation
import HoldfastAudio
import HoldfastModel
import HoldfastStore

/// `index.json`: what an archive holds.
struct ArchiveIndex: Encodable {
  /// One recording.
  struct Entry: Encodable {
    let id: String
    let title: String
    let state: String
    let startedAt: JSONTime
    let elapsedSeconds: Double
    let folder: String

    init(folder: String, _ document: ArchiveDocument) {
      id = document.id
      title = document.title
      state = document.state
      startedAt = document.startedAt
      elapsedSeconds = document.elapsedSeconds
      self.folder = folder
    }
  }

  let format = "holdfast-archive"
  let version: Int32 = 1
  let madeAt: JSONTime
  var recordings: [Entry] = []

  init(madeAt: JSONTime) { self.madeAt = madeAt }
}

/// `recording.json`: everything that is known of a recording but its audio.
struct ArchiveDocument: Encodable {
  let id: String
  let title: String
  let state: String
  let startedAt: JSONTime
  let capturedSeconds: Double
  let elapsedSeconds: Double
  let recovered: Bool
  let externalID: String?
  let attributes: [String: ArchiveValue]
  let tracks: [String]
  let takes: [TakeDocument]
  let gaps: [GapDocument]
  var audio: [ArchiveAudio] = []
  /// What deferred work made of it, apart from transcripts.
  var results: [ArchiveResult] = []

  init(_ summary: RecordingSummary, _ attributes: [String: CanonicalValue]) {
    id = summary.id.description
    title = summary.title
    state = summary.state
    startedAt = JSONTime(milliseconds: summary.startedMilliseconds)
    capturedSeconds = summary.timeline.capturedSeconds
    elapsedSeconds = summary.timeline.elapsedSeconds
    recovered = summary.phase.recovered
    externalID = summary.externalID
    self.attributes = attributes.compactMapValues { AttributeValue($0).map(ArchiveValue.init) }
    tracks = summary.tracks.map(\.name)
    takes = summary.takeDocuments
    gaps = summary.gapDocuments
  }
}

/// A summary, or whatever else a task made.
struct ArchiveResult: Encodable {
  let task, kind, contentType, text: String
  let version, quality: Int32
  let madeAt: JSONTime

  init(_ kind: TaskKind, _ row: ResultRow) {
    task = kind.rawValue
    self.kind = row.artefact.kind
    contentType = row.artefact.contentType
    text = row.artefact.text
    version = row.version
    quality = row.quality
    madeAt = JSONTime(milliseconds: row.madeMilliseconds)
  }
}

/// A file of audio in an archive.
struct ArchiveAudio: Encodable {
  /// A stretch that is not as it was recorded.
  struct Mark: Encodable {
    let reason: String
    let atFrame: UInt64
    let frames: UInt64
    let recordingSeconds: Double
    let isSilence: Bool
  }

  let file: String
  let track: String
  let takes: [UInt32]
  let startSeconds: Double
  let encoding: String
  let sampleRate: Double
  /// Only where the file's header cannot hold the rate.
  let headerSampleRate: Double?
  let channels: UInt32
  let frames: UInt64
  let fileBytes: UInt64
  let sha256: String
  let damagedChunks: UInt64
  let missingChunks: UInt64
  /// Of chunks whose audio is whole and in the file.
  let damagedHeaders: UInt64
  let marks: [Mark]

  var hasDamage: Bool { damagedChunks > 0 || missingChunks > 0 || damagedHeaders > 0 }

  init(
    file: String, track: String, _ part: ExportPart, _ report: ExportReport, _ digest: Digest
  ) {
    self.file = file
    self.track = track
    takes = part.takes.map(\.contents.row.span.index)
    startSeconds = part.startSeconds
    encoding = part.format.encoding.rawValue
    sampleRate = part.format.sampleRate
    headerSampleRate = part.roundedRate
    channels = part.format.channels
    frames = report.frames
    fileBytes = report.bytes
    sha256 = digest.description
    damagedChunks = report.damagedChunks
    missingChunks = report.missingChunks
    damagedHeaders = report.damagedHeaders
    marks = report.marks.map {
      Mark(
        reason: $0.reason.rawValue, atFrame: $0.fileFrame, frames: $0.frames,
        recordingSeconds: $0.recordingSeconds, isSilence: $0.isSilence)
    }
  }
}

/// An attribute as JSON: text, number and truth value as they are; a time as `{"date": …}`, so that
/// it is told from text.
struct ArchiveValue: Encodable {
  let value: AttributeValue

  init(_ value: AttributeValue) { self.value = value }

  private enum Keys: CodingKey { case date }

  func encode(to encoder: any Encoder) throws {
    if case .date(let date) = value {
      var container = encoder.container(keyedBy: Keys.self)
      return try container.encode(JSONTime(milliseconds: date.milliseconds), forKey: .date)
    }
    var container = encoder.singleValueContainer()
    switch value {
    case .string(let text): try container.encode(text)
    case .number(let number) where number.isFinite: try container.encode(number)
    case .bool(let flag): try container.encode(flag)
    default: try container.encodeNil()
    }
  }
}
