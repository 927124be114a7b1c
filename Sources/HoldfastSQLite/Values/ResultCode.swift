import CHoldfastSQLite

/// A result code of SQLite, primary or extended (https://sqlite.org/rescode.html).
///
/// Open: a value without a name here is still told apart by its number. The low eight bits of an
/// extended code are its ``primary`` one.
package struct ResultCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// The number as SQLite's header defines it.
  package let rawValue: Int32
  /// The code with that number.
  package init(rawValue: Int32) { self.rawValue = rawValue }

  /// The code's class: its low eight bits.
  package var primary: ResultCode { ResultCode(rawValue: rawValue & 0xff) }

  /// SQLite's English words for the code, with its number.
  package var description: String {
    guard let words = unsafe sqlite3_errstr(rawValue) else { return "code \(rawValue)" }
    return "\(unsafe String(cString: words)) (\(rawValue))"
  }
}

// The primary codes that a caller may want to tell apart.
extension ResultCode {
  /// The call did what it says.
  package static let ok = ResultCode(rawValue: SQLITE_OK)
  /// A fault in the SQL, or one without a better code.
  package static let error = ResultCode(rawValue: SQLITE_ERROR)
  /// A fault inside SQLite.
  package static let internalFault = ResultCode(rawValue: SQLITE_INTERNAL)
  /// The file's permissions forbid it.
  package static let permission = ResultCode(rawValue: SQLITE_PERM)
  /// The call was ended by a call-back or a rollback.
  package static let abort = ResultCode(rawValue: SQLITE_ABORT)
  /// Another connection holds the lock, longer than the busy timeout.
  package static let busy = ResultCode(rawValue: SQLITE_BUSY)
  /// A conflict within this connection, or with one that shares its cache.
  package static let locked = ResultCode(rawValue: SQLITE_LOCKED)
  /// Memory could not be allocated.
  package static let noMemory = ResultCode(rawValue: SQLITE_NOMEM)
  /// A write to a database that can only be read.
  package static let readOnly = ResultCode(rawValue: SQLITE_READONLY)
  /// Ended by an ``InterruptHandle``.
  package static let interrupt = ResultCode(rawValue: SQLITE_INTERRUPT)
  /// The operating system failed to read, write or sync.
  package static let ioError = ResultCode(rawValue: SQLITE_IOERR)
  /// The file is a database, and damaged.
  package static let corrupt = ResultCode(rawValue: SQLITE_CORRUPT)
  /// No room is left, on the medium or below `max_page_count`.
  package static let full = ResultCode(rawValue: SQLITE_FULL)
  /// The file cannot be opened.
  package static let cannotOpen = ResultCode(rawValue: SQLITE_CANTOPEN)
  /// The locking protocol failed: too many tries to start a WAL transaction.
  package static let lockProtocol = ResultCode(rawValue: SQLITE_PROTOCOL)
  /// The schema changed under a statement.
  package static let schema = ResultCode(rawValue: SQLITE_SCHEMA)
  /// A text or blob over SQLite's limit of size (a billion bytes by default).
  package static let tooBig = ResultCode(rawValue: SQLITE_TOOBIG)
  /// A constraint of the schema forbids it.
  package static let constraint = ResultCode(rawValue: SQLITE_CONSTRAINT)
  /// A value of another type than the one asked for or allowed.
  package static let mismatch = ResultCode(rawValue: SQLITE_MISMATCH)
  /// The interface was used wrongly: an error of the program, not of the data.
  package static let misuse = ResultCode(rawValue: SQLITE_MISUSE)
  /// The file is larger than the system can address.
  package static let noLargeFiles = ResultCode(rawValue: SQLITE_NOLFS)
  /// An authorizer refused, or a locked device on Apple platforms.
  package static let auth = ResultCode(rawValue: SQLITE_AUTH)
  /// An index of a parameter or column, or a value, out of its range.
  package static let range = ResultCode(rawValue: SQLITE_RANGE)
  /// The file is not a database.
  package static let notADatabase = ResultCode(rawValue: SQLITE_NOTADB)
  /// A step gave a row.
  package static let row = ResultCode(rawValue: SQLITE_ROW)
  /// A step came to the end.
  package static let done = ResultCode(rawValue: SQLITE_DONE)
}
