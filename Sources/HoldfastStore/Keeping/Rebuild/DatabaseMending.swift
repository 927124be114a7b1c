import HoldfastModel
import HoldfastSQLite

/// Makes a rescued database one that a store can go on with: its log whole, its derived rows those
/// of the log, its local rows completed from the reels' headers, its origin new.
struct DatabaseMending {
  /// Where the new store is put together.
  let target: NewDirectory
  /// Everything from outside.
  let environment: StoreEnvironment
  /// Headers of all reels of the old store.
  let headers: [ReelHeader]
  /// Launch files of the old store, all dead.
  let logs: [LaunchLog]

  /// Mends the unfinished database and says what was lost.
  func run(_ report: inout StoreRebuild.Report) throws(HoldfastError) {
    let token = try TwinCheck.token(ofDatabase: target.unfinishedDatabase, environment)
    let before = report
    report = try StoreFaults.mapped(target.layout.database) {
      let db = try Connection(path: target.unfinishedDatabase)
      try db.setSynchronous(.full)
      var report = before
      try db.transaction(.write) { try mend(db, token, &report) }
      guard try db.checkpoint(.truncate).isComplete else {
        throw HoldfastError(.failed, "The new database could not be completed.")
      }
      return report
    }
    if report.database == .whole && report.changesLost + report.commitsLost > 0 {
      report.database = .partly
    }
  }

  private func mend(
    _ db: borrowing Connection, _ token: [UInt8], _ report: inout StoreRebuild.Report
  ) throws {
    let store = try settleIdentity(db)
    let own = Set(headers.filter { $0.store == store }.map(\.origin))
    let repair = LogRepair(environment: environment)
    let cut = try repair.cut(own: own, db)
    report.commitsLost = try settleCommits(store, db)
    try Settings.set(Settings.hostToken, .blob(token), db)
    try OriginRow.mint(
      OriginID(random: environment.random), reason: "rebuilt",
      atMilliseconds: environment.clock.now().wallMilliseconds, db)
    try deriveAgain(db)
    report.changesIssuedAgain = try repair.issueAgain(cut.tail, db)
    report.changesLost = cut.lost + UInt64(cut.tail.count) - report.changesIssuedAgain
    try RescuedFacts(environment: environment, headers: headers).complete(db)
    try countAgain(db)
    try completeLocalRows(store, db)
  }

  /// The store's id; where it was lost, the one that its reels name.
  private func settleIdentity(_ db: borrowing Connection) throws -> StoreID {
    if let known = try Settings.blob(Settings.store, db).flatMap({ StoreID($0) }) { return known }
    var votes: [StoreID: UInt64] = [:]
    for header in headers where header.local { votes[header.store, default: 0] += 1 }
    let named = votes.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key
    let id = named ?? StoreID(random: environment.random)
    try Settings.set(Settings.store, .blob(id.bytes), db)
    return id
  }

  /// Commit numbers go on above everything that a launch noted (J6): what is missing is told here,
  /// once.
  private func settleCommits(
    _ store: StoreID, _ db: borrowing Connection
  ) throws -> UInt64 {
    let stored = try Settings.unsigned(Settings.commitNumber, db) ?? 0
    let lost = LostCommits.find(
      logs, store: store, boot: environment.clock.now().boot, stored: stored)
    let highest = logs.filter { $0.header.store == store }.map(\.mark.highest).max() ?? 0
    try Settings.set(
      Settings.commitNumber, .integer(Int64(clamping: max(stored, highest))), db)
    return lost ?? 0
  }

  // MARK: derived rows

  private func deriveAgain(_ db: borrowing Connection) throws {
    // Keys of takes that are gone may be given to others.
    try dropStrays(db)
    try TranscriptRows.clear(db)
    for table in ["take", "track", "attribute", "volatile_speech", "task", "result"] {
      try db.execute(
        "DELETE FROM \(table) WHERE recording NOT IN"
          + " (SELECT recording FROM change WHERE recording IS NOT NULL)")
    }
    try db.execute(
      """
      DELETE FROM recording WHERE id NOT IN
        (SELECT recording FROM change WHERE recording IS NOT NULL)
      """)
    let ids = try db.all(
      "SELECT DISTINCT recording FROM change WHERE recording IS NOT NULL"
    ) { RecordingID($0.blob(0)) }
    for case .some(let id) in ids {
      let state = try ChangeLog.state(of: id, db)
      try keep(Set(state.takes.map(\.fact.take.bytes)), in: "take", of: id, db)
      try keep(Set(state.tracks.map(\.track.bytes)), in: "track", of: id, db)
    }
    try dropStrays(db)
    for case .some(let id) in ids {
      let isStub = try db.first(
        "SELECT 1 FROM change WHERE recording = ?1 AND bytes IS NOT NULL", [.blob(id.bytes)]
      ) { $0.int64(0) }
      guard isStub != nil else { continue }
      try Projection.refresh(id, db)
      let work = TaskProjection(hashing: environment.hashing)
      try work.mend(id, db)
      try work.restore(id, db)
      try TranscriptRows.refresh(id, db)
    }
  }

  private func keep(
    _ wanted: Set<[UInt8]>, in table: String, of recording: RecordingID,
    _ db: borrowing Connection
  ) throws {
    let rows = try db.all(
      "SELECT id FROM \(table) WHERE recording = ?1", [.blob(recording.bytes)]
    ) { $0.blob(0) }
    for id in rows where !wanted.contains(id) {
      try db.run("DELETE FROM \(table) WHERE id = ?1", [.blob(id)])
    }
  }

  private func dropStrays(_ db: borrowing Connection) throws {
    for table in ["chunk", "reel", "jump"] {
      try db.execute("DELETE FROM \(table) WHERE take_key NOT IN (SELECT key FROM take)")
    }
    try db.execute("DELETE FROM task_after WHERE task_key NOT IN (SELECT key FROM task)")
  }

  private func countAgain(_ db: borrowing Connection) throws {
    try ChunkCounters.countAgain(db)
    try db.run(
      """
      INSERT OR IGNORE INTO reel (take_key, number, state)
      SELECT DISTINCT take_key, reel, 'present' FROM chunk
      """)
  }

  // MARK: local rows

  /// Without its launch a take that was being recorded would stay open for ever, and without its
  /// anchor a recording.
  private func completeLocalRows(_ store: StoreID, _ db: borrowing Connection) throws {
    for header in headers where header.local && header.store == store {
      try db.run(
        "UPDATE take SET launch = ?2 WHERE id = ?1 AND launch IS NULL AND closed_reason IS NULL",
        [.blob(header.take.bytes), .blob(header.launch.bytes)])
    }
    let unanchored = try db.all(
      """
      SELECT r.id, r.started_ms FROM recording r LEFT JOIN anchor a ON a.recording = r.id
      WHERE a.recording IS NULL AND r.state IN ('recording', 'interrupted') AND r.purged = 0
      """
    ) { (RecordingID($0.blob(0)), $0.int64(1)) }
    for case (.some(let id), let started) in unanchored {
      let header = headers.first { $0.recording == id && $0.store == store }
      let nobody = LaunchID([UInt8](repeating: 0, count: LaunchID.byteCount))
      guard let launch = header?.launch ?? nobody else { continue }
      let start = Moment(
        monotonicNanoseconds: 0, wallMilliseconds: started, boot: .none)
      try Anchor(
        recording: id, launch: launch, start: header?.recordingStarted ?? start
      ).store(db)
    }
  }
}
