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
/// - J8: when there is no room, it is made: from the write-ahead log, then from the reserves.
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
  /// Whether what is done now may use the last reserve: opening, removing, closing.
  package var mayUseLastReserve = false
  /// Bytes of the last reserve that were let go and not taken back.
  private var releasedBytes: UInt64 = 0
  private let walBudgetBytes: UInt64

  /// Opens the database for writing; makes an empty file when there is none.
  package init(
    _ layout: StoreLayout, _ environment: StoreEnvironment, _ options: StoreOptions
  ) throws(HoldfastError) {
    self.layout = layout
    self.environment = environment
    self.options = options
    path = layout.database
    let room = (try? environment.files.freeBytes(layout.directory)) ?? .max
    walBudgetBytes = min(options.walBudgetBytes, max(room / 8, 64 << 10))
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
    var released: UInt64 = 0
    do throws(HoldfastError) {
      connection = try Self.connect(layout, environment, &released)
    } catch {
      lock.close()
      throw error
    }
    releasedBytes = released
  }

  /// Opens the connection. Where the log's index is not there, SQLite makes it then, which takes
  /// room: on a full disk that of the reserves (J8).
  private static func connect(
    _ layout: StoreLayout, _ environment: StoreEnvironment, _ released: inout UInt64
  ) throws(HoldfastError) -> Connection {
    var open = OpenOptions()
    open.access = .create
    open.vfs = environment.vfs
    open.busyTimeoutMilliseconds = 2_000
    var refusal: HoldfastError
    do { return try Connection(path: layout.database, open) } catch {
      refusal = StoreFaults.error(error, path: layout.database)
    }
    for reserve in [layout.reserve, layout.lastReserve] where refusal.code == .diskFull {
      guard let bytes = Reserve.release(reserve, environment) else { continue }
      if reserve == layout.lastReserve { released += bytes }
      do { return try Connection(path: layout.database, open) } catch {
        refusal = StoreFaults.error(error, path: layout.database)
      }
    }
    if refusal.code != .diskFull { try nameWhatIsRefused(layout, environment) }
    throw refusal
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
    try withRoom(usingReserves: kind == .powerSafe) { () throws(HoldfastError) in
      try attempt(kind, body)
    }
  }

  /// Runs a body, and again after each thing that can be done for want of room.
  ///
  /// - Parameter usingReserves: false for what can wait: rows of a take that goes on. Its audio
  ///   would take the reserve's room, and none would be left for its end.
  package func withRoom<T>(
    usingReserves: Bool = true, _ body: () throws(HoldfastError) -> T
  ) throws(HoldfastError) -> T {
    var refusal: HoldfastError
    do { return try body() } catch { refusal = error }
    for means in RoomMeans.allCases where refusal.code == .diskFull {
      guard usingReserves || !means.isReserve, makeRoom(means) else { continue }
      do { return try body() } catch { refusal = error }
    }
    throw refusal
  }

  /// What can be done for want of room, in this order.
  private enum RoomMeans: CaseIterable {
    /// A log that was copied into the database is written from its beginning again.
    case log
    /// Files of launches whose end is in the database.
    case launches
    case reserve
    case lastReserve

    var isReserve: Bool { self == .reserve || self == .lastReserve }
  }

  /// - Returns: whether it is worth trying again.
  private func makeRoom(_ means: RoomMeans) -> Bool {
    switch means {
    case .log: return (try? copyLog(truncate: false)) ?? false
    case .launches: return LaunchDirectory.prune(self, layout, environment, keeping: 0)
    case .reserve: return Reserve.release(layout.reserve, environment) != nil
    case .lastReserve:
      guard mayUseLastReserve, let bytes = Reserve.release(layout.lastReserve, environment) else {
        return false
      }
      releasedBytes += bytes
      return true
    }
  }

  /// Makes the reserves again where there is room, of which the write-ahead log gives back its.
  package func restoreReserves() {
    if releasedBytes > 0 { _ = try? copyLog(truncate: true) }
    Reserve.keep(
      layout, environment, bytes: options.reserveBytes, released: releasedBytes)
    releasedBytes = 0
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

  /// Whether the write-ahead log has grown over its budget, which is smaller on a small disk.
  package var checkpointIsDue: Bool {
    UInt64(max(connection.walFrames, 0)) * 4096 >= walBudgetBytes
  }

  /// Copies the write-ahead log into the database (J7), making room for it if need be (J8).
  ///
  /// - Returns: whether all of it was copied; false when a reader was in the way, which is no
  ///   fault: the next one will do it.
  @discardableResult
  package func checkpoint(truncate: Bool = false) throws(HoldfastError) -> Bool {
    try withRoom { () throws(HoldfastError) in try copyLog(truncate: truncate) }
  }

  private func copyLog(truncate: Bool) throws(HoldfastError) -> Bool {
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
