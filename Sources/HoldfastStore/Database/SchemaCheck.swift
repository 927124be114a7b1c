import HoldfastSQLite

/// Compares the tables that a database names with those that our migrations make.
///
/// SQLite's own check finds nothing wrong with a name in which a bit was flipped; every query that
/// uses it fails. The text of each table and index is the same in every store of one version, since
/// the same migrations made it.
enum SchemaCheck {
  /// Whether the database has exactly the tables and indexes of its version, which is ours or an
  /// older one.
  static func isOurs(_ db: borrowing Connection) throws -> Bool {
    let version = try db.first("PRAGMA user_version", []) { $0.int64(0) } ?? 0
    let model = try Connection(path: ":memory:", OpenOptions(access: .create))
    let isOlder = (1..<Migrator.currentVersion).contains(version)
    try Migrator.migrate(model, from: 0, to: isOlder ? version : Migrator.currentVersion)
    return try objects(db) == objects(model)
  }

  private static func objects(_ db: borrowing Connection) throws -> [[SQLiteValue]] {
    // What stands below a full-text index is made by SQLite, and may differ between its versions.
    let own = """
      SELECT type, name, tbl_name, sql FROM sqlite_schema
      WHERE tbl_name NOT GLOB 'speech_words_*' ORDER BY type, name
      """
    return try db.all(own) { row in (0..<4).map { row.value($0) } }
  }
}
