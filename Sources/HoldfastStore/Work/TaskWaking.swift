package import HoldfastModel
package import HoldfastSQLite

/// Tasks that may run, and the waits that are over.
///
/// Invariant (S8): every wait has a cause and a condition that ends it: another task's end, audio
/// that arrives, a time, other conditions, the recording's return from the trash, the user. What
/// is looked at is bounded, however many tasks there are.
extension TaskBook {
  /// Ends waits: by the clock, and by conditions that are not those under which a task was
  /// interrupted. A clock that stands before the moment at which a wait began went back: the wait
  /// is over, since how long it really was cannot be known (T8).
  ///
  /// - Returns: how many tasks may run again.
  @discardableResult
  package func wake(conditions: String, _ db: borrowing Connection) throws -> Int64 {
    guard try hasSleepers(conditions: conditions, db) else { return 0 }
    var woken: Int64 = 0
    for wait in Self.timeWaits {
      woken += try db.run(
        "UPDATE task SET phase = 'ready', wait = '' WHERE \(wait) ?1", [.integer(now)])
    }
    for wait in Self.conditionWaits {
      woken += try db.run(
        "UPDATE task SET phase = 'ready', wait = '', interruptions = 0 WHERE \(wait) ?1",
        [.text(conditions)])
    }
    return woken
  }

  /// Waits that a time ends, each found by an index of its own; the time follows.
  private static let timeWaits = [
    "phase = 'waiting' AND wait = 'retry' AND retry_due_ms <=",
    "phase = 'waiting' AND wait = 'retry' AND retry_set_ms >",
  ]
  /// Waits that conditions end which sort before, or after, those of the interruption.
  private static let conditionWaits = [
    "phase = 'waiting' AND wait = 'conditions' AND held_under <",
    "phase = 'waiting' AND wait = 'conditions' AND held_under >",
  ]
  private static let sleepers =
    "SELECT "
    + (timeWaits.map { "EXISTS (SELECT 1 FROM task WHERE \($0) ?1)" }
    + conditionWaits.map { "EXISTS (SELECT 1 FROM task WHERE \($0) ?2)" })
    .joined(separator: " OR ")

  /// Whether ``wake(conditions:_:)`` has something to do: asked without a transaction that writes.
  package func hasSleepers(conditions: String, _ db: borrowing Connection) throws -> Bool {
    try db.first(Self.sleepers, [.integer(now), .text(conditions)]) { $0.int64(0) != 0 } ?? false
  }

  /// Milliseconds until the next wait by the clock is over; nil when there is none.
  package func nextDue(_ db: borrowing Connection) throws -> Int64? {
    let due =
      try db.first(
        "SELECT min(retry_due_ms) FROM task WHERE phase = 'waiting' AND wait = 'retry'", []
      ) {
        $0.optionalInt64(0)
      } ?? nil
    return due.map { max($0.addingClamped(-now), 0) }
  }

  /// Tasks of a kind that no launch has and that wait for nothing that is written down: those that
  /// waited for the most turns first. Of the parked ones, which had no handler until now, as many
  /// follow.
  package func ready(
    _ kind: TaskKind, limit: UInt64, _ db: borrowing Connection
  ) throws -> [TaskRow] {
    try [Self.ready, Self.parked].flatMap { sql in
      try db.all(sql, [.text(kind.rawValue), .integer(Int64(clamping: limit))]) {
        try TaskRow($0)
      }
    }
  }

  private static let ready = open(phase: "ready")
  private static let parked = open(phase: "parked")

  /// The phase stands in the text: each has an index of its own, which is used only so.
  private static func open(phase: String) -> String {
    """
    SELECT \(TaskRow.columns) FROM task WHERE phase = '\(phase)' AND kind = ?1
    ORDER BY turn LIMIT ?2
    """
  }

  /// Writes down that a task waits for other kinds of its recording, its handler's word.
  package func wait(
    _ task: TaskRow, for kinds: Set<TaskKind>, _ db: borrowing Connection
  ) throws {
    for kind in kinds {
      try db.run(
        "INSERT OR IGNORE INTO task_after (task_key, kind) VALUES (?1, ?2)",
        [.integer(task.key), .text(kind.rawValue)])
    }
    try place(task.key, task.recording, cause: "", db)
  }

  /// Writes down that the audio which a task needs is not here.
  package func waitForInput(
    _ task: TaskRow, cause: String, _ db: borrowing Connection
  ) throws {
    try stand(task.key, .waiting, .input, cause: cause, db)
  }

  /// Audio of a recording arrived: tasks that waited for it may run.
  package func inputArrived(_ recording: RecordingID, _ db: borrowing Connection) throws {
    try db.run(
      """
      UPDATE task SET phase = 'ready', wait = '', cause = ''
      WHERE recording = ?1 AND phase = 'waiting' AND wait = 'input'
      """, [.blob(recording.bytes)])
  }

  /// Parks ready tasks whose kind nobody here handles (T4): they stay, and run as soon as somebody
  /// does.
  ///
  /// - Returns: how many were parked now.
  @discardableResult
  package func park(
    except handled: Set<TaskKind>, _ db: borrowing Connection
  ) throws -> Int64 {
    var parked: Int64 = 0
    for kind in try readyKinds(db) where !handled.contains(kind) {
      parked += try db.run(
        """
        UPDATE task SET phase = 'parked', cause = 'no handler here for this kind'
        WHERE phase = 'ready' AND kind = ?1
        """, [.text(kind.rawValue)])
    }
    return parked
  }

  /// Whether ``park(except:_:)`` has something to do.
  package func hasUnparked(
    except handled: Set<TaskKind>, _ db: borrowing Connection
  ) throws -> Bool {
    try readyKinds(db).contains { !handled.contains($0) }
  }

  /// The kinds of ready tasks, a step of the index each.
  private func readyKinds(_ db: borrowing Connection) throws -> [TaskKind] {
    var kinds: [TaskKind] = []
    var last = ""
    while let next = try db.first(
      "SELECT kind FROM task WHERE phase = 'ready' AND kind > ?1 ORDER BY kind LIMIT 1",
      [.text(last)], { $0.text(0) })
    {
      kinds.append(TaskKind(rawValue: next))
      last = next
    }
    return kinds
  }

  /// Recordings that are not over, with their phase: few.
  package func unfinished(
    _ db: borrowing Connection
  ) throws -> [(recording: RecordingID, phase: RecordingPhase)] {
    try db.all(
      """
      SELECT id, state FROM recording WHERE \(RecordingRows.unfinished) AND purged = 0
      """, []
    ) { row in
      RecordingID(row.blob(0)).map { ($0, RecordingPhase(rawValue: row.text(1))) }
    }.compactMap(\.self)
  }

  /// A recording went to the trash, or came back from it: its tasks wait, or are placed anew. One
  /// that a worker has is not taken from it.
  package func recordingMoved(
    _ recording: RecordingID, toTrash: Bool, _ db: borrowing Connection
  ) throws {
    for task in try TaskRows.all(of: recording, db) {
      switch task.phase {
      case .waiting, .ready, .parked:
        if toTrash || task.wait == .trash {
          try place(task.key, recording, cause: "", db)
        }
      case .running, .done, .failed, .quarantined, .cancelled: break
      }
    }
  }

  /// Removes all that is known of a purged recording's work.
  package static func forget(_ recording: RecordingID, _ db: borrowing Connection) throws {
    try db.run(
      "DELETE FROM task_after WHERE task_key IN (SELECT key FROM task WHERE recording = ?1)",
      [.blob(recording.bytes)])
    for table in ["task", "result"] {
      try db.run("DELETE FROM \(table) WHERE recording = ?1", [.blob(recording.bytes)])
    }
  }

  /// Of so many tasks, the newest, settled ones are kept; older ones go, their results stay.
  package static let settledBound: Int64 = 10_000

  /// Removes settled tasks that are older than the newest ones: done and called off ones only,
  /// since failed and quarantined ones wait for the user. What a pruned one made stays.
  ///
  /// - Returns: how many were removed.
  @discardableResult
  package func prune(
    keeping bound: Int64 = settledBound, _ db: borrowing Connection
  ) throws -> Int64 {
    let old = try db.all(
      """
      SELECT key FROM task WHERE phase IN ('done', 'cancelled')
        AND key <= (SELECT max(key) FROM task) - ?1 ORDER BY key LIMIT 1000
      """, [.integer(bound)]
    ) { $0.int64(0) }
    for key in old {
      try db.run("DELETE FROM task_after WHERE task_key = ?1", [.integer(key)])
      try db.run("DELETE FROM task WHERE key = ?1", [.integer(key)])
    }
    return Int64(old.count)
  }
}
