import HoldfastSQLite

/// Compares the tables that a database names with those that our migrations make.
///
/// SQLite's own check finds nothing wrong with a name in which a bit was flipped; every query that
/// uses it fails. The text of each table and index is the same in every store of one version, since
/// the same migrations made it.
enum SchemaCheck {
  /// Whether the database has exactly the tables and indexes of this version.
  static func isOurs(_ db: borrowing Connection) throws -> Bool {
    let model = try Connection(path: ":memory:", OpenOptions(access: .create))
    try Migrator.migrate(model, from: 0)
    return try objects(db) == objects(model)
  }

  private static func objects(_ db: borrowing Connection) throws -> [[SQLiteValue]] {
    try db.all("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name") { row in
      (0..<4).map { row.value($0) }
    }
  }
}
