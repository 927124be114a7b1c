import HoldfastModel
import HoldfastSQLite

/// Opens the database as it lies there, for reading (J12): shared with writers; as an immutable
/// file when there is no log and no right to write; else a private copy of database and log.
struct ReaderSource {
  let layout: StoreLayout
  let environment: StoreEnvironment
  /// Where a private copy may be made.
  let temporary: String

  private var files: any FileSystem { environment.files }

  /// Tries at most so often to copy files that change meanwhile.
  private static let attempts = 4
  /// What SQLite keeps beside a database and reads with it.
  private static let logs = ["-wal", "-journal"]

  /// Opens it.
  ///
  /// - Throws: `protectedDataUnavailable` naming the file and the right that is missing; `locked`
  ///   when others write faster than their files can be copied; faults of the database.
  func connect() throws(HoldfastError) -> Connection {
    for _ in 0..<Self.attempts {
      do throws(HoldfastError) { return try open(layout.database, immutable: false) } catch {
        guard Self.asksForRights(error) else { throw error }
        if try !hasLog() { return try open(layout.database, immutable: true) }
      }
      if let copy = try privateCopy() { return copy }
    }
    throw HoldfastError(
      .locked, "The database \(layout.database) changes faster than it can be copied.",
      hint: "Retry, or read as a user who may write to \(layout.directory).", isRetryable: true,
      context: ["path": layout.database])
  }

  /// Whether a copy can be read where this cannot: want of a right, or of room for the index of the
  /// log, which a reader makes where there is none (J8).
  private static func asksForRights(_ error: HoldfastError) -> Bool {
    if error.code == .diskFull { return true }
    let code = error.context["sqlite"].flatMap { Int32($0) } ?? 0
    return [.cannotOpen, .readOnly, .permission].contains(ResultCode(rawValue: code).primary)
  }

  /// Whether a log stands beside the database with commits that are not in it yet. What cannot be
  /// read is told by the file's name: SQLite says only that it cannot open.
  private func hasLog() throws(HoldfastError) -> Bool {
    do throws(FileFault) {
      var found = false
      for suffix in [""] + Self.logs {
        guard let status = try files.status(layout.database + suffix), status.size > 0 else {
          continue
        }
        try files.open(layout.database + suffix, .read).close()
        found = found || !suffix.isEmpty
      }
      return found
    } catch { throw StoreFaults.error(error) }
  }

  private func open(
    _ path: String, immutable: Bool
  ) throws(HoldfastError) -> Connection {
    let options = OpenOptions(
      access: .readOnly, immutable: immutable, vfs: immutable ? nil : environment.vfs,
      busyTimeoutMilliseconds: 2_000, queryOnly: true)
    return try StoreFaults.mapped(path) {
      let connection = try Connection(path: path, options)
      _ = try connection.first("SELECT count(*) FROM sqlite_schema", []) { $0.int64(0) }
      return connection
    }
  }

  /// A copy of one moment; nil when the files changed while they were copied. Its files have no
  /// names any more when this returns: nothing is left behind, however the process ends.
  private func privateCopy() throws(HoldfastError) -> Connection? {
    let scratch = try Scratch(temporary, environment)
    defer { scratch.remove() }
    let copy = scratch.path + "/store.sqlite"
    do throws(FileFault) {
      let before = try moment()
      for suffix in [""] + Self.logs where try files.status(layout.database + suffix) != nil {
        try RawCopy.copy(layout.database + suffix, to: copy + suffix, files)
      }
      guard try moment() == before else { return nil }
    } catch {
      if error.kind == .missing { return nil }
      throw StoreFaults.error(error)
    }
    return try StoreFaults.mapped(layout.database) {
      let connection = try Connection(path: copy, OpenOptions(access: .readWrite, queryOnly: true))
      _ = try connection.first("SELECT count(*) FROM sqlite_schema", []) { $0.int64(0) }
      return connection
    }
  }

  private func moment() throws(FileFault) -> [FileStatus?] {
    var found: [FileStatus?] = []
    for suffix in [""] + Self.logs { found.append(try files.status(layout.database + suffix)) }
    return found
  }
}
