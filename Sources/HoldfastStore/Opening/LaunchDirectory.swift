import HoldfastModel
import HoldfastSQLite

/// The launch files of a store.
enum LaunchDirectory {
  /// Launch files kept when their launch has ended and was recorded in the database: enough to look
  /// into the last days.
  static let kept = 20

  /// All launch files that can be read, by their start.
  ///
  /// - Parameter known: what was read a moment ago. The dead write no more, so their files are not
  ///   read again.
  static func read(
    _ layout: StoreLayout, _ environment: StoreEnvironment, known: [LaunchLog] = []
  ) throws(HoldfastError) -> [LaunchLog] {
    do {
      guard try environment.files.status(layout.launches) != nil else { return [] }
      let dead = Dictionary(grouping: known.filter { !$0.isAlive }, by: \.header.launch)
      var logs: [LaunchLog] = []
      for name in try environment.files.list(layout.launches) {
        guard let launch = StoreLayout.launch(fileName: name) else { continue }
        if let log = dead[launch]?.first {
          logs.append(log)
          continue
        }
        // A file that vanished or cannot be read says nothing; the others still do.
        guard let log = try? LaunchLog.read("\(layout.launches)/\(name)", environment.files)
        else { continue }
        logs.append(log)
      }
      return logs.sorted {
        ($0.header.started.wallMilliseconds, $0.header.launch)
          < ($1.header.started.wallMilliseconds, $1.header.launch)
      }
    } catch { throw StoreFaults.error(error) }
  }

  /// Removes the oldest files of launches whose ending is in the database (J4: that row is the
  /// durable word that the file is needed no more).
  ///
  /// - Returns: whether any was removed.
  @discardableResult
  static func prune(
    _ database: WriterDatabase, _ layout: StoreLayout, _ environment: StoreEnvironment,
    known: [LaunchLog] = [], keeping kept: Int = Self.kept
  ) -> Bool {
    let dead = ((try? read(layout, environment, known: known)) ?? []).filter { !$0.isAlive }
    guard dead.count > kept else { return false }
    var isRemoved = false
    for log in dead.prefix(dead.count - kept) {
      let id = log.header.launch
      let ended: Int64? = try? database.read { db in
        try db.first(
          "SELECT 1 FROM launch WHERE id = ?1 AND ending IS NOT NULL", [.blob(id.bytes)]
        ) { $0.int64(0) }
      }
      guard ended != nil else { continue }
      if (try? environment.files.unlink(layout.launchFile(id))) != nil { isRemoved = true }
    }
    return isRemoved
  }
}
