import CHoldfastSQLite

/// One open database. Closed when it goes out of scope, at the latest with its last ``Statement``.
///
/// Used from one thread at a time; only ``interruptHandle`` may be used from others. Every
/// connection is opened so that it never checkpoints by itself, neither after a commit nor when it
/// is closed (J7), with foreign keys on, with a schema that is not trusted, and defensive.
package struct Connection: ~Copyable {
  /// The open database; shared with the statements made here.
  let core: ConnectionCore

  /// Opens a database and reads its first page, so that what is wrong with the file is said here.
  ///
  /// - Parameters:
  ///   - path: absolute, or relative to the working directory; ":memory:" is a database in memory,
  ///     ``unnamed`` one in a file without a name.
  ///   - options: how to open it.
  /// - Throws: ``ResultCode/cannotOpen`` (absent, a directory), ``ResultCode/notADatabase``,
  ///   ``ResultCode/readOnly`` (writing was asked for and is not possible), ``ResultCode/busy``.
  package init(path: String, _ options: OpenOptions = OpenOptions()) throws(SQLiteError) {
    self.init(try ConnectionCore.open(path: path, options))
  }

  /// A path that stands for a new database in a file without a name: it is written when it outgrows
  /// the page cache, and nothing is left of it however the process ends.
  package static let unnamed = ":unnamed:"

  /// A connection on an open database.
  init(_ core: ConnectionCore) { self.core = core }

  /// Closes the file now. Fails with ``ResultCode/busy`` while a ``Statement`` lives; the file is
  /// then closed with the last one.
  package consuming func close() throws(SQLiteError) { try core.close() }

  /// Closes the cached statements, so that none holds memory or a snapshot (J9).
  package func resetAll() { core.cache.removeAll() }
}

extension Connection {
  /// The path it was opened by.
  package var path: String { core.path }
  /// Ends running statements from any thread.
  package var interruptHandle: InterruptHandle { core.interruptHandle }
  /// Rows changed by the last INSERT, UPDATE or DELETE itself, without what triggers did.
  package var changes: Int64 { unsafe sqlite3_changes64(core.db) }
  /// Rows changed since the connection was opened, by triggers and foreign keys too.
  package var totalChanges: Int64 { unsafe sqlite3_total_changes64(core.db) }
  /// The rowid of the last INSERT that succeeded; 0 before the first.
  package var lastInsertRowID: Int64 { unsafe sqlite3_last_insert_rowid(core.db) }
  /// Whether a transaction is open.
  package var isInTransaction: Bool { !core.isAutocommit }
  /// Whether the connection may not write the file.
  package var isReadOnly: Bool { unsafe sqlite3_db_readonly(core.db, "main") == 1 }
  /// Frames in the WAL after this connection's last commit or checkpoint, by whomever they were
  /// written; 0 before the first.
  package var walFrames: Int32 { unsafe core.walFrames.pointee }

  /// Whether a statement of this connection stands in the middle of its rows, and so holds a
  /// snapshot or a lock.
  package var hasOpenStatements: Bool {
    var statement = unsafe sqlite3_next_stmt(core.db, nil)
    while let current = unsafe statement {
      if unsafe sqlite3_stmt_busy(current) != 0 { return true }
      unsafe statement = sqlite3_next_stmt(core.db, current)
    }
    return false
  }

  /// Steps of SQLite's virtual machine that the statements of this connection took so far: what
  /// they cost, as a number that no other load of the machine changes.
  package var steps: Int64 {
    var steps: Int64 = 0
    var statement = unsafe sqlite3_next_stmt(core.db, nil)
    while let current = unsafe statement {
      steps += Int64(unsafe sqlite3_stmt_status(current, SQLITE_STMTSTATUS_VM_STEP, 0))
      unsafe statement = sqlite3_next_stmt(core.db, current)
    }
    return steps
  }
}
