import Foundation
import Holdfast

/// A task as `tasks --json` shows it.
struct TaskDocument: Encodable, Sendable {
  struct Result: Encodable, Sendable {
    let kind, contentType, text: String
    let quality, version: Int32
    let inputRevision: UInt64
    let madeAt: String
    let late, chosen, shown: Bool
    let id: String
  }

  let id, kind, recording, state: String
  let failures, interruptions, deaths: UInt32
  let progress: Double
  let cause, wake: String?
  let nextRetryAt: String?
  let epoch: UInt64
  let generation: UInt64
  let units: UInt64
  let after: [String]
  let results: [Result]?

  init(_ view: TaskView, results: [ResultRow]? = nil) {
    let (task, standing) = (view.task, view.standing)
    id = task.id.description
    kind = task.kind.rawValue
    recording = task.recording.description
    state = standing.phase.rawValue
    failures = task.counters.failures
    interruptions = task.counters.interruptions
    deaths = task.pastDeaths
    progress = task.progress.fraction
    cause = standing.cause.isEmpty ? nil : standing.cause
    wake = standing.wake.isEmpty ? nil : standing.wake
    nextRetryAt = task.wait == .retry ? task.retry.map { RFC3339.text($0.dueMilliseconds) } : nil
    epoch = task.epoch
    generation = task.generation
    units = task.unit
    after = view.after.map(\.rawValue)
    self.results = results?.map {
      Result(
        kind: $0.artefact.kind, contentType: $0.artefact.contentType, text: $0.artefact.text,
        quality: $0.quality, version: $0.version, inputRevision: $0.inputRevision,
        madeAt: RFC3339.text($0.madeMilliseconds), late: $0.isLate, chosen: $0.isChosen,
        shown: $0.isShown, id: $0.hash.description)
    }
  }

  private enum CodingKeys: CodingKey {
    case id, kind, recording, state, failures, interruptions, deaths, progress, cause, wake
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
    try container.encode(wake, forKey: .wake)
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
      .init("PROGRESS", right: true), .init("CAUSE", elastic: true), .init("UNTIL"),
    ])
    for task in tasks {
      table.add([
        String(task.id.prefix(8)), task.kind, String(task.recording.prefix(8)), task.state,
        "\(Int64((task.progress * 100).rounded())) %", task.cause ?? "",
        task.wake ?? "",
      ])
    }
    return table
  }

  static func page(_ task: TaskDocument) -> String {
    var lines = [
      "\(task.kind) \(task.id)", "  recording   \(task.recording)",
      "  state       \(task.state)\(task.cause.map { ": \(visible($0))" } ?? "")",
      "  progress    \(Int64((task.progress * 100).rounded())) %, "
        + CountedNoun.text(task.units, "unit"),
      "  counters    \(task.failures) failures, \(task.interruptions) interruptions, "
        + "\(task.deaths) deaths",
    ]
    if let wake = task.wake { lines.append("  until       \(visible(wake))") }
    if !task.after.isEmpty { lines.append("  after       \(task.after.joined(separator: ", "))") }
    if let due = task.nextRetryAt { lines.append("  next try    \(due)") }
    for result in task.results ?? [] {
      var marks = result.late ? ", late" : ""
      if result.chosen { marks += ", chosen" }
      if !result.shown { marks += ", not shown" }
      lines.append(
        "  \(result.kind) \(result.id.prefix(8)) (version \(result.version), quality "
          + "\(result.quality), \(result.madeAt)\(marks))")
      lines += result.text.split(separator: "\n", omittingEmptySubsequences: false)
        .map { "    \(visible(String($0)))" }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
