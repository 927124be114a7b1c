import HoldfastModel
import HoldfastSQLite

/// Compares the derived rows of recordings with what their changes give (S1).
///
/// The changes of one recording are put into an empty database in memory, and ``Projection`` itself
/// derives its rows there: the check cannot drift from what it checks.
struct ProjectionAudit: ~Copyable {
  private let scratch: Connection
  private let hashing: any Hashing

  /// Makes the empty database.
  init(hashing: any Hashing) throws {
    scratch = try Self.emptyStore()
    self.hashing = hashing
  }

  private static func emptyStore() throws -> Connection {
    let connection = try Connection(path: ":memory:", OpenOptions(access: .create))
    try Migrator.migrate(connection, from: 0)
    return connection
  }

  /// The derived columns of each table; what is local (counters, keys, the launch) is left out.
  private static let queries = [
    """
    SELECT id, title, state, reason, state_ms, recovered, started_ms, external_id, source_bytes,
      origin, deleted, purged FROM recording WHERE id = ?1
    """,
    "SELECT name, value FROM attribute WHERE recording = ?1 ORDER BY name",
    "SELECT id, ordinal, name FROM track WHERE recording = ?1 ORDER BY id",
    """
    SELECT id, track, position, encoding, sample_rate, channels, frame_bytes, packet_frames, codec,
      start_ns, known, opened_ms, closed_reason, closed_ms, lost_ns, extent_chunks
    FROM take WHERE recording = ?1 ORDER BY id
    """,
  ]

  /// A recording as the store has it, read in one snapshot.
  struct Snapshot: Hashable, Sendable {
    /// The derived rows, by query.
    var rows: [[[SQLiteValue]]]
    var work: TaskAudit.Rows
    /// Whether tasks may have been removed for their age.
    var isPruned: Bool
    /// The changes, by local number.
    var changes: [[SQLiteValue]]
  }

  /// Recordings with a change or a row, after an id, by id.
  static func recordings(
    after id: [UInt8], limit: Int64, _ db: borrowing Connection
  ) throws -> [[UInt8]] {
    try db.all(
      """
      SELECT id FROM recording WHERE id > ?1 UNION
      SELECT recording FROM change WHERE recording > ?1 ORDER BY 1 LIMIT ?2
      """, [.blob(id), .integer(limit)]
    ) { $0.blob(0) }
  }

  /// Reads a recording's changes and derived rows.
  static func snapshot(of id: [UInt8], _ db: borrowing Connection) throws -> Snapshot {
    Snapshot(
      rows: try rows(of: id, db), work: try TaskAudit.rows(of: id, db),
      isPruned: try TaskAudit.isPruned(db),
      changes: try db.all(
        """
        SELECT origin, sequence, kind, recording, chain, bytes FROM change WHERE recording = ?1
        ORDER BY ordinal
        """, [.blob(id)]
      ) { row in (0..<6).map { row.value($0) } })
  }

  private static func rows(
    of id: [UInt8], _ db: borrowing Connection
  ) throws -> [[[SQLiteValue]]] {
    try (queries + SpeechAudit.queries).map { sql in
      try db.all(sql, [.blob(id)]) { row in (0..<row.count).map { row.value($0) } }
    }
  }

  /// What is wrong with a recording's derived rows.
  func problems(of id: [UInt8], _ snapshot: Snapshot) throws -> [DatabaseProblem] {
    guard let recording = RecordingID(id) else {
      return [.init(.projection, "There are rows of a recording without a whole id.")]
    }
    guard !snapshot.changes.isEmpty else {
      let message = "Recording \(recording) has rows, and no change that makes them."
      return [.init(.projection, message)]
    }
    defer { try? clear() }
    let derived = try scratch.transaction(.write) {
      for change in snapshot.changes {
        try scratch.run(
          """
          INSERT INTO change (origin, sequence, kind, recording, chain, bytes)
          VALUES (?1, ?2, ?3, ?4, ?5, ?6)
          """, change)
      }
      try Projection.refresh(recording, scratch)
      try TranscriptRows.refresh(recording, scratch)
      try TaskProjection(hashing: hashing).restore(recording, scratch)
      return (rows: try Self.rows(of: id, scratch), work: try TaskAudit.rows(of: id, scratch))
    }
    var wrong = derived.rows == snapshot.rows ? [] : ["The rows"]
    if !TaskAudit.agree(snapshot.work, derived.work, isPruned: snapshot.isPruned) {
      wrong.append("The rows of tasks and results")
    }
    return wrong.map {
      .init(.projection, "\($0) of recording \(recording) are not what its changes give.")
    }
  }

  private func clear() throws {
    try TranscriptRows.clear(scratch)
    for table in [
      "change", "recording", "attribute", "track", "take", "task", "task_after", "result",
    ] {
      try scratch.execute("DELETE FROM \(table)")
    }
  }
}
