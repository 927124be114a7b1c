package import HoldfastModel
import HoldfastSQLite

/// What the user says of the results of a task (T9).
extension StoreWriter {
  /// Shows a result of a task, whatever the results themselves say; nil leaves it to them again.
  /// The choice is a change: it reaches every replica, and a result that arrives later does not
  /// undo it.
  ///
  /// - Parameters:
  ///   - result: the name of a result, or a unique beginning of it of 4 digits or more.
  ///   - task: the name of a task, or a unique beginning of it.
  /// - Throws: as ``TaskRows/resolve(_:_:)``; `notFound` when the task has no such result;
  ///   `conflict` when several begin so.
  package func choose(
    result name: String?, of task: String
  ) throws(HoldfastError) -> TaskView {
    try database.commit { db in
      let task = try TaskRows.resolve(task, db)
      let rows = try ResultRow.all(of: task, db)
      let state = try existing(task.recording, db)
      var drafts: [ChangeLog.Draft] = []
      if let name {
        let row = try Self.one(name, of: task, rows)
        let kind = row.artefact.kind
        guard kind != Artefact.passKind else {
          throw HoldfastError(
            .invalidArgument, "A pass of a transcript is not chosen as a result is.",
            hint: "`holdfast transcript \(task.recording) restore N` shows one.")
        }
        if state.chosenResult(of: task.id, kind: kind) != row.hash {
          let field = RegisterField.result(of: task.id, kind: kind)
          drafts.append(ChangeLog.set(field, .bytes(row.hash.bytes), in: state))
        }
      } else {
        for kind in Set(rows.map(\.artefact.kind)).sorted()
        where state.chosenResult(of: task.id, kind: kind) != nil {
          let field = RegisterField.result(of: task.id, kind: kind)
          drafts.append(ChangeLog.set(field, .null, in: state))
        }
      }
      if !drafts.isEmpty { try log.append(drafts, to: task.recording, db) }
      var view = try TaskView.of(task, db)
      view.isChanged = !drafts.isEmpty
      return view
    }
  }

  private static func one(
    _ name: String, of task: TaskRow, _ rows: [ResultRow]
  ) throws(HoldfastError) -> ResultRow {
    let prefix = name.lowercased()
    let found = prefix.utf8.count < 4 ? [] : rows.filter { "\($0.hash)".hasPrefix(prefix) }
    guard let first = found.first else {
      throw HoldfastError(
        .notFound, "Task \(task.id) has no result \(name).",
        hint: "`holdfast tasks show` names its results; at least 4 digits are needed.")
    }
    guard found.allSatisfy({ $0.hash == first.hash }) else {
      throw HoldfastError(
        .conflict, "Several results begin with \(name).", hint: "Give more digits.")
    }
    return first
  }
}
