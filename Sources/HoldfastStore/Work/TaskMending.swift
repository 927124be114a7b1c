import HoldfastModel
import HoldfastSQLite

/// Rows of tasks and results after damage: those that the changes do not give, or that cannot stand
/// as they do, are removed, so that ``TaskProjection/restore(_:_:)`` makes them anew. What is right
/// keeps where it stands.
extension TaskProjection {
  /// Leaves only rows that are right.
  func mend(_ recording: RecordingID, _ db: borrowing Connection) throws {
    var tasks: [TaskID: TaskFact] = [:]
    var results: Set<ResultFact> = []
    for change in try Self.changes(of: recording, db) {
      if change.kind == .task, let fact = TaskFact(change.body) {
        let id = TaskID(
          kind: fact.kind, recording: recording, generation: fact.generation, hashing: hashing)
        var known = tasks[id] ?? fact
        known.after += fact.after
        tasks[id] = known
      } else if change.kind == .result, let fact = ResultFact(change.body) {
        results.insert(fact)
      }
    }
    try keep(results, of: recording, db)
    try keep(tasks, of: recording, finished: Set(results.map(\.task)), db)
  }

  private func keep(
    _ wanted: Set<ResultFact>, of recording: RecordingID, _ db: borrowing Connection
  ) throws {
    let rows = try db.all(
      """
      SELECT key, task, kind, content_type, text, quality, version, input_revision, hash
      FROM result WHERE recording = ?1
      """, [.blob(recording.bytes)]
    ) { row in
      let fact = Digest(row.blob(1)).map { task in
        ResultFact(
          task: TaskID(digest: task),
          artefact: Artefact(kind: row.text(2), contentType: row.text(3), text: row.text(4)),
          quality: Int32(clamping: row.int64(5)), version: Int32(clamping: row.int64(6)),
          inputRevision: UInt64(clamping: row.int64(7)))
      }
      return (key: row.int64(0), fact: fact, hash: row.blob(8))
    }
    for row in rows {
      if let fact = row.fact, wanted.contains(fact), fact.artefact.hash(hashing).bytes == row.hash {
        continue
      }
      try db.run("DELETE FROM result WHERE key = ?1", [.integer(row.key)])
    }
  }

  private func keep(
    _ wanted: [TaskID: TaskFact], of recording: RecordingID, finished: Set<TaskID>,
    _ db: borrowing Connection
  ) throws {
    let rows = try db.all(
      """
      SELECT key, id, kind, generation, cursor, phase, progress FROM task WHERE recording = ?1
      """, [.blob(recording.bytes)]
    ) { row in
      (
        key: row.int64(0), id: Digest(row.blob(1)).map { TaskID(digest: $0) },
        kind: row.text(2), generation: row.int64(3), cursor: WorkCursor(row.blob(4)),
        phase: TaskPhase(rawValue: row.text(5)), progress: row.int64(6)
      )
    }
    for row in rows {
      let isWhole =
        row.cursor != nil && row.phase != nil
        && (0...Int64(TaskProgress.whole)).contains(row.progress)
      if isWhole, let id = row.id, let fact = wanted[id], fact.kind.rawValue == row.kind,
        Int64(clamping: fact.generation) == row.generation,
        row.phase != .done || finished.contains(id)
      {
        for kind in fact.after {
          try db.run(
            "INSERT OR IGNORE INTO task_after (task_key, kind) VALUES (?1, ?2)",
            [.integer(row.key), .text(kind.rawValue)])
        }
        continue
      }
      try db.run("DELETE FROM task_after WHERE task_key = ?1", [.integer(row.key)])
      try db.run("DELETE FROM task WHERE key = ?1", [.integer(row.key)])
    }
  }
}
