import HoldfastModel
import HoldfastSQLite

/// Tasks and results as the changes tell them, as lines of the canonical text. Where a task stands
/// is this replica's own, and no part of it.
enum TaskDump {
  static func write(
    _ recording: RecordingID, _ db: borrowing Connection, _ emit: (String) throws -> Void
  ) throws {
    let changes = try TaskProjection.changes(of: recording, db)
    var tasks: [String: Set<String>] = [:]
    var results: Set<String> = []
    for change in changes {
      if change.kind == .task, let fact = TaskFact(change.body) {
        let line = "kind \(VisibleText.quoted(fact.kind.rawValue)) generation \(fact.generation)"
        tasks[line, default: []].formUnion(fact.after.map(\.rawValue))
      } else if change.kind == .result, let fact = ResultFact(change.body) {
        results.insert(
          "task \(fact.task) kind \(VisibleText.quoted(fact.artefact.kind)) type "
            + "\(VisibleText.quoted(fact.artefact.contentType)) version \(fact.version) quality "
            + "\(fact.quality) input \(fact.inputRevision) text "
            + VisibleText.quoted(fact.artefact.text))
      }
    }
    for (line, after) in tasks.sorted(by: { $0.key < $1.key }) {
      let words = after.sorted().map { " after \(VisibleText.quoted($0))" }.joined()
      try emit("  task \(line)\(words)\n")
    }
    for line in results.sorted() { try emit("  result \(line)\n") }
  }
}
