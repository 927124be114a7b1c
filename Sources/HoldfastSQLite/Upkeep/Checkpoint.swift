import CHoldfastSQLite

/// How much a checkpoint insists (https://sqlite.org/c3ref/wal_checkpoint_v2.html).
package enum CheckpointMode: Hashable, Sendable {
  /// Copies what can be copied without waiting for anybody.
  case passive
  /// Waits for writers, and for readers of an old snapshot, then copies all.
  case full
  /// As ``full``, then waits until nobody reads the WAL, so that the next commit begins it anew.
  case restart
  /// As ``restart``, then cuts the WAL to no bytes.
  case truncate
}

/// The three results of a checkpoint (J7).
package struct CheckpointResult: Hashable, Sendable {
  /// Another connection's lock kept it from ending.
  package var busy: Bool
  /// Frames in the WAL; -1 when that is not known or the database has no WAL.
  package var logFrames: Int32
  /// Frames of the WAL that are in the database; -1 as above.
  package var checkpointedFrames: Int32
  /// Everything in the WAL is in the database.
  package var isComplete: Bool { !busy && logFrames == checkpointedFrames }

  /// Results from their parts.
  package init(busy: Bool, logFrames: Int32, checkpointedFrames: Int32) {
    self.busy = busy
    self.logFrames = logFrames
    self.checkpointedFrames = checkpointedFrames
  }
}

extension Connection {
  /// Copies the WAL into the database. Being kept from it by other connections is a result, not an
  /// error; inside a transaction of this connection it fails with ``ResultCode/locked``.
  package func checkpoint(_ mode: CheckpointMode) throws(SQLiteError) -> CheckpointResult {
    let number =
      switch mode {
      case .passive: SQLITE_CHECKPOINT_PASSIVE
      case .full: SQLITE_CHECKPOINT_FULL
      case .restart: SQLITE_CHECKPOINT_RESTART
      case .truncate: SQLITE_CHECKPOINT_TRUNCATE
      }
    var log: Int32 = -1
    var done: Int32 = -1
    let code = unsafe sqlite3_wal_checkpoint_v2(core.db, "main", number, &log, &done)
    guard code == SQLITE_OK || code & 0xff == SQLITE_BUSY else {
      throw core.fault(code, "checkpoint")
    }
    if log >= 0 { unsafe core.walFrames.pointee = log }
    return CheckpointResult(
      busy: code != SQLITE_OK, logFrames: log, checkpointedFrames: done)
  }
}
