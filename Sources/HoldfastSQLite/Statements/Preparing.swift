// From a text to its statements. Invariant: no part of the text is left out unseen.
import CHoldfastSQLite

extension ConnectionCore {
  /// Prepares the one statement in the text. Fails with `misuse` when the text has none (only
  /// blanks and comments), more than one, or a NUL.
  func prepare(_ sql: String, lasting: Bool) throws(SQLiteError) -> StatementHandle {
    var pieces = SQLPieces(sql)
    guard let first = try next(of: &pieces, lasting: lasting) else {
      throw SQLiteError(
        code: .misuse, message: "no statement in the SQL", sql: sql, operation: "prepare")
    }
    guard try next(of: &pieces, lasting: false) == nil else {
      throw SQLiteError(
        code: .misuse, message: "more than one statement in the SQL", sql: sql,
        operation: "prepare")
    }
    return first
  }

  /// Prepares the next statement of the text; nil when none is left.
  func next(of pieces: inout SQLPieces, lasting: Bool) throws(SQLiteError) -> StatementHandle? {
    while pieces.position < pieces.bytes.count {
      var statement: OpaquePointer?
      let flags = lasting ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0
      var used = 0
      let code = unsafe pieces.bytes.withUnsafeBytes { raw in
        let start = unsafe raw.baseAddress.map {
          unsafe $0.assumingMemoryBound(to: CChar.self) + pieces.position
        }
        var tail: UnsafePointer<CChar>?
        let count = Int32(clamping: raw.count - pieces.position)
        let code = unsafe sqlite3_prepare_v3(db, start, count, flags, &statement, &tail)
        if let start = unsafe start, let tail = unsafe tail { used = unsafe tail - start }
        return code
      }
      guard code == SQLITE_OK else { throw fault(code, "prepare", sql: pieces.sql) }
      pieces.position += used
      if let statement = unsafe statement {
        return unsafe StatementHandle(statement, sql: pieces.sql)
      }
      // Blanks and comments up to the end, or an empty statement. SQLite stops at a NUL.
      if used == 0 || pieces.isAtNUL { break }
    }
    if pieces.position < pieces.bytes.count && pieces.isAtNUL {
      throw SQLiteError(
        code: .misuse, message: "a NUL in the SQL", sql: pieces.sql, operation: "prepare")
    }
    return nil
  }
}

/// A text of SQL, and how far it was prepared.
struct SQLPieces {
  /// The text.
  let sql: String
  /// Its UTF-8.
  let bytes: [UInt8]
  /// Where the next statement begins.
  var position = 0

  /// Begins at the beginning.
  init(_ sql: String) {
    self.sql = sql
    bytes = Array(sql.utf8)
  }

  /// Whether the next byte is a NUL.
  var isAtNUL: Bool { position < bytes.count && bytes[position] == 0 }
}
