package import HoldfastModel
package import HoldfastSQLite

/// The store's one writing connection of this process, with the lock that goes with it.
///
/// Invariants:
/// - J7: `writer.lock` is held from before BEGIN IMMEDIATE until COMMIT returned, and around every
///   checkpoint; a checkpoint counts only when SQLite says that all of the log was copied.
/// - J3: every commit is FULL but the batches that index chunks, which the reels can repeat; the
///   level is switched between transactions, never inside.
/// - J6: the commit's number is in the database before it is noted in the launch file.
/// - J8: when there is no room, the reserve is let go and the commit is tried once more.
package final class WriterDatabase {
  /// How long a commit must last.
  package enum CommitClass: Hashable, Sendable {
    /// Survives power loss.
    case powerSafe
    /// Survives the process; what it says can be made again from the reels.
    case repeatable
  }

  package let path: String
  package let connection: Connection
  package let lock: WriterLock
  private let layout: StoreLayout
  private let environment: StoreEnvironment
  private let options: StoreOptions
  /// Where commits are noted; nil only while the store is being opened.
  package var launchFile: LaunchFile?
  /// The number of the last commit made here.
  package private(set) var commitNumber: UInt64 = 0
  private var isCommitting = false

  /// Opens the database for writing; makes an empty file when there is none.
  package init(
    _ layout: StoreLayout, _ environment: StoreEnvironment, _ options: StoreOptions
  ) throws(HoldfastError) {
    self.layout = layout
    self.environment = environment
    self.options = options
    path = layout.database
    do {
      lock = try WriterLock(
        layout.writerLock, environment, waitNanoseconds: options.lockWaitNanoseconds)
    } catch { throw StoreFaults.error(error) }
    do throws(FileFault) {
      // Made by us first, so that it is private: SQLite gives its other files the same mode.
      try environment.files.open(layout.database, [.write, .create]).close()
    } catch {
      lock.close()
      throw StoreFaults.error(error)
    }
    var open = OpenOptions()
    open.access = .create
    open.vfs = environment.vfs
    open.busyTimeoutMilliseconds = 2_000
    do {
      connection = try Connection(path: layout.database, open)
    } catch {
      lock.close()
      try Self.nameWhatIsRefused(layout, environment)
      throw StoreFaults.error(error, path: layout.database)
    }
  }

  /// SQLite says only that it cannot open something: of its files the one is named that may not be
  /// written.
  private static func nameWhatIsRefused(
    _ layout: StoreLayout, _ environment: StoreEnvironment
  ) throws(HoldfastError) {
    do throws(FileFault) {
      for path in [layout.writeAheadLog, layout.sharedMemory]
      where try environment.files.status(path) != nil {
        try environment.files.open(path, .write).close()
      }
    } catch { throw StoreFaults.error(error) }
  }

  /// Runs a body in one transaction and commits it.
  ///
  /// The body must not keep what it is given, and calls no code of the user (J11).
  ///
  /// - Throws: what the body threw (then nothing is written), or why it could not be committed.
  package func commit<T>(
    _ kind: CommitClass = .powerSafe, _ body: (borrowing Connection) throws -> T
  ) throws(HoldfastError) -> T {
    do { return try attempt(kind, body) } catch {
      guard error.code == .diskFull, Reserve.release(layout, environment) else { throw error }
      return try attempt(kind, body)
    }
  }

  private func attempt<T>(
    _ kind: CommitClass, _ body: (borrowing Connection) throws -> T
  ) throws(HoldfastError) -> T {
    guard !isCommitting else {
      throw HoldfastError(.conflict, "A transaction was begun inside another one.")
    }
    isCommitting = true
    defer { isCommitting = false }
    try lock.acquire()
    defer { lock.release() }
    let result = try StoreFaults.mapped(path) {
      try connection.setSynchronous(kind == .powerSafe ? .full : .normal)
      return try connection.transaction(.write) {
        let result = try body(connection)
        commitNumber = try Self.advanceCommitNumber(connection)
        return result
      }
    }
    launchFile?.mark(commitNumber, isPowerSafe: kind == .powerSafe)
    return result
  }

  /// Reads in one snapshot, without the lock.
  package func read<T>(
    _ body: (borrowing Connection) throws -> T
  ) throws(HoldfastError) -> T {
    try StoreFaults.mapped(path) {
      try connection.transaction(.read) { try body(connection) }
    }
  }

  private static func advanceCommitNumber(_ db: borrowing Connection) throws -> UInt64 {
    let number = try Settings.unsigned(Settings.commitNumber, db) ?? 0
    try Settings.set(Settings.commitNumber, .integer(Int64(number + 1)), db)
    return number + 1
  }

  /// Whether the write-ahead log has grown over its budget.
  package var checkpointIsDue: Bool {
    UInt64(max(connection.walFrames, 0)) * 4096 >= options.walBudgetBytes
  }

  /// Copies the write-ahead log into the database (J7).
  ///
  /// - Returns: whether all of it was copied; false when a reader was in the way, which is no
  ///   fault: the next one will do it.
  @discardableResult
  package func checkpoint(truncate: Bool = false) throws(HoldfastError) -> Bool {
    try lock.acquire()
    defer { lock.release() }
    return try StoreFaults.mapped(path) {
      try connection.setSynchronous(.full)
      return try connection.checkpoint(truncate ? .truncate : .passive).isComplete
    }
  }

  /// Closes the connection's files; a checkpoint is the caller's decision.
  package func close() { lock.close() }
}
