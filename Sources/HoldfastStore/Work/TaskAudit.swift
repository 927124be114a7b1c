import HoldfastModel
import HoldfastSQLite

/// What verification asks of the rows of tasks and results (T9).
///
/// Which tasks there are and what came of them is compared with the changes; where a task stands is
/// this store's own, and must only be something that can stand there.
enum TaskAudit {
  /// What the changes tell of a recording's work.
  struct Rows: Hashable, Sendable {
    /// Name, kind and generation; a row with a cursor that cannot be read has one value more.
    var tasks: Set<[SQLiteValue]>
    /// A task and a kind before it. A handler may name more of them.
    var after: Set<[SQLiteValue]>
    var results: Set<[SQLiteValue]>
  }

  /// Reads a recording's rows.
  static func rows(of recording: [UInt8], _ db: borrowing Connection) throws -> Rows {
    Rows(
      tasks: Set(
        try db.all(
          "SELECT id, kind, generation, cursor FROM task WHERE recording = ?1", [.blob(recording)]
        ) { row in
          let isRead = WorkCursor(row.blob(3)) != nil
          return (0..<(isRead ? 3 : 4)).map { row.value($0) }
        }),
      after: try set(
        """
        SELECT t.id, a.kind FROM task t JOIN task_after a ON a.task_key = t.key
        WHERE t.recording = ?1
        """, recording, db),
      results: try set(
        """
        SELECT task, hash, kind, content_type, text, quality, version, input_revision FROM result
        WHERE recording = ?1
        """, recording, db))
  }

  private static func set(
    _ sql: String, _ recording: [UInt8], _ db: borrowing Connection
  ) throws -> Set<[SQLiteValue]> {
    Set(try db.all(sql, [.blob(recording)]) { row in (0..<row.count).map { row.value($0) } })
  }

  /// Whether rows are those that the changes give. Settled tasks beyond a bound are removed: then
  /// one that is not there is no damage.
  static func agree(_ stored: Rows, _ derived: Rows, isPruned: Bool) -> Bool {
    guard stored.results == derived.results, stored.tasks.isSubset(of: derived.tasks) else {
      return false
    }
    let isWhole = isPruned || derived.tasks.isSubset(of: stored.tasks)
    let names = Set(stored.tasks.map { $0[0] })
    return isWhole && derived.after.filter { names.contains($0[0]) }.isSubset(of: stored.after)
  }

  /// Whether settled tasks may have been removed.
  static func isPruned(_ db: borrowing Connection) throws -> Bool {
    try count("SELECT coalesce(max(key), 0) FROM task", db) > TaskBook.settledBound
  }

  /// Rows that belong to nothing, and tasks that stand where none can.
  static func problems(_ db: borrowing Connection) throws -> [DatabaseProblem] {
    let words = TaskPhase.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
    let checks =
      strays.map { (DatabaseProblem.Code.reference, $0, $1) }
      + standing(words).map { (DatabaseProblem.Code.projection, $0, $1) }
    return try checks.compactMap { code, what, sql in
      let number = try count(sql, db)
      return number > 0 ? DatabaseProblem(code, "\(number) \(what).") : nil
    }
  }

  private static let strays = [
    (
      "tasks have no recording",
      "SELECT count(*) FROM task WHERE recording NOT IN (SELECT id FROM recording)"
    ),
    (
      "results have no recording",
      "SELECT count(*) FROM result WHERE recording NOT IN (SELECT id FROM recording)"
    ),
    (
      "notes of what comes before a task have no task",
      "SELECT count(*) FROM task_after WHERE task_key NOT IN (SELECT key FROM task)"
    ),
  ]

  private static func standing(_ phases: String) -> [(String, String)] {
    [
      (
        "tasks stand in a state that there is none of",
        "SELECT count(*) FROM task WHERE phase NOT IN (\(phases))"
      ),
      (
        "tasks are done without a result",
        """
        SELECT count(*) FROM task t WHERE phase = 'done' AND NOT EXISTS (
          SELECT 1 FROM result r WHERE r.recording = t.recording AND r.task = t.id)
        """
      ),
      (
        "tasks are more than done",
        "SELECT count(*) FROM task WHERE progress NOT BETWEEN 0 AND \(TaskProgress.whole)"
      ),
    ]
  }

  private static func count(_ sql: String, _ db: borrowing Connection) throws -> Int64 {
    try db.first(sql, []) { $0.int64(0) } ?? 0
  }
}
