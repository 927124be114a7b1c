import CHoldfastSQLite

/// A call of SQLite that failed. Match on ``code``, never on the text.
package struct SQLiteError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The extended result code; `code.primary` tells its class.
  package var code: ResultCode
  /// SQLite's words, or ours where we refused before SQLite was asked.
  package var message: String
  /// The statement concerned, without its values; nil when there was none.
  package var sql: String?
  /// The operating system's number of the fault beneath, 0 when there was none.
  package var systemErrno: Int32
  /// What was being done, as a verb: "open", "prepare", "bind", "step" …
  package var operation: String

  /// An error from its parts.
  package init(
    code: ResultCode, message: String, sql: String? = nil, systemErrno: Int32 = 0,
    operation: String
  ) {
    self.code = code
    self.message = message
    self.sql = sql
    self.systemErrno = systemErrno
    self.operation = operation
  }

  /// "OPERATION failed: MESSAGE (CODE[, errno N]) in: SQL".
  package var description: String {
    let system = systemErrno == 0 ? "" : ", errno \(systemErrno)"
    let statement = sql.map { " in: \($0)" } ?? ""
    return "\(operation) failed: \(message) (\(code.rawValue)\(system))\(statement)"
  }

  /// What a connection says about its last failed call.
  init(_ code: Int32, of db: OpaquePointer, operation: String, sql: String? = nil) {
    let isSystemFault = [SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_FULL].contains(code & 0xff)
    self.init(
      code: ResultCode(rawValue: code),
      message: unsafe String(cString: sqlite3_errmsg(db)),
      sql: sql,
      systemErrno: isSystemFault ? unsafe sqlite3_system_errno(db) : 0,
      operation: operation)
  }
}
