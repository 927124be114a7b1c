// Invariants: the connection is closed once, after its last statement; no statement that was lent
// stays busy; nothing runs in a transaction's body once SQLite has rolled the transaction back.
import CHoldfastSQLite

/// The open database behind a ``Connection`` and its statements.
@safe final class ConnectionCore {
  /// SQLite's connection; used by nobody after ``close()`` succeeded.
  let db: OpaquePointer
  /// The path it was opened by.
  let path: String
  /// The VFS it was opened with; nil for the default one.
  let vfs: String?
  /// How long a lock is waited for, in milliseconds.
  let busyTimeoutMilliseconds: Int32
  /// Ends running statements from elsewhere.
  let interruptHandle: InterruptHandle
  /// Statements by their text.
  var cache = StatementCache()
  /// True within the body of a transaction.
  var isInBody = false
  /// The level that `PRAGMA synchronous` was last set to; nil before the first time.
  var synchronous: SynchronousLevel?
  /// Frames in the WAL after this connection's last commit or checkpoint; written by the hook.
  let walFrames: UnsafeMutablePointer<Int32>
  private var isClosed = false

  /// Takes over an open connection.
  init(_ db: OpaquePointer, path: String, options: OpenOptions) {
    unsafe self.db = unsafe db
    self.path = path
    vfs = options.vfs
    busyTimeoutMilliseconds = options.busyTimeoutMilliseconds
    interruptHandle = unsafe InterruptHandle(db)
    unsafe walFrames = .allocate(capacity: 1)
    unsafe walFrames.initialize(to: 0)
    unsafe holdfast_sqlite_watch_wal(db, walFrames)
  }

  deinit {
    if !isClosed {
      interruptHandle.detach()
      cache.removeAll()
      // Statements hold this object, so none is left, and closing cannot be refused.
      unsafe sqlite3_close_v2(db)
    }
    unsafe walFrames.deallocate()
  }

  /// Closes the file; fails with `busy` while a statement lives.
  func close() throws(SQLiteError) {
    cache.removeAll()
    guard unsafe sqlite3_next_stmt(db, nil) == nil else {
      throw SQLiteError(
        code: .busy, message: "statements of this connection are still held", operation: "close")
    }
    interruptHandle.detach()
    let code = unsafe sqlite3_close(db)
    guard code == SQLITE_OK else { throw fault(code, "close") }
    isClosed = true
  }

  /// What the connection says about its last failed call.
  func fault(_ code: Int32, _ operation: String, sql: String? = nil) -> SQLiteError {
    unsafe SQLiteError(code, of: db, operation: operation, sql: sql)
  }

  /// True outside every transaction.
  var isAutocommit: Bool { unsafe sqlite3_get_autocommit(db) != 0 }

  /// Throws when a transaction's body goes on although SQLite rolled the transaction back (a full
  /// disk, an interrupt …): each further statement would commit alone.
  func assertTransactionStands() throws(SQLiteError) {
    if isInBody && isAutocommit { throw rolledBack() }
  }

  /// The error of a transaction that SQLite ended by itself.
  func rolledBack() -> SQLiteError {
    SQLiteError(
      code: .abortRollback, message: "SQLite rolled the transaction back after a fault in it",
      operation: "transaction")
  }

  /// A statement ready to bind, from the cache when it is there. To be given back with
  /// ``giveBack(_:)``.
  func borrow(_ sql: String) throws(SQLiteError) -> StatementHandle {
    try assertTransactionStands()
    if let cached = cache.lend(sql) { return cached }
    let handle = try prepare(sql, lasting: true)
    handle.isLent = true
    if !isPragma(sql) { cache.keep(handle) }
    return handle
  }

  /// Takes a borrowed statement back, at its beginning and without values.
  func giveBack(_ handle: StatementHandle) {
    handle.rewind()
    handle.isLent = false
  }

  /// PRAGMAs are never kept: several take effect, or read their answer, while being prepared. Any
  /// text with the word counts as one, since it may stand behind a comment.
  private func isPragma(_ sql: String) -> Bool {
    let word = Array("pragma".utf8)
    var matched = 0
    for byte in sql.utf8 {
      let lower = byte | 0x20
      matched = lower == word[matched] ? matched + 1 : lower == word[0] ? 1 : 0
      if matched == word.count { return true }
    }
    return false
  }
}

/// How hard a commit is pressed onto the medium (`PRAGMA synchronous`).
package enum SynchronousLevel: String, Hashable, Sendable {
  /// Each commit is power-safe (J3).
  case full = "FULL"
  /// A commit survives the process; power loss may take the last ones, never the database.
  case normal = "NORMAL"
  /// Nothing is synced: for scratch databases only.
  case off = "OFF"
}
