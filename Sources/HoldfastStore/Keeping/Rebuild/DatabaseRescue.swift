import HoldfastModel
import HoldfastSQLite

/// Gets a readable database out of an old store's files, into the new store's unfinished place.
///
/// The files are copied first; SQLite only ever sees the copy. A copy that passes SQLite's own
/// check is taken as it is. Of any other one, each table's rows are copied as far as they can be
/// read.
struct DatabaseRescue {
  /// The old store's places.
  let old: StoreLayout
  /// Where the new store is put together.
  let target: NewDirectory
  /// Everything from outside.
  let environment: StoreEnvironment

  private var files: any FileSystem { environment.files }
  private var found: String { "\(target.layout.directory)/\(NewDirectory.scratch)/found.sqlite" }

  /// - Returns: how much could be read, and the tables that lost rows.
  func run() throws(HoldfastError) -> (StoreRebuild.Source, [String]) {
    guard try copyFiles() else { return (.none, []) }
    if try promote() { return (.whole, []) }
    return try StoreFaults.mapped(old.database) { try rescueTables() }
  }

  /// Copies the database with its logs; false when there is none.
  private func copyFiles() throws(HoldfastError) -> Bool {
    do throws(FileFault) {
      guard let status = try files.status(old.database), status.size > 0 else { return false }
      for suffix in ["", "-wal", "-journal"] {
        guard try files.status(old.database + suffix) != nil else { continue }
        try RawCopy.copy(old.database + suffix, to: found + suffix, files)
      }
      return true
    } catch { throw StoreFaults.error(error) }
  }

  /// Takes the copy as it is, if SQLite finds nothing wrong with it.
  private func promote() throws(HoldfastError) -> Bool {
    do throws(HoldfastError) {
      let isSound = try StoreFaults.mapped(old.database) { try settleCopy() }
      guard isSound else { return false }
    } catch {
      // A copy of ours that cannot be read, for whatever reason, is a damaged one.
      guard ![.diskFull, .newerSchema].contains(error.code) else { throw error }
      return false
    }
    do throws(FileFault) { try files.rename(found, to: target.unfinishedDatabase) } catch {
      throw StoreFaults.error(error)
    }
    return true
  }

  private func settleCopy() throws -> Bool {
    let copy = try Connection(path: found)
    switch try Migrator.inspect(copy) {
    case .known(let version):
      guard try copy.integrityProblems(limit: 1, quick: false).isEmpty else { return false }
      try Migrator.migrate(copy, from: version)
      guard try SchemaCheck.isOurs(copy) else { return false }
      try copy.setSynchronous(.full)
      return try copy.checkpoint(.truncate).isComplete
    case .newer(let version):
      // A flipped bit in the version's number makes no newer tables.
      let flipped = (1...Migrator.currentVersion).map { ($0 ^ version).nonzeroBitCount }
      guard flipped.contains(1), try SchemaCheck.isOurs(copy) else {
        throw Migrator.newer(version, old.database)
      }
      return false
    case .empty, .foreign: return false
    }
  }

  private func rescueTables() throws -> (StoreRebuild.Source, [String]) {
    let fresh = try Connection(path: target.unfinishedDatabase, OpenOptions(access: .create))
    try Migrator.migrate(fresh, from: 0)
    var damaged: [String] = []
    var isReadable = false
    for attempt in Attempt.allCases {
      try prepare(attempt)
      guard let tables = try copyTables(to: fresh) else { continue }
      damaged = tables
      isReadable = true
      break
    }
    let rows = try fresh.first(
      "SELECT (SELECT count(*) FROM change) + (SELECT count(*) FROM setting)"
    ) { $0.int64(0) }
    guard isReadable, rows ?? 0 > 0 else {
      try fresh.close()
      try files.unlink(target.unfinishedDatabase)
      return (.none, [])
    }
    try fresh.execute("PRAGMA journal_mode = WAL")
    return (.partly, damaged)
  }

  /// Ways to open a damaged copy, the gentlest first.
  private enum Attempt: CaseIterable {
    case asItIs, withSchemaRestored, withoutLog
  }

  private func prepare(_ attempt: Attempt) throws {
    switch attempt {
    case .asItIs: break
    case .withSchemaRestored:
      try SchemaPages.restore(in: found, from: target.unfinishedDatabase, files)
    case .withoutLog:
      for suffix in ["-wal", "-shm", "-journal"] {
        if try files.status(found + suffix) != nil { try files.unlink(found + suffix) }
      }
      try SchemaPages.restore(in: found, from: target.unfinishedDatabase, files)
    }
  }

  /// - Returns: the tables that lost rows; nil when the copy cannot be opened so.
  private func copyTables(to fresh: borrowing Connection) throws -> [String]? {
    guard let source = openCopy() else { return nil }
    return try TableRescue.copyAll(from: source, to: fresh)
  }

  /// The copy, if it can be opened and has our tables.
  private func openCopy() -> Connection? {
    do {
      let copy = try Connection(path: found)
      guard try SchemaCheck.isOurs(copy) else { return nil }
      return copy
    } catch { return nil }
  }
}
