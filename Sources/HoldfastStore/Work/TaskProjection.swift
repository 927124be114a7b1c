import HoldfastModel
import HoldfastSQLite

/// Rows of tasks and results as the changes tell them: in the commit that makes a change, and for
/// changes that came from elsewhere or outlived their rows.
///
/// Invariant (S1, T9): which tasks exist and which results they have is a function of the set of
/// changes. Applying one twice is applying it once.
struct TaskProjection {
  let hashing: any Hashing

  /// Makes the row of a task unless it is there.
  func insert(
    _ fact: TaskFact, _ id: TaskID, _ recording: RecordingID, madeMilliseconds: Int64,
    turn: UInt64, _ db: borrowing Connection
  ) throws {
    let unmet = try TaskRows.unmet(fact.after, of: recording, db)
    let names = unmet.map(\.rawValue).sorted().joined(separator: ", ")
    let added = try db.run(
      """
      INSERT OR IGNORE INTO task (id, kind, recording, generation, made_ms, phase, wait, cause,
        turn) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
      """,
      [
        .blob(id.digest.bytes), .text(fact.kind.rawValue), .blob(recording.bytes),
        .integer(Int64(clamping: fact.generation)), .integer(madeMilliseconds),
        .text((unmet.isEmpty ? TaskPhase.ready : .waiting).rawValue),
        .text((unmet.isEmpty ? TaskWait.none : .tasks).rawValue),
        .text(unmet.isEmpty ? "" : "waits for \(names)"), .integer(Int64(clamping: turn)),
      ])
    guard added > 0, !fact.after.isEmpty else { return }
    for kind in fact.after {
      try db.run(
        """
        INSERT OR IGNORE INTO task_after (task_key, kind)
        SELECT key, ?2 FROM task WHERE id = ?1
        """, [.blob(id.digest.bytes), .text(kind.rawValue)])
    }
  }

  /// Makes the row of a result unless it is there.
  func insert(
    _ fact: ResultFact, _ recording: RecordingID, madeMilliseconds: Int64, isLate: Bool,
    _ db: borrowing Connection
  ) throws {
    try db.run(
      """
      INSERT OR IGNORE INTO result (task, recording, hash, kind, content_type, text, quality,
        version, input_revision, made_ms, late)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
      """,
      [
        .blob(fact.task.digest.bytes), .blob(recording.bytes),
        .blob(fact.artefact.hash(hashing).bytes), .text(fact.artefact.kind),
        .text(fact.artefact.contentType), .text(fact.artefact.text),
        .integer(Int64(fact.quality)), .integer(Int64(fact.version)),
        .integer(Int64(clamping: fact.inputRevision)), .integer(madeMilliseconds),
        .integer(isLate ? 1 : 0),
      ])
  }

  /// The changes that tell of a recording's work.
  static func changes(
    of recording: RecordingID, _ db: borrowing Connection
  ) throws -> [Change] {
    try db.all(
      """
      SELECT bytes FROM change WHERE recording = ?1 AND kind IN ('task', 'result')
        AND bytes IS NOT NULL
      """, [.blob(recording.bytes)]
    ) { try Change(bytes: $0.blob(0)) }
  }

  /// Makes the rows of all tasks and results that a recording's changes tell of: after a rebuild. A
  /// task that has a result is done; the others begin anew.
  func restore(_ recording: RecordingID, _ db: borrowing Connection) throws {
    let changes = try Self.changes(of: recording, db).sorted {
      ($0.stamp, $0.name) < ($1.stamp, $1.name)
    }
    for change in changes {
      if change.kind == .task, let fact = TaskFact(change.body) {
        let id = TaskID(
          kind: fact.kind, recording: recording, generation: fact.generation, hashing: hashing)
        try insert(
          fact, id, recording, madeMilliseconds: change.stamp.milliseconds, turn: 0, db)
      } else if change.kind == .result, let fact = ResultFact(change.body) {
        let made = change.stamp.milliseconds
        try insert(fact, recording, madeMilliseconds: made, isLate: false, db)
        try db.run(
          """
          UPDATE task SET phase = 'done', wait = '', cause = '', progress = ?2, finished_ms = ?3
          WHERE id = ?1 AND phase <> 'done'
          """,
          [
            .blob(fact.task.digest.bytes), .integer(Int64(TaskProgress.whole)), .integer(made),
          ])
      }
    }
    try db.run(
      """
      UPDATE task SET phase = 'ready', wait = '', cause = ''
      WHERE recording = ?1 AND phase = 'waiting' AND wait = 'tasks' AND NOT EXISTS (
        SELECT 1 FROM task_after a JOIN task p ON p.kind = a.kind AND p.recording = task.recording
        WHERE a.task_key = task.key AND p.phase <> 'done')
      """, [.blob(recording.bytes)])
  }
}
