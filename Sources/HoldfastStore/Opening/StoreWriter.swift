package import HoldfastModel
import HoldfastSQLite

/// A store that this process holds open for writing: one launch.
///
/// Not thread-safe: it lives on one executor. What it does is spread over the folders of this
/// module, a capability a file.
package final class StoreWriter {
  package let layout: StoreLayout
  package let environment: StoreEnvironment
  package let options: StoreOptions
  package let store: StoreID
  package let launch: LaunchID
  package let launchFile: LaunchFile
  package let database: WriterDatabase
  package let log: ChangeLog
  /// The number of this launch among all that held the store for writing: fences its claims (T2).
  package internal(set) var epoch: UInt64 = 0

  init(
    layout: StoreLayout, environment: StoreEnvironment, options: StoreOptions, store: StoreID,
    launchFile: LaunchFile, database: WriterDatabase
  ) {
    self.layout = layout
    self.environment = environment
    self.options = options
    self.store = store
    self.launch = launchFile.header.launch
    self.launchFile = launchFile
    self.database = database
    log = ChangeLog(environment)
  }

  /// A clean end: the write-ahead log goes into the database, the launch says that it ended.
  ///
  /// Takes must be closed before. A checkpoint that cannot be made is no fault: the log stays.
  package func close() {
    database.mayUseLastReserve = true
    try? database.commit { db in
      try tasks.returnClaims(cause: "its launch ended", db)
      _ = try db.run(
        """
        UPDATE launch SET ended_ms = ?2, ending = ?3, evidence = ?4, acknowledged = 1
        WHERE id = ?1
        """,
        [
          .blob(launch.bytes), .integer(environment.clock.now().wallMilliseconds),
          .text(LaunchVerdict.Kind.clean.rawValue), .text("it recorded its own end"),
        ])
    }
    _ = try? database.checkpoint(truncate: true)
    database.restoreReserves()
    launchFile.end()
    database.close()
  }

  /// Suspends: no lock, no statement and no open file is left (J9). The object is spent; opening
  /// again is a new launch epoch.
  package func suspend() {
    database.mayUseLastReserve = true
    if (try? database.read { try tasks.hasClaims($0) }) ?? false {
      try? database.commit { try tasks.returnClaims(cause: "its launch was suspended", $0) }
    }
    _ = try? database.checkpoint(truncate: true)
    database.restoreReserves()
    launchFile.suspend()
    database.close()
  }

  /// Runs what the user asks for to have room again: it may use the last reserve (J8).
  func removing<T>(_ body: () throws(HoldfastError) -> T) throws(HoldfastError) -> T {
    database.mayUseLastReserve = true
    defer {
      database.restoreReserves()
      database.mayUseLastReserve = false
    }
    return try body()
  }

  /// Aborts a statement that runs; from any thread, also after the end.
  package var interrupt: @Sendable () -> Void {
    let handle = database.connection.interruptHandle
    return { handle.interrupt() }
  }

  /// Runs a checkpoint when the write-ahead log is over its budget; never on the append path.
  package func checkpointIfDue() {
    if database.checkpointIsDue { _ = try? database.checkpoint() }
  }
}
