import Foundation
import Holdfast

/// A task as `tasks --json` shows it.
struct TaskDocument: Encodable, Sendable {
  struct Result: Encodable, Sendable {
    let kind, contentType, text: String
    let quality, version: Int32
    let inputRevision: UInt64
    let madeAt: String
    let late: Bool
  }

  let id, kind, recording, state: String
  let failures, interruptions, deaths: UInt32
  let progress: Double
  let cause: String?
  let nextRetryAt: String?
  let epoch: UInt64
  let generation: UInt64
  let units: UInt64
  let after: [String]
  let results: [Result]?

  init(_ task: TaskRow, after: [TaskKind], results: [ResultRow]? = nil) {
    id = task.id.description
    kind = task.kind.rawValue
    recording = task.recording.description
    state = task.phase.rawValue
    failures = task.counters.failures
    interruptions = task.counters.interruptions
    deaths = task.pastDeaths
    progress = task.progress.fraction
    cause = task.cause.isEmpty ? nil : task.cause
    nextRetryAt = task.wait == .retry ? task.retry.map { RFC3339.text($0.dueMilliseconds) } : nil
    epoch = task.epoch
    generation = task.generation
    units = task.unit
    self.after = after.map(\.rawValue)
    self.results = results?.map {
      Result(
        kind: $0.artefact.kind, contentType: $0.artefact.contentType, text: $0.artefact.text,
        quality: $0.quality, version: $0.version, inputRevision: $0.inputRevision,
        madeAt: RFC3339.text($0.madeMilliseconds), late: $0.isLate)
    }
  }

  private enum CodingKeys: CodingKey {
    case id, kind, recording, state, failures, interruptions, deaths, progress, cause
    case nextRetryAt, epoch, generation, units, after, results
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encode(kind, forKey: .kind)
    try container.encode(recording, forKey: .recording)
    try container.encode(state, forKey: .state)
    try container.encode(failures, forKey: .failures)
    try container.encode(interruptions, forKey: .interruptions)
    try container.encode(deaths, forKey: .deaths)
    try container.encode(progress, forKey: .progress)
    // Null rather than absent: the keys are fixed.
    try container.encode(cause, forKey: .cause)
    try container.encode(nextRetryAt, forKey: .nextRetryAt)
    try container.encode(epoch, forKey: .epoch)
    try container.encode(generation, forKey: .generation)
    try container.encode(units, forKey: .units)
    try container.encode(after, forKey: .after)
    try container.encodeIfPresent(results, forKey: .results)
  }
}

/// Tasks as a page of text.
enum TaskText {
  static func table(_ tasks: [TaskDocument]) -> TextTable {
    var table = TextTable([
      .init("ID"), .init("KIND"), .init("RECORDING"), .init("STATE"),
      .init("PROGRESS", right: true), .init("CAUSE", elastic: true),
    ])
    for task in tasks {
      table.add([
        String(task.id.prefix(8)), task.kind, String(task.recording.prefix(8)), task.state,
        "\(Int64((task.progress * 100).rounded())) %", task.cause ?? "",
      ])
    }
    return table
  }

  static func page(_ task: TaskDocument) -> String {
    var lines = [
      "\(task.kind) \(task.id)", "  recording   \(task.recording)",
      "  state       \(task.state)\(task.cause.map { ": \(visible($0))" } ?? "")",
      "  progress    \(Int64((task.progress * 100).rounded())) %, \(task.units) units",
      "  counters    \(task.failures) failures, \(task.interruptions) interruptions, "
        + "\(task.deaths) deaths",
    ]
    if !task.after.isEmpty { lines.append("  after       \(task.after.joined(separator: ", "))") }
    if let due = task.nextRetryAt { lines.append("  next try    \(due)") }
    for result in task.results ?? [] {
      let late = result.late ? ", late" : ""
      lines.append(
        "  \(result.kind) (version \(result.version), quality \(result.quality), "
          + "\(result.madeAt)\(late))")
      lines += result.text.split(separator: "\n", omittingEmptySubsequences: false)
        .map { "    \(visible(String($0)))" }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
