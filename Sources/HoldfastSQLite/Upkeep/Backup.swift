// Invariant: a copy is one snapshot of the source. The source's read transaction is held over all
// steps, so no commit of another connection makes the copy begin again, however hot the store is.
import CHoldfastSQLite

/// How far a backup is.
package struct BackupProgress: Hashable, Sendable {
  /// Pages still to be copied.
  package var remainingPages: Int32
  /// Pages of the database.
  package var totalPages: Int32

  /// Progress from its parts.
  package init(remainingPages: Int32, totalPages: Int32) {
    self.remainingPages = remainingPages
    self.totalPages = totalPages
  }
}

extension Connection {
  /// Copies the database as it is now into a new file, while other connections read and write.
  ///
  /// An empty file may be there, whose permissions stay. The copy is synced; its name is not: that
  /// is for the caller to do, by a sync of the directory. What was begun is removed when the backup
  /// fails.
  ///
  /// - Parameters:
  ///   - path: where to; no file with content may be there.
  ///   - pagesPerStep: pages copied between two calls of `progress`; at least 1.
  ///   - progress: told after each step; what it throws ends the backup.
  /// - Throws: ``ResultCode/cannotOpen`` when something is at `path`, ``ResultCode/misuse`` inside
  ///   a transaction, any other ``SQLiteError`` of reading and writing, what `progress` throws.
  package func backup(
    to path: String, pagesPerStep: Int32 = 1_024,
    progress: (BackupProgress) throws -> Void = { _ in }
  ) throws {
    guard core.isAutocommit else {
      throw SQLiteError(code: .misuse, message: "within a transaction", operation: "backup")
    }
    guard unsafe holdfast_sqlite_exists(core.vfs, path) == 0 else {
      throw SQLiteError(
        code: .cannotOpen, message: "there is a file at \(path) already", operation: "backup")
    }
    do {
      let options = OpenOptions(
        access: .create, vfs: core.vfs, busyTimeoutMilliseconds: core.busyTimeoutMilliseconds)
      let target = try ConnectionCore.open(path: path, options)
      try copy(into: target, pagesPerStep, progress)
      try target.close()
    } catch {
      unsafe holdfast_sqlite_remove(core.vfs, path)
      throw error
    }
  }

  /// Copies the database as it is now over another one that is open and empty.
  package func backup(into target: borrowing Connection) throws {
    try copy(into: target.core, 1_024) { _ in }
  }

  private func copy(
    into target: ConnectionCore, _ pagesPerStep: Int32,
    _ progress: (BackupProgress) throws -> Void
  ) throws {
    try transaction(.read) {
      // The snapshot begins with the first read.
      try core.execute("PRAGMA schema_version")
      try core.copy(into: target, pagesPerStep: max(1, pagesPerStep), progress: progress)
    }
  }
}

extension ConnectionCore {
  /// Copies all pages, step by step.
  fileprivate func copy(
    into target: ConnectionCore, pagesPerStep: Int32, progress: (BackupProgress) throws -> Void
  ) throws {
    guard let backup = unsafe sqlite3_backup_init(target.db, "main", db, "main") else {
      throw target.fault(unsafe sqlite3_extended_errcode(target.db), "backup")
    }
    var isFinished = false
    defer { if !isFinished { unsafe sqlite3_backup_finish(backup) } }
    var patience = busyTimeoutMilliseconds
    var code = SQLITE_OK
    while code != SQLITE_DONE {
      code = unsafe sqlite3_backup_step(backup, pagesPerStep)
      let isHeldUp = [SQLITE_BUSY, SQLITE_LOCKED].contains(code & 0xff)
      if isHeldUp && patience > 0 {
        patience -= max(1, sqlite3_sleep(Self.pauseMilliseconds))
        continue
      }
      guard code == SQLITE_OK || code == SQLITE_DONE else {
        let found = ResultCode(rawValue: code)
        throw SQLiteError(code: found, message: found.description, operation: "backup")
      }
      try progress(
        BackupProgress(
          remainingPages: unsafe sqlite3_backup_remaining(backup),
          totalPages: unsafe sqlite3_backup_pagecount(backup)))
    }
    isFinished = true
    code = unsafe sqlite3_backup_finish(backup)
    guard code == SQLITE_OK else { throw target.fault(code, "backup") }
  }

  /// How long a step waits for a lock before it is tried again.
  private static var pauseMilliseconds: Int32 { 10 }
}
