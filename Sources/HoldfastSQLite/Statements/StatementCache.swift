// Invariant: a statement is lent to one user at a time, and is at its beginning, without values,
// whenever it lies here.

/// The prepared statements of a connection, by their text.
struct StatementCache {
  /// Statements kept at most. SQL that is put together at run time must not grow the cache for
  /// ever; when it is full it is emptied, which costs each lasting statement one more preparation.
  static let limit = 256

  private var byText: [StatementText: StatementHandle] = [:]
  /// The statement lent last. A loop asks for the same literal again, and comparing a literal with
  /// itself is comparing two addresses, while hashing a long text costs as much as binding a row.
  private var last: StatementHandle?

  /// The idle statement of that text, now lent; nil when there is none or it is in use.
  mutating func lend(_ sql: String) -> StatementHandle? {
    if let last, last.sql == sql, !last.isLent {
      last.isLent = true
      return last
    }
    guard let found = byText[StatementText(sql: sql)], !found.isLent else { return nil }
    found.isLent = true
    last = found
    return found
  }

  /// Keeps a statement that was just prepared and is in use, unless one of its text is here.
  mutating func keep(_ handle: StatementHandle) {
    let text = StatementText(sql: handle.sql)
    guard byText[text] == nil else { return }
    if byText.count >= Self.limit { removeAll() }
    byText[text] = handle
  }

  /// Lets go of all. A statement in use lives until its user gives it back.
  mutating func removeAll() {
    byText.removeAll()
    last = nil
  }
}

/// A statement's text as a key. Only its length and its end are hashed: hashing all of a long text
/// costs more than many a statement, and what hashes alike is compared whole.
private struct StatementText: Hashable {
  let sql: String

  func hash(into hasher: inout Hasher) {
    hasher.combine(sql.utf8.count)
    hasher.combine(sql.utf8.suffix(8).reduce(into: UInt64(0)) { $0 = $0 << 8 | UInt64($1) })
  }
}
