package import HoldfastModel
package import HoldfastSQLite

/// What a person may do with a task.
package enum TaskAction: Hashable, Sendable {
  /// Call it off.
  case cancel
  /// Try it again now.
  case retry
  /// Let it out of quarantine.
  case release
}

/// A task with the kinds that must be done before it, and where it stands.
package struct TaskView: Hashable, Sendable {
  package var task: TaskRow
  package var after: [TaskKind]
  package var standing: TaskStanding
  /// Whether the action that was asked for did something.
  package var isChanged = false

  /// A task as it stands.
  package static func of(_ task: TaskRow, _ db: borrowing Connection) throws -> TaskView {
    TaskView(
      task: task, after: try TaskRows.predecessors(task.key, db),
      standing: try TaskStanding(task, db))
  }
}

extension StoreWriter {
  /// Makes a task on a recording by the user's will; an unsettled one of its kind is answered as it
  /// is.
  ///
  /// - Throws: `notFound`, `invalidArgument`; `conflict` for a recording in the trash.
  package func addTask(
    _ kind: TaskKind, on recording: RecordingID
  ) throws(HoldfastError) -> TaskView {
    try database.commit { db in
      guard try !existing(recording, db).isDeleted else { throw Self.deleted(recording) }
      let (task, isNew) = try tasks.enqueue(kind, on: recording, db)
      var view = try TaskView.of(task, db)
      view.isChanged = isNew
      return view
    }
  }

  /// Does the same with each of some tasks, all or none.
  ///
  /// - Parameter names: names of tasks, or unique beginnings of them.
  /// - Throws: as ``TaskRows/resolve(_:_:)``; `conflict` for a retry of one in quarantine.
  package func change(
    tasks names: [String], _ action: TaskAction
  ) throws(HoldfastError) -> [TaskView] {
    try database.commit { db in
      try names.map { name in
        let task = try TaskRows.resolve(name, db)
        let isChanged =
          switch action {
          case .cancel: try tasks.cancel(task, db)
          case .retry: try tasks.retry(task, db)
          case .release: try tasks.release(task, db)
          }
        var view = try TaskView.of(try TaskRows.one(task.id, db) ?? task, db)
        view.isChanged = isChanged
        return view
      }
    }
  }
}
