import Foundation
import Holdfast

/// `holdfast show`.
struct ShowCommand: Command {
  func run(_ context: CommandContext) async throws(HoldfastError) -> ExitCode {
    let reader = try context.reader()
    let text = context[Arguments.recording]
    let (summary, attributes, state, passes, current, chosen, tasks) = try reader.read { db in
      let id = try RecordingRows.resolve(text, db)
      guard let summary = try RecordingRows.one(id, live: reader.logs, db) else {
        throw HoldfastError(.notFound, "There is no recording \(id) in this store.")
      }
      return (
        summary, try RecordingRows.attributes(of: id, db),
        try ChangeLog.state(of: id, db), try TranscriptReading.passes(of: id, db),
        try TranscriptReading.currentPass(of: id, db),
        try TranscriptReading.chosenPass(of: id, db),
        try TaskRows.all(of: id, db).map {
          TaskDocument(try TaskView.of($0, db))
        }
      )
    }
    var document = ShowDocument(summary, attributes: attributes, state: state)
    document.passes = passes.map { PassDocument($0, current: current, chosen: chosen) }
    document.tasks = tasks
    if context.output.isJSON {
      try await context.output.document(document)
    } else {
      try await ShowText(summary: summary, attributes: attributes, zone: context.zone)
        .write(to: context.output)
      if !passes.isEmpty {
        try await context.output.line("")
        try await context.output.table(
          PassTable.table(passes, current, chosen, in: context.zone))
      }
      guard !tasks.isEmpty else { return .done }
      try await context.output.line("")
      try await context.output.table(TaskText.table(tasks))
    }
    return .done
  }
}

/// One recording whole, as `show --json` shows it.
struct ShowDocument: Encodable, Sendable {
  struct Track: Encodable, Sendable {
    let id, name: String
    let capturedSeconds: Double
  }

  struct Phase: Encodable, Sendable {
    let state, since: String
    /// Why it came into that state; nothing while it is being captured.
    let reason: String?
    let recovered: Bool
  }

  let recording: RecordingDocument
  let phase: Phase
  let tracks: [Track]
  let takes: [TakeDocument]
  let gaps: [GapDocument]
  let capturedSeconds, elapsedSeconds: Double
  let attributes: [String: AttributeDocument]
  let conflicts: [String: Int]
  /// Transcripts, in the order in which they were begun.
  var passes: [PassDocument] = []
  /// Deferred work, in the order in which it came to be.
  var tasks: [TaskDocument] = []

  init(
    _ summary: RecordingSummary, attributes: [String: CanonicalValue], state: RecordingState
  ) {
    recording = RecordingDocument(summary)
    phase = Phase(
      state: summary.state, since: RFC3339.text(summary.phase.atMilliseconds),
      reason: summary.isUnderWay ? nil : summary.phase.reason.rawValue,
      recovered: summary.phase.recovered)
    let timeline = summary.timeline
    tracks = summary.tracks.map {
      Track(
        id: $0.track.description, name: $0.name,
        capturedSeconds: timeline.capturedByTrack[$0.track] ?? 0)
    }
    takes = summary.takeDocuments
    gaps = summary.gapDocuments
    capturedSeconds = timeline.capturedSeconds
    elapsedSeconds = summary.elapsedSeconds
    self.attributes = attributes.mapValues(AttributeDocument.init)
    conflicts = state.registers.mapValues(\.conflicts.count).filter { $0.value > 0 }
  }

  private enum CodingKeys: String, CodingKey {
    case phase, tracks, takes, gaps, capturedSeconds, elapsedSeconds, attributes, conflicts, passes
    case tasks
  }

  /// The keys of `list`, and the rest beside them.
  func encode(to encoder: any Encoder) throws {
    try recording.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(phase, forKey: .phase)
    try container.encode(tracks, forKey: .tracks)
    try container.encode(takes, forKey: .takes)
    try container.encode(gaps, forKey: .gaps)
    try container.encode(capturedSeconds, forKey: .capturedSeconds)
    try container.encode(elapsedSeconds, forKey: .elapsedSeconds)
    try container.encode(attributes, forKey: .attributes)
    try container.encode(conflicts, forKey: .conflicts)
    try container.encode(passes, forKey: .passes)
    try container.encode(tasks, forKey: .tasks)
  }
}

/// An attribute's value as JSON has it; a date as RFC 3339.
struct AttributeDocument: Encodable, Sendable {
  private let value: CanonicalValue

  init(_ value: CanonicalValue) { self.value = value }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch value {
    case .text(let text): try container.encode(text)
    case .bool(let flag): try container.encode(flag)
    case .double(let number): try container.encode(number)
    case .unsigned(let number): try container.encode(number)
    case .map(let map):
      try container.encode(map["date"]?.integer.map { RFC3339.text($0) })
    default: try container.encodeNil()
    }
  }
}
