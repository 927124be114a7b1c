import Foundation
import Holdfast

/// `holdfast bundle`.
struct BundleCommand: Command {
  func run(_ context: CommandContext) async throws(HoldfastError) -> ExitCode {
    let path = context[Options.outputFile]
    let document = try BundleDocument(try context.reader())
    let text = try JSONText.line(document)
    let target = FileTarget(path, .system())
    try target.write(replacing: false) { sink throws(HoldfastError) in
      try sink.write(Array(text.utf8))
    }
    await context.output.remark(
      "\(path) holds numbers, times and verdicts; no titles, text or audio")
    return .done
  }
}

/// What a support bundle holds: nothing of what was said, nor of who or where. No titles, track
/// names, attributes, external ids, host names, paths or boot ids.
struct BundleDocument: Encodable, Sendable {
  struct Launch: Encodable, Sendable {
    struct Event: Encodable, Sendable { let name, at: String }
    let id, program, startedAt, evidence: String
    let endedAt, ending: String?
    let alive: Bool
    let events: [Event]
  }
  struct Take: Encodable, Sendable {
    let id, encoding: String
    let track, index, channels: UInt32
    let sampleRate, startSeconds, seconds: Double
    let chunks, bytes, extentChunks: UInt64
    let reason: String?
    let jumps: Int
  }
  struct Gap: Encodable, Sendable {
    let reason, known: String
    let atFrame: UInt64
    let seconds: Double?
  }
  struct Recording: Encodable, Sendable {
    let id, state, reason, startedAt: String
    let deleted, recovered: Bool
    let takes: [Take]
    let gaps: [Gap]
  }
  struct Origin: Encodable, Sendable {
    let id, reason, madeAt: String
    let mine: Bool
    let sequence: UInt64
  }
  struct Recovered: Encodable, Sendable {
    let recording: String
    let indexed, salvaged, damaged: UInt64
    let lostAtMostSeconds: Double
  }

  let program = "holdfast \(HoldfastVersion.text)"
  let sqlite: String
  let sqliteOptions, settings: [String]
  let store: String?
  let schema: Int64
  let rows: [String: UInt64]
  let attention: [String: UInt64]
  let database: [String]
  let space: [String: UInt64]
  let damagedChunks, missingChunks: UInt64
  let origins: [Origin]
  let launches: [Launch]
  let recovery: [Recovered]
  let recordings: [Recording]

  init(_ reader: StoreReader) throws(HoldfastError) {
    let facts = try SupportFacts.read(reader)
    sqlite = facts.sqliteVersion
    sqliteOptions = facts.sqliteOptions
    settings = facts.settingNames
    store = facts.store?.description
    schema = facts.schemaVersion
    rows = Dictionary(facts.rows.map { ($0.name, $0.count) }) { first, _ in first }
    attention = Dictionary(facts.attention.map { ($0.code, $0.count) }, uniquingKeysWith: +)
    database = try reader.databaseProblems().map(\.code.rawValue)
    space = Self.space(try SpaceReport.read(reader))
    damagedChunks = facts.damagedChunks
    missingChunks = facts.missingChunks
    origins = facts.origins.map {
      Origin(
        id: $0.id.description, reason: $0.reason, madeAt: RFC3339.text($0.madeMilliseconds),
        mine: $0.isMine, sequence: $0.sequence)
    }
    launches = try LaunchList.read(reader).map(Self.launch)
    recovery = try reader.read { try RecoveryFindings.read($0) }.recordings.map {
      Recovered(
        recording: $0.salvaged.recording.description, indexed: $0.salvaged.indexedChunks,
        salvaged: $0.salvaged.salvagedChunks, damaged: $0.salvaged.damaged,
        lostAtMostSeconds: Double($0.salvaged.lostAtMostNanoseconds) / 1e9)
    }
    var request = RecordingRequest()
    request.includesDeleted = true
    recordings = try reader.recordings(request).map(Self.recording)
  }

  private static func space(_ report: SpaceReport) -> [String: UInt64] {
    [
      "audio": report.audioBytes, "orphans": report.orphanBytes, "freed": report.freedBytes,
      "database": report.databaseBytes, "log": report.logBytes,
      "launches": report.launchesBytes, "evidence": report.evidenceBytes,
      "incoming": report.incomingBytes, "reserve": report.reserveBytes,
      "free": report.freeBytes,
    ]
  }

  private static func launch(_ info: LaunchInfo) -> Launch {
    Launch(
      id: info.launch.description, program: info.program,
      startedAt: RFC3339.text(info.startedMilliseconds), evidence: info.evidence,
      endedAt: info.endedMilliseconds.map { RFC3339.text($0) }, ending: info.ending?.rawValue,
      alive: info.isAlive,
      events: info.events.map { .init(name: $0.name, at: RFC3339.text($0.at.wallMilliseconds)) })
  }

  private static func recording(_ summary: RecordingSummary) -> Recording {
    let order = summary.tracks.map(\.track)
    return Recording(
      id: summary.id.description, state: summary.phase.phase.rawValue,
      reason: summary.phase.reason.rawValue,
      startedAt: RFC3339.text(summary.startedMilliseconds), deleted: summary.isDeleted,
      recovered: summary.phase.recovered,
      takes: summary.takes.map { take in
        Take(
          id: take.id.description, encoding: take.format.encoding.rawValue,
          track: UInt32(order.firstIndex(of: take.span.track) ?? 0), index: take.span.index,
          channels: take.format.channels, sampleRate: take.format.sampleRate,
          startSeconds: Double(take.span.startNanoseconds) / 1e9, seconds: take.span.seconds,
          chunks: take.chunks, bytes: take.bytes, extentChunks: take.extentChunks,
          reason: take.span.closedReason?.rawValue, jumps: take.span.jumps.count)
      },
      gaps: summary.timeline.gaps.map {
        Gap(
          reason: $0.reason.rawValue, known: $0.known.rawValue, atFrame: $0.atFrame,
          seconds: $0.seconds)
      })
  }
}
