import HoldfastModel
import HoldfastSQLite

/// Launches as the database knows them.
enum LaunchRow {
  /// Writes a row unless it is there: a launch whose commits were lost still has its file.
  static func insert(_ header: LaunchHeader, _ db: borrowing Connection) throws {
    try db.run(
      """
      INSERT OR IGNORE INTO launch (id, boot, program, process, started_ms, started_ns)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6)
      """,
      [
        .blob(header.launch.bytes), .blob(header.boot.bytes), .text(header.program),
        .integer(header.process), .integer(header.started.wallMilliseconds),
        .integer(header.started.monotonicNanoseconds),
      ])
  }

  private static let epochCounter = "launchEpoch"

  /// Gives a launch the next epoch: a number that no other launch ever has (T2).
  static func begin(_ launch: LaunchID, _ db: borrowing Connection) throws -> UInt64 {
    let epoch = try (Settings.unsigned(epochCounter, db) ?? 0) + 1
    try Settings.set(epochCounter, .integer(Int64(epoch)), db)
    try db.run(
      "UPDATE launch SET epoch = ?2 WHERE id = ?1",
      [.blob(launch.bytes), .integer(Int64(epoch))])
    return epoch
  }

  /// Records a verdict, unless one stands already.
  ///
  /// - Returns: whether it was recorded now.
  static func end(
    _ launch: LaunchID, _ ending: LaunchVerdict, _ db: borrowing Connection
  ) throws -> Bool {
    try db.run(
      """
      UPDATE launch SET ended_ms = ?2, ending = ?3, evidence = ?4, acknowledged = ?5
      WHERE id = ?1 AND ending IS NULL
      """,
      [
        .blob(launch.bytes), .integer(ending.atMilliseconds), .text(ending.kind.rawValue),
        .text(ending.evidence), .integer(ending.kind == .clean ? 1 : 0),
      ]) > 0
  }
}
