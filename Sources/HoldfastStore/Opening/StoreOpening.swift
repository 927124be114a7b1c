package import HoldfastModel
import HoldfastSQLite

/// Opens a store for writing, in the order of J12: launch file and lock; schema version; twin
/// check; marks; migration; recovery of dead launches; then the user.
///
/// Invariant (J4): nothing is deleted but what a durable intent says.
package struct StoreOpening {
  let layout: StoreLayout
  let environment: StoreEnvironment
  let options: StoreOptions
  var report = OpeningReport()

  /// Opens the store in a directory.
  ///
  /// - Throws: `noStore` when there is none and none may be made, `newerSchema`, `damaged`,
  ///   `protectedDataUnavailable` when it cannot be opened now, `locked` when another process
  ///   writes for longer than the wait, `diskFull`.
  package static func open(
    _ directory: String, _ options: StoreOptions, _ environment: StoreEnvironment
  ) throws(HoldfastError) -> (StoreWriter, OpeningReport) {
    var opening = StoreOpening(
      layout: StoreLayout(directory), environment: environment, options: options)
    let writer = try opening.run()
    return (writer, opening.report)
  }

  private mutating func run() throws(HoldfastError) -> StoreWriter {
    let place = StorePlace(layout, environment)
    let found = try place.find(create: options.create)
    if found == .reelsOnly { try place.checkReels() }
    try place.makeDirectories()
    let database = try WriterDatabase(layout, environment, options)
    // Who cannot open a store on a full disk cannot free room in it (J8).
    database.mayUseLastReserve = true
    do {
      return try run(found, place, database)
    } catch {
      database.restoreReserves()
      database.close()
      throw error
    }
  }

  private mutating func run(
    _ found: StorePlace.Finding, _ place: StorePlace, _ database: WriterDatabase
  ) throws(HoldfastError) -> StoreWriter {
    let hasReels = found == .reelsOnly || place.hasReels
    let version = try database.withRoom { () throws(HoldfastError) in
      try schemaVersion(database, owesAudio: hasReels)
    }
    // Marks first, then the number: a mark is noted after its commit, so a commit that another
    // process makes in between cannot look lost.
    let logs = try LaunchDirectory.read(layout, environment)
    let stored = try database.read { try Settings.unsigned(Settings.commitNumber, $0) ?? 0 }
    let store = try identity(database)
    let launchFile = try database.withRoom { () throws(HoldfastError) in try makeLaunch(store) }
    do {
      database.launchFile = launchFile
      let writer = StoreWriter(
        layout: layout, environment: environment, options: options, store: store,
        launchFile: launchFile, database: database)
      report.isNew = version == 0 && !hasReels
      try settle(writer, logs, storedCommit: stored)
      return writer
    } catch {
      // A launch that never came to be leaves no file: it owned nothing.
      launchFile.end()
      try? environment.files.unlink(layout.launchFile(launchFile.header.launch))
      throw error
    }
  }

  /// Applies migrations under the writer lock, so that two processes cannot both make the store.
  ///
  /// - Returns: the version found: 0 for a store that was made just now.
  private func schemaVersion(
    _ database: WriterDatabase, owesAudio: Bool
  ) throws(HoldfastError) -> Int64 {
    try database.lock.acquire()
    defer { database.lock.release() }
    return try StoreFaults.mapped(layout.database) {
      switch try Migrator.inspect(database.connection) {
      case .newer(let version): throw Migrator.newer(version, layout.database)
      case .foreign: throw Migrator.foreign(layout.database)
      case .known(let version):
        try Migrator.migrate(database.connection, from: version)
        return version
      case .empty:
        try database.connection.execute("PRAGMA journal_mode = WAL")
        try Migrator.migrate(database.connection, from: 0, owesAudio: owesAudio)
        try environment.files.syncDirectory(layout.directory)
        return 0
      }
    }
  }

  /// The store's id, made when it has none yet. Another process may just have made it.
  private func identity(
    _ database: WriterDatabase
  ) throws(HoldfastError) -> StoreID {
    let known = try database.read { try Settings.blob(Settings.store, $0) }
    if let known, let id = StoreID(known) { return id }
    let made = try database.commit { db in
      if let raced = try Settings.blob(Settings.store, db), let id = StoreID(raced) { return id }
      return try StoreIdentity.make(environment, db)
    }
    // Into the database's file at once: a write-ahead log that is damaged later must not take the
    // store's identity with it, by which lost commits are noticed (J6).
    try database.checkpoint(truncate: true)
    return made
  }

  private func makeLaunch(_ store: StoreID) throws(HoldfastError) -> LaunchFile {
    let now = environment.clock.now()
    let header = LaunchHeader(
      launch: LaunchID(random: environment.random), store: store, boot: now.boot,
      process: environment.process, program: environment.program, started: LaunchTime(now))
    do { return try LaunchFile(layout, header, environment) } catch {
      throw StoreFaults.error(error)
    }
  }

  private mutating func settle(
    _ writer: StoreWriter, _ logs: [LaunchLog], storedCommit: UInt64
  ) throws(HoldfastError) {
    let twin = try TwinCheck.run(writer)
    if let twin { report.attention.append(twin) }
    let lost = try LostCommits.settle(writer, logs, stored: storedCommit, isCopy: twin != nil)
    if let lost { report.attention.append(lost) }
    try LeftFiles.adopt(writer, logs, &report)
    try recover(writer, logs)
    if let owed = try writer.database.read({ try Settings.text(Settings.adoptionOwed, $0) }) {
      try adopt(writer, logs, isRebuilt: owed == "rebuilt")
    }
    try Removal.finishIntents(writer)
    writer.database.restoreReserves()
    writer.database.mayUseLastReserve = false
    LaunchDirectory.prune(writer.database, layout, environment, known: logs)
    report.launch = writer.launch
  }

  private mutating func recover(
    _ writer: StoreWriter, _ logs: [LaunchLog]
  ) throws(HoldfastError) {
    let before = report
    report = try writer.database.commit { db in
      var report = before
      // Who lives is asked under the lock: a launch has its locked file before it has a row, so
      // that every row seen here belongs to a launch whose file is seen too (L1).
      let recovery = Recovery(
        layout: layout, environment: environment,
        logs: try LaunchDirectory.read(layout, environment, known: logs), launch: writer.launch,
        resumed: options.resumed)
      try LaunchRow.insert(writer.launchFile.header, db)
      writer.epoch = try LaunchRow.begin(writer.launch, db)
      try recovery.run(db, &report)
      return report
    }
  }

  private mutating func adopt(
    _ writer: StoreWriter, _ logs: [LaunchLog], isRebuilt: Bool
  ) throws(HoldfastError) {
    let found = FoundAudio(layout: layout, environment: environment, logs: logs)
    let before = report
    report = try writer.database.commit { db in
      var report = before
      try found.adopt(db, isRebuilt: isRebuilt, &report)
      return report
    }
  }
}
