import HoldfastModel

/// A directory in which another store is put together, by a backup or a rebuild.
///
/// Invariants: it did not exist before or was empty, so nothing of anybody's is written over; the
/// database gets its name last, and the mark ``scratch`` goes after that, so that what a death
/// leaves is never taken for the whole, neither as a store nor as reels without a database.
struct NewDirectory {
  /// The new store's places.
  let layout: StoreLayout
  private let environment: StoreEnvironment
  private let wasThere: Bool

  /// Names that a store has, and that may be removed again when it could not be finished.
  private static let made = [
    "audio", "incoming", "launches", "evidence", "writer.lock", "reserve",
    "reserve.last", "store.sqlite",
    "store.sqlite-wal", "store.sqlite-shm", "store.sqlite-journal", scratch,
  ]
  /// Where the database is prepared, within the directory.
  static let scratch = "unfinished"

  /// The database while it is not finished.
  var unfinishedDatabase: String { "\(layout.directory)/\(Self.scratch)/store.sqlite" }

  /// Makes the directory with its parents, durable.
  ///
  /// - Parameter store: the store that is copied, in which the new one must not lie.
  /// - Throws: `invalidArgument` when something is there, or in the way.
  init(
    _ path: String, outside store: StoreLayout, _ environment: StoreEnvironment
  ) throws(HoldfastError) {
    layout = StoreLayout(path)
    self.environment = environment
    let output = OutputPath(layout.directory, environment.files)
    try output.refuse(inside: store)
    try output.checkDirectory()
    wasThere = try StoreFaults.mapped(path) {
      try Self.isEmptyDirectory(StoreLayout(path).directory, environment.files)
    }
    let place = StorePlace(layout, environment)
    do throws(FileFault) {
      for path in [layout.directory, layout.audio, layout.launches] { try place.make(path) }
      try place.make("\(layout.directory)/\(Self.scratch)")
    } catch { throw output.error(error) }
  }

  private static func isEmptyDirectory(_ path: String, _ files: any FileSystem) throws -> Bool {
    guard let status = try files.status(path) else { return false }
    // A fresh file system has a directory of its own in its root.
    if status.kind == .directory, try files.list(path).allSatisfy({ $0 == "lost+found" }) {
      return true
    }
    if status.kind == .directory, try isUnfinished(path, files) { throw unfinished(path) }
    throw HoldfastError(
      .invalidArgument, "\(path) is there already, and is not an empty directory.",
      hint: "Give one that is empty or does not exist.", context: ["path": path])
  }

  /// Whether a directory holds what a backup or a rebuild made that came to no end.
  static func isUnfinished(_ path: String, _ files: any FileSystem) throws(FileFault) -> Bool {
    guard try files.status("\(path)/\(scratch)")?.kind == .directory else { return false }
    return try files.status(StoreLayout(path).database)?.size ?? 0 == 0
  }

  /// The error for such a directory.
  static func unfinished(_ path: String) -> HoldfastError {
    HoldfastError(
      .conflict,
      "\(path) is an unfinished backup or rebuild: the command that made it was ended too early.",
      hint: "It holds only copies, and not all of them. Unless that command still runs, remove the "
        + "directory and begin again.", context: ["path": path])
  }

  /// Gives the finished database its name, durably, if there is one.
  func finishDatabase() throws(FileFault) {
    let files = environment.files
    if try files.status(unfinishedDatabase) != nil {
      try files.rename(unfinishedDatabase, to: layout.database)
      // The mark must not go before the name is there.
      try files.syncDirectory(layout.directory)
    }
    for name in try files.list("\(layout.directory)/\(Self.scratch)") {
      try files.unlink("\(layout.directory)/\(Self.scratch)/\(name)")
    }
    try files.removeDirectory("\(layout.directory)/\(Self.scratch)")
    try files.syncDirectory(layout.directory)
  }

  /// An error as the user meets it: of two disks, the one that is full is this directory's.
  func told(_ error: HoldfastError) -> HoldfastError {
    guard error.code == .diskFull else { return error }
    return OutputPath.full(layout.directory, cause: error.cause)
  }

  /// Removes what was made, after a fault: half a store is worth nothing to anybody.
  func discard() {
    for name in Self.made { remove("\(layout.directory)/\(name)") }
    if !wasThere { try? environment.files.removeDirectory(layout.directory) }
  }

  private func remove(_ path: String) {
    let files = environment.files
    guard let status = try? files.status(path) else { return }
    guard status.kind == .directory else {
      try? files.unlink(path)
      return
    }
    for name in (try? files.list(path)) ?? [] { remove("\(path)/\(name)") }
    try? files.removeDirectory(path)
  }
}
