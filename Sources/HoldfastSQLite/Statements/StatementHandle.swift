// Invariant: the prepared statement lives exactly as long as this object, and what a column getter
// could not give as asked is remembered until it was thrown. All text and blobs go by byte length.
import CHoldfastSQLite

/// One prepared statement.
@safe final class StatementHandle {
  /// SQLite's statement.
  let pointer: OpaquePointer
  /// The text it was prepared from.
  let sql: String
  /// How many parameters it has.
  let parameterCount: Int32
  /// True from the moment the cache lends it out until it is given back.
  var isLent = false
  /// The first column that was not of the type asked for; thrown by the next check.
  var unreadable: UnreadableColumn?

  /// Takes over a statement.
  init(_ pointer: OpaquePointer, sql: String) {
    unsafe self.pointer = unsafe pointer
    self.sql = sql
    parameterCount = unsafe sqlite3_bind_parameter_count(pointer)
  }

  deinit { unsafe sqlite3_finalize(pointer) }

  /// Goes on to the next row; false at the end.
  func step() throws(SQLiteError) -> Bool {
    if unreadable != nil { try throwUnreadable() }
    switch unsafe sqlite3_step(pointer) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw fault(code, "step")
    }
  }

  /// Back to the beginning; values stay bound. A fault of the last step was thrown by it, so
  /// SQLite's repetition of its code is not looked at.
  func reset() { unsafe sqlite3_reset(pointer) }

  /// Back to the beginning without values, so that no large value is kept.
  func rewind() {
    unsafe sqlite3_reset(pointer)
    if parameterCount > 0 { unsafe sqlite3_clear_bindings(pointer) }
    if unreadable != nil { unreadable = nil }
  }

  /// The name of a column; empty when there is no such column.
  func columnName(_ column: Int32) -> String {
    guard let name = unsafe sqlite3_column_name(pointer, column) else { return "" }
    return unsafe String(cString: name)
  }

  /// Remembers that a column could not be read as asked; the first one counts.
  func note(_ column: UnreadableColumn) {
    if unreadable == nil { unreadable = column }
  }

  /// Throws what a column getter could not read since the last check.
  func throwUnreadable() throws(SQLiteError) {
    guard let found = unreadable else { return }
    unreadable = nil
    throw SQLiteError(
      code: .mismatch,
      message: "column \(found.column) (\(columnName(found.column))) is \(found.found), "
        + "not \(found.wanted)",
      sql: sql, operation: "column")
  }

  /// What the connection says about a failed call on this statement.
  func fault(_ code: Int32, _ operation: String) -> SQLiteError {
    guard let db = unsafe sqlite3_db_handle(pointer) else {
      return SQLiteError(
        code: ResultCode(rawValue: code), message: "no connection", sql: sql, operation: operation)
    }
    return unsafe SQLiteError(code, of: db, operation: operation, sql: sql)
  }
}

/// A column that could not be read as asked.
struct UnreadableColumn {
  /// Its index from 0.
  var column: Int32
  /// What was asked for.
  var wanted: StaticString
  /// What is there.
  var found: StaticString
}
