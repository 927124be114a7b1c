// Invariants: a transaction ends with the body, committed as a whole or not at all; `synchronous`
// is never switched inside one.
import CHoldfastSQLite

/// What a transaction is for.
package enum TransactionKind: Hashable, Sendable {
  /// Reading one snapshot, taken at the first read (`BEGIN DEFERRED`).
  case read
  /// Writing: the write lock is taken before the body runs (`BEGIN IMMEDIATE`), so that the body
  /// never meets a snapshot that is no longer the newest.
  case write
}

extension ConnectionCore {
  /// Begins; fails with `busy` when the write lock is held longer than the busy timeout.
  func begin(_ kind: TransactionKind) throws(SQLiteError) {
    _ = try run(kind == .write ? "BEGIN IMMEDIATE" : "BEGIN DEFERRED", [])
    isInBody = true
  }

  /// Commits; what cannot be committed is rolled back.
  func commit() throws(SQLiteError) {
    isInBody = false
    guard !isAutocommit else { throw rolledBack() }
    do {
      _ = try run("COMMIT", [])
    } catch {
      rollBack()
      throw error
    }
  }

  /// Rolls back, where SQLite has not done so. Cannot fail in a way that anybody could act on: a
  /// transaction that is still open makes the next BEGIN fail.
  func rollBack() {
    isInBody = false
    if !isAutocommit { _ = try? run("ROLLBACK", []) }
  }
}

extension Connection {
  /// Runs the body in a transaction and commits, or rolls back when the body throws or the commit
  /// fails. Transactions do not nest: the inner one fails with ``ResultCode/error``.
  ///
  /// Throws what the body threw, or an ``SQLiteError``: ``ResultCode/busy`` when another connection
  /// writes, ``ResultCode/abortRollback`` when SQLite itself rolled back (a full disk, an
  /// interrupt) and the body went on.
  @discardableResult
  package func transaction<Result>(
    _ kind: TransactionKind, _ body: () throws -> Result
  ) throws -> Result {
    try core.begin(kind)
    let result: Result
    do {
      result = try body()
    } catch {
      core.rollBack()
      throw error
    }
    try core.commit()
    return result
  }

  /// Sets how hard the following commits are pressed onto the medium. Costs nothing when the level
  /// is the one that was set last. Fails with ``ResultCode/misuse`` inside a transaction.
  package func setSynchronous(_ level: SynchronousLevel) throws(SQLiteError) {
    guard core.isAutocommit else {
      throw SQLiteError(
        code: .misuse, message: "synchronous is not switched inside a transaction",
        operation: "setSynchronous")
    }
    guard core.synchronous != level else { return }
    try core.execute("PRAGMA synchronous = \(level.rawValue)")
    core.synchronous = level
  }
}
