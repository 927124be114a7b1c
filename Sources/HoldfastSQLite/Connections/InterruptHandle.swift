// Invariant: `sqlite3_interrupt` is called only while the connection is open. The mutex is held
// over the call, and over the moment at which a closing connection takes its pointer away.
import CHoldfastSQLite

/// Ends the running statements of a connection, from any thread, at any time.
///
/// After the connection is closed a call does nothing.
@safe package final class InterruptHandle: @unchecked Sendable {
  /// SQLite's own mutex, since this module has no other; nil where SQLite was built without.
  private let mutex: OpaquePointer?
  /// The connection, nil once it is closing. Guarded by the mutex.
  private var db: OpaquePointer?

  /// A handle for an open connection.
  init(_ db: OpaquePointer) {
    unsafe self.mutex = sqlite3_mutex_alloc(SQLITE_MUTEX_FAST)
    unsafe self.db = db
  }

  deinit { unsafe sqlite3_mutex_free(mutex) }

  /// Makes every statement that is running now fail with ``ResultCode/interrupt``. A writing one
  /// takes its whole transaction with it. Statements begun afterwards run as usual.
  package func interrupt() {
    unsafe sqlite3_mutex_enter(mutex)
    if let db = unsafe db { unsafe sqlite3_interrupt(db) }
    unsafe sqlite3_mutex_leave(mutex)
  }

  /// No interrupt reaches the connection after this returned.
  func detach() {
    unsafe sqlite3_mutex_enter(mutex)
    unsafe db = nil
    unsafe sqlite3_mutex_leave(mutex)
  }
}
