// Looking for damage that SQLite can see: pages, indexes, foreign keys.

extension Connection {
  /// What SQLite finds wrong with the database.
  ///
  /// - Parameters:
  ///   - limit: problems reported at most; at least 1.
  ///   - quick: leaves out the comparison of indexes with their tables.
  /// - Returns: one sentence for each problem; none when all is well.
  /// - Throws: an ``SQLiteError`` when the database is too damaged to be looked through.
  package func integrityProblems(limit: Int32, quick: Bool) throws -> [String] {
    let check = quick ? "quick_check" : "integrity_check"
    let lines = try all("PRAGMA \(check)(\(max(1, limit)))") { $0.text(0) }
    return lines == ["ok"] ? [] : lines
  }

  /// The rows whose foreign key names no parent, one sentence each; none when all is well.
  package func foreignKeyProblems() throws -> [String] {
    try all("PRAGMA foreign_key_check") { row in
      let place = row.optionalInt64(1).map { "row \($0)" } ?? "a row"
      return "\(place) of \(row.text(0)) names no row of \(row.text(2))"
    }
  }
}
