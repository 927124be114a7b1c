package import HoldfastModel
package import HoldfastSQLite

/// A store opened for reading: it writes nothing there, counts no launch, works beside a writer,
/// and shows what recovery would say.
///
/// When launches died and nobody recovered them yet, or the schema is older, the database is copied
/// to a private directory and recovery runs on the copy: the very code that the next writer will
/// run, so that what is shown is what will be.
package final class StoreReader {
  package let layout: StoreLayout
  package let environment: StoreEnvironment
  /// What recovery would say.
  package let report: OpeningReport
  /// Launch files as they were at open.
  package let logs: [LaunchLog]
  /// The version of the schema found.
  package let schemaVersion: Int64
  package let connection: Connection
  /// Whether it shows a private copy on which recovery was run.
  package let isPreview: Bool

  init(
    layout: StoreLayout, environment: StoreEnvironment, report: OpeningReport,
    logs: [LaunchLog], schemaVersion: Int64, connection: consuming Connection,
    isPreview: Bool = false
  ) {
    self.layout = layout
    self.environment = environment
    self.report = report
    self.logs = logs
    self.schemaVersion = schemaVersion
    self.connection = connection
    self.isPreview = isPreview
  }

  /// Reads in one snapshot; the body must be short (J11).
  package func read<T>(
    _ body: (borrowing Connection) throws -> T
  ) throws(HoldfastError) -> T {
    try StoreFaults.mapped(layout.database) {
      try connection.transaction(.read) { try body(connection) }
    }
  }
}

/// Opens a ``StoreReader``.
package struct ReaderOpening {
  private let layout: StoreLayout
  private let environment: StoreEnvironment
  /// Where private copies may be made.
  private let temporary: String

  /// Opens the store in a directory for reading.
  ///
  /// - Parameter temporary: a directory for a private copy when one is needed; its files have no
  ///   names any more when the reader is there.
  /// - Throws: `noStore`, `damaged`, `protectedDataUnavailable`.
  package static func open(
    _ directory: String, temporary: String, _ environment: StoreEnvironment
  ) throws(HoldfastError) -> StoreReader {
    let opening = ReaderOpening(
      layout: StoreLayout(directory), environment: environment, temporary: temporary)
    // First of all: what is no store is said to be none, whatever it is.
    _ = try StorePlace(opening.layout, environment).find(create: false)
    return try opening.run()
  }

  /// A connection to the database as it lies there, without what recovery would say: for copies,
  /// and for the log itself.
  ///
  /// - Throws: `noStore`; `damaged` when it is no database of ours, or there is none; else as
  ///   ``open(_:temporary:_:)``.
  static func connection(
    _ directory: String, temporary: String, _ environment: StoreEnvironment
  ) throws(HoldfastError) -> Connection {
    let layout = StoreLayout(directory)
    let source = ReaderSource(layout: layout, environment: environment, temporary: temporary)
    let found = try StorePlace(layout, environment).find(create: false)
    guard found == .store else {
      throw HoldfastError(
        .damaged, "The database of \(layout.directory) is gone.",
        hint: "`holdfast rebuild -o NEWDIR` makes a store from the reels.",
        context: ["path": layout.database])
    }
    let connection = try source.connect()
    switch try StoreFaults.mapped(layout.database, { try Migrator.inspect(connection) }) {
    case .known, .newer: return connection
    case .empty, .foreign: throw Migrator.foreign(layout.database)
    }
  }

  /// Tries at most so often to see launches and rows of one moment.
  private static let attempts = 4

  /// Opens, and opens again when a launch began or ended meanwhile: rows of a launch that was not
  /// there yet would look dead, and those of one that has just ended would look unfinished.
  private func run() throws(HoldfastError) -> StoreReader {
    for _ in 1..<Self.attempts {
      let before = try LaunchDirectory.read(layout, environment)
      let reader = try run(before)
      let after = try LaunchDirectory.read(layout, environment)
      if Self.alive(before) == Self.alive(after) { return reader }
    }
    return try run(try LaunchDirectory.read(layout, environment))
  }

  private static func alive(_ logs: [LaunchLog]) -> [LaunchID: Bool] {
    Dictionary(logs.map { ($0.header.launch, $0.isAlive) }) { first, _ in first }
  }

  private func run(_ logs: [LaunchLog]) throws(HoldfastError) -> StoreReader {
    let found = try StorePlace(layout, environment).find(create: false)
    if found == .reelsOnly { return try rebuilt(logs) }
    let connection = try ReaderSource(
      layout: layout, environment: environment, temporary: temporary
    ).connect()
    let finding = try StoreFaults.mapped(layout.database) { try Migrator.inspect(connection) }
    switch finding {
    case .foreign: throw Migrator.foreign(layout.database)
    case .empty:
      // The process that made it died before the first commit.
      if StorePlace(layout, environment).hasReels { return try rebuilt(logs) }
      return try previewed(logs, connection, version: 0)
    case .newer(let version):
      return StoreReader(
        layout: layout, environment: environment, report: OpeningReport(), logs: logs,
        schemaVersion: version, connection: connection)
    case .known(let version):
      let isSettled = try !needsRecovery(logs, connection)
      if isSettled && version == Migrator.currentVersion {
        let report = try StoreFaults.mapped(layout.database) { try settledReport(connection) }
        return StoreReader(
          layout: layout, environment: environment, report: report, logs: logs,
          schemaVersion: version, connection: connection)
      }
      return try previewed(logs, connection, version: version)
    }
  }

  /// Whether a launch died without a verdict in the database, or left a take open: one that met a
  /// full disk may have recorded its own end all the same.
  private func needsRecovery(
    _ logs: [LaunchLog], _ db: borrowing Connection
  ) throws(HoldfastError) -> Bool {
    let alive = Set(logs.filter(\.isAlive).map(\.header.launch))
    return try StoreFaults.mapped(layout.database) {
      if try Settings.text(Settings.adoptionOwed, db) != nil { return true }
      let open = try db.all("SELECT id FROM launch WHERE ending IS NULL", []) {
        LaunchID($0.blob(0))
      }.compactMap(\.self)
      let capturing = try db.all(
        """
        SELECT DISTINCT launch FROM take WHERE closed_reason IS NULL AND launch IS NOT NULL
        """, []
      ) { LaunchID($0.blob(0)) }.compactMap(\.self)
      if (open + capturing).contains(where: { !alive.contains($0) }) { return true }
      let known = Set(
        try db.all("SELECT id FROM launch", []) { LaunchID($0.blob(0)) }.compactMap(\.self))
      return logs.contains { !$0.isAlive && !known.contains($0.header.launch) }
    }
  }

  /// What stands in the database, unacknowledged.
  private func settledReport(_ db: borrowing Connection) throws -> OpeningReport {
    var report = OpeningReport()
    report.attention = try AttentionRow.open(db)
    return report
  }

  /// The copy is a file without a name: nothing of it is left, however the process ends.
  private func previewed(
    _ logs: [LaunchLog], _ source: borrowing Connection, version: Int64
  ) throws(HoldfastError) -> StoreReader {
    try privately {
      let copy = try Connection(path: Connection.unnamed, OpenOptions(access: .create))
      try source.backup(into: copy)
      try Migrator.migrate(copy, from: version)
      let report = try recovered(copy, logs, isRebuilt: false)
      return StoreReader(
        layout: layout, environment: environment, report: report, logs: logs,
        schemaVersion: version, connection: copy, isPreview: true)
    }
  }

  private func rebuilt(_ logs: [LaunchLog]) throws(HoldfastError) -> StoreReader {
    try privately {
      let copy = try Connection(path: Connection.unnamed, OpenOptions(access: .create))
      try Migrator.migrate(copy, from: 0)
      let report = try recovered(copy, logs, isRebuilt: true)
      return StoreReader(
        layout: layout, environment: environment, report: report, logs: logs,
        schemaVersion: 0, connection: copy, isPreview: true)
    }
  }

  /// Makes a private copy; want of room is said of where it lies.
  private func privately(
    _ body: () throws -> StoreReader
  ) throws(HoldfastError) -> StoreReader {
    do throws(HoldfastError) { return try StoreFaults.mapped(layout.database, body) } catch {
      guard error.code == .diskFull else { throw error }
      throw HoldfastError(
        error.code, "There is no room for a private copy of the database \(layout.database).",
        hint: "Let TMPDIR name a directory with room for it.", isRetryable: true,
        cause: error.cause, context: error.context)
    }
  }

  /// Runs on the private copy what a writer would run on the store.
  private func recovered(
    _ copy: borrowing Connection, _ logs: [LaunchLog], isRebuilt: Bool
  ) throws -> OpeningReport {
    let boot = environment.clock.now().boot
    return try copy.transaction(.write) {
      var report = OpeningReport()
      if try Settings.blob(Settings.store, copy) == nil {
        try StoreIdentity.make(environment, copy)
      }
      let store = try Settings.blob(Settings.store, copy).flatMap { StoreID($0) }
      let stored = try Settings.unsigned(Settings.commitNumber, copy) ?? 0
      let lost = store.flatMap {
        LostCommits.find(logs, store: $0, boot: boot, stored: stored)
      }
      if let lost {
        report.attention.append(
          LostCommits.attention(lost, at: environment.clock.now(), evidence: nil))
      }
      try Recovery(layout: layout, environment: environment, logs: logs, launch: nil)
        .run(copy, &report)
      let owed = try Settings.text(Settings.adoptionOwed, copy)
      if isRebuilt || lost != nil || owed != nil {
        try FoundAudio(layout: layout, environment: environment, logs: logs).adopt(
          copy, isRebuilt: isRebuilt || owed == "rebuilt", &report)
      }
      report.attention += try AttentionRow.open(copy).filter { !report.attention.contains($0) }
      return report
    }
  }
}
