import HoldfastModel

/// Looks at a directory before anything is opened in it.
struct StorePlace {
  /// What stands there.
  enum Finding: Hashable {
    /// Nothing yet.
    case nothing
    /// A database.
    case store
    /// Reels without a database: it is rebuilt from them (J6).
    case reelsOnly
  }

  private let layout: StoreLayout
  private let files: any FileSystem

  init(_ layout: StoreLayout, _ environment: StoreEnvironment) {
    self.layout = layout
    files = environment.files
  }

  /// - Throws: `noStore`, or `invalidArgument` for a place that must not become a store; `conflict`
  ///   for what a backup or a rebuild left that was ended too early.
  func find(create: Bool) throws(HoldfastError) -> Finding {
    do {
      guard let status = try files.status(layout.directory) else {
        if create { return .nothing }
        throw Self.noStore(layout.directory)
      }
      guard status.kind == .directory else {
        throw HoldfastError(
          .invalidArgument, "\(layout.directory) is a file, not the directory of a store.",
          hint: "Give another place with --store.", context: ["path": layout.directory])
      }
      try checkKinds()
      // An empty file is what a process leaves that was killed while it made the store.
      if let database = try files.status(layout.database), database.size > 0 {
        try refuseForeign()
        return .store
      }
      if try NewDirectory.isUnfinished(layout.directory, files) {
        throw NewDirectory.unfinished(layout.directory)
      }
      if hasReels { return .reelsOnly }
      let names = try files.list(layout.directory).filter { !Self.ownNames.contains($0) }
      guard create else { throw Self.noStore(layout.directory) }
      guard names.isEmpty else {
        throw HoldfastError(
          .invalidArgument,
          "\(layout.directory) has other files in it (\(names[0])) and is no store.",
          hint: "Give an empty or new directory with --store.",
          context: ["path": layout.directory])
      }
      return .nothing
    } catch let fault as FileFault {
      throw StoreFaults.error(fault)
    } catch let error as HoldfastError {
      throw error
    } catch {
      throw StoreFaults.error(error, path: layout.directory)
    }
  }

  private static let ownNames: Set<String> = [
    "audio", "incoming", "launches", "evidence", "writer.lock", "reserve",
    "reserve.last", "store.sqlite",
    "store.sqlite-wal",
    "store.sqlite-shm", "store.sqlite-journal", "lost+found",
  ]

  private static func noStore(_ directory: String) -> HoldfastError {
    HoldfastError(
      .noStore, "There is no store in \(directory).",
      hint: "`record` and `import` make one; --store names another place.",
      context: ["path": directory])
  }

  /// Whether any take has a file.
  var hasReels: Bool {
    guard let names = try? files.list(layout.audio) else { return false }
    return names.contains { name in
      guard TakeID(name) != nil else { return false }
      return (try? files.list("\(layout.audio)/\(name)"))?.isEmpty == false
    }
  }

  /// A directory in a file's place, or the reverse, is nothing of ours.
  private func checkKinds() throws {
    let wanted: [(path: String, kind: FileStatus.Kind)] = [
      (layout.database, .file), (layout.writeAheadLog, .file), (layout.sharedMemory, .file),
      (layout.writerLock, .file), (layout.audio, .directory), (layout.launches, .directory),
    ]
    for (path, kind) in wanted {
      guard let found = try files.status(path)?.kind, found != kind else { continue }
      let words: [FileStatus.Kind: String] = [.file: "a file", .directory: "a directory"]
      throw HoldfastError(
        .conflict,
        "\(path) is \(words[found] ?? "a device or a pipe"), and a store keeps "
          + "\(words[kind] ?? "") there.",
        hint: "Nothing was changed. Move it away, or give another place with --store.",
        context: ["path": path])
    }
  }

  /// Refuses what is no database of ours before anything is made beside it. Where a store of ours
  /// was, it is for those who open it to say what is wrong.
  private func refuseForeign() throws {
    guard let file = try? files.open(layout.database, .read) else { return }
    defer { file.close() }
    guard let head = try? file.read(at: 0, count: 72) else { return }
    let isSQLite = head.starts(with: Array("SQLite format 3\0".utf8))
    let application = head.dropFirst(68).reduce(Int64(0)) { $0 << 8 | Int64($1) }
    // With our number in it it is ours, damaged or not.
    if application == Migrator.applicationID { return }
    for path in [layout.writerLock, layout.launches] where try files.status(path) != nil { return }
    if hasReels { return }
    throw isSQLite ? Migrator.foreign(layout.database) : Migrator.garbage(layout.database)
  }

  /// Checks that all reels can be opened, before a store or a copy is made from them: one that
  /// cannot be opened now would be left out for good (J6).
  ///
  /// - Throws: `protectedDataUnavailable` or what else stands in the way now.
  func checkReels() throws(HoldfastError) {
    let found = try StoreFaults.mapped(layout.audio) {
      try TakeDirectoryScan(directory: layout.directory, files: files).run()
    }
    try Self.check(found)
  }

  /// As ``checkReels()``, of a scan that was made.
  static func check(_ found: TakeDirectoryScan.Found) throws(HoldfastError) {
    let faults = found.reels.compactMap(\.fault) + found.unreadable.map(\.fault)
    if let waiting = faults.first(where: \.isWaiting) { throw StoreFaults.error(waiting) }
  }

  /// Makes the store's directory and those in it, and their parents, durable in their turn.
  func makeDirectories() throws(HoldfastError) {
    do {
      try make(layout.directory)
      try make(layout.audio)
      try make(layout.launches)
    } catch { throw StoreFaults.error(error) }
  }

  /// Makes a directory and its parents, durable in their turn, where they are not there.
  func make(_ path: String) throws(FileFault) {
    if try files.status(path) != nil { return }
    let parent = Self.parent(of: path)
    if try files.status(parent) == nil { try make(parent) }
    do { try files.makeDirectory(path) } catch {
      // Another process was faster.
      guard error.kind == .exists else { throw error }
    }
    try files.syncDirectory(parent)
  }

  /// The directory that a path lies in.
  static func parent(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}
