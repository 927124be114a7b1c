import HoldfastModel
import HoldfastSQLite

/// Claims of other processes that work the same store (T8).
///
/// An opening frees what dead launches had in hand; a launch that lives on looks again whenever it
/// finds nothing to claim. It asks the launch files of those who have a claim, and no others: one
/// step of an index when nobody has one. The launch's own row, and what it recorded, are left to
/// the next opening, which tells the user.
extension StoreWriter {
  /// Milliseconds after which to look again while another process has a task in hand.
  static let neighbourLook: Int64 = 5_000

  /// Frees the claims of launches that died since this one opened.
  ///
  /// - Returns: how many tasks were freed, and whether other living launches have tasks in hand.
  func freeDeadClaims() throws(HoldfastError) -> (freed: UInt64, hasNeighbours: Bool) {
    let holders = try database.read { try neighbours($0) }
    guard !holders.isEmpty else { return (0, false) }
    let dead = Dictionary(
      uniqueKeysWithValues: holders.compactMap { launch in ending(of: launch).map { (launch, $0) } }
    )
    let hasNeighbours = dead.count < holders.count
    guard !dead.isEmpty else { return (0, hasNeighbours) }
    let now = environment.clock.now().wallMilliseconds
    // A launch whose lock is free never has it again; who freed its claims meanwhile left none.
    let released = try database.commit { db in
      try TaskRecovery.run(now: now, db) { holder in
        holder.launch.flatMap { dead[$0] }.map { holder.ending ?? $0 }
      }
    }
    return (UInt64(released.count), hasNeighbours)
  }

  /// The other launches that have a claim. A launch takes its epoch and its row in one commit, so
  /// that each epoch is found; the newest rows are looked at first.
  private func neighbours(_ db: borrowing Connection) throws -> [LaunchID] {
    let epochs = try db.all(
      "SELECT DISTINCT epoch FROM task WHERE phase = 'running' AND epoch <> ?1",
      [.integer(Int64(clamping: epoch))]
    ) { $0.int64(0) }
    return try epochs.compactMap { epoch in
      try db.first(
        "SELECT id FROM launch WHERE epoch = ?1 ORDER BY rowid DESC LIMIT 1", [.integer(epoch)]
      ) { LaunchID($0.blob(0)) } ?? nil
    }
  }

  /// How a launch ended; nil while it holds its lock, and when that cannot be asked now.
  private func ending(of launch: LaunchID) -> LaunchVerdict.Kind? {
    let path = layout.launchFile(launch)
    do throws(FileFault) {
      guard try !LaunchLog.isAlive(path, environment.files) else { return nil }
      let log = try LaunchLog.read(path, environment.files)
      return log.map { LaunchVerdict($0, boot: environment.clock.now().boot).kind } ?? .unknown
    } catch {
      return error.kind == .missing ? .unknown : nil
    }
  }
}
