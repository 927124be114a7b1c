import Foundation
import HoldfastAudio
import HoldfastModel
import HoldfastStore

/// A point in time as it stands in an archive: RFC 3339, UTC, with milliseconds.
struct ArchiveTime: Encodable {
  let milliseconds: Int64

  var text: String {
    Date(milliseconds: milliseconds).formatted(
      Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}

/// `index.json`: what an archive holds.
struct ArchiveIndex: Encodable {
  /// One recording.
  struct Entry: Encodable {
    let id: String
    let title: String
    let state: String
    let startedAt: ArchiveTime
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
  let madeAt: ArchiveTime
  var recordings: [Entry] = []

  init(madeAt: ArchiveTime) { self.madeAt = madeAt }
}

/// `recording.json`: everything that is known of a recording but its audio.
struct ArchiveDocument: Encodable {
  /// A run of capture.
  struct Take: Encodable {
    let id: String
    let track: String
    let index: UInt32
    let startSeconds: Double
    let durationSeconds: Double
    let frames: UInt64
    let encoding: String
    let sampleRate: Double
    let channels: UInt32
    let openedAt: ArchiveTime
    let closedAt: ArchiveTime?
    let closedReason: String?
  }

  /// A stretch without audio.
  struct Gap: Encodable {
    let track: String
    let takeIndex: UInt32
    let reason: String
    let atFrame: UInt64
    let seconds: Double?
    let known: String
    let startedAt: ArchiveTime
  }

  let id: String
  let title: String
  let state: String
  let startedAt: ArchiveTime
  let capturedSeconds: Double
  let elapsedSeconds: Double
  let recovered: Bool
  let externalID: String?
  let attributes: [String: ArchiveValue]
  let tracks: [String]
  let takes: [Take]
  let gaps: [Gap]
  var audio: [ArchiveAudio] = []

  init(_ summary: RecordingSummary, _ attributes: [String: CanonicalValue]) {
    let names = Dictionary(
      summary.tracks.map { ($0.track, $0.name) }, uniquingKeysWith: { first, _ in first })
    id = summary.id.description
    title = summary.title
    state = summary.state
    startedAt = ArchiveTime(milliseconds: summary.startedMilliseconds)
    capturedSeconds = summary.timeline.capturedSeconds
    elapsedSeconds = summary.timeline.elapsedSeconds
    recovered = summary.phase.recovered
    externalID = summary.externalID
    self.attributes = attributes.compactMapValues { AttributeValue($0).map(ArchiveValue.init) }
    tracks = summary.tracks.map(\.name)
    takes = summary.takes.map { Take($0, names[$0.span.track] ?? "") }
    gaps = summary.timeline.gaps.map {
      Gap(
        track: names[$0.track] ?? "", takeIndex: $0.takeIndex, reason: $0.reason.rawValue,
        atFrame: $0.atFrame, seconds: $0.seconds, known: $0.known.rawValue,
        startedAt: ArchiveTime(milliseconds: $0.startedMilliseconds))
    }
  }
}

extension ArchiveDocument.Take {
  init(_ row: TakeRow, _ track: String) {
    id = row.id.description
    self.track = track
    index = row.span.index
    startSeconds = Double(row.span.startNanoseconds) / 1e9
    durationSeconds = row.span.seconds
    frames = row.span.frames
    encoding = row.format.encoding.rawValue
    sampleRate = row.format.sampleRate
    channels = row.format.channels
    openedAt = ArchiveTime(milliseconds: row.span.openedMilliseconds)
    closedAt =
      row.isOpen ? nil : ArchiveTime(milliseconds: row.span.closedMilliseconds)
    closedReason = row.span.closedReason?.rawValue
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
  let channels: UInt32
  let frames: UInt64
  let fileBytes: UInt64
  let sha256: String
  let damagedChunks: UInt64
  let missingChunks: UInt64
  let marks: [Mark]

  var hasLoss: Bool { damagedChunks > 0 || missingChunks > 0 }

  init(
    file: String, track: String, _ part: ExportPart, _ report: ExportReport, _ digest: Digest
  ) {
    self.file = file
    self.track = track
    takes = part.takes.map(\.contents.row.span.index)
    startSeconds = part.startSeconds
    encoding = part.format.encoding.rawValue
    sampleRate = part.format.sampleRate
    channels = part.format.channels
    frames = report.frames
    fileBytes = report.bytes
    sha256 = digest.description
    damagedChunks = report.damagedChunks
    missingChunks = report.missingChunks
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
      return try container.encode(ArchiveTime(milliseconds: date.milliseconds), forKey: .date)
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
