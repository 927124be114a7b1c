import HoldfastModel
import HoldfastSQLite

/// Recovers what dead launches left (J12): one transaction, whose cost is that of the unclosed
/// takes.
///
/// Invariants:
/// - L1: a launch that holds its lock is alive and nothing of it is touched; every other one is
///   dead at once, whatever its age.
/// - J4: nothing is deleted. Chunks that the rows do not know are read from the reels and indexed.
/// - S11: what is read from the reels of this boot is synced before an extent names it.
/// - A dead recording goes to *pendingResume* if a pending resume was stored, else to *stopped*
///   with the reason termination and the mark recovered.
///
/// Works on any connection: the store's own, or a reader's private copy that shows what recovery
/// would say.
struct Recovery {
  let layout: StoreLayout
  let environment: StoreEnvironment
  let logs: [LaunchLog]
  /// The launch that does it; never taken for dead.
  let launch: LaunchID?

  /// Runs inside a transaction and adds what it did to the report.
  ///
  /// - Returns: blank ends of reels, which may be cut off once the transaction is committed.
  @discardableResult
  func run(_ db: borrowing Connection, _ report: inout OpeningReport) throws -> [BlankTail] {
    let now = environment.clock.now()
    let alive = Set(logs.filter(\.isAlive).map(\.header.launch) + [launch].compactMap(\.self))
    let dead = try recordEndings(now, alive, db, &report)
    var found: [RecordingID: SalvagedRecording] = [:]
    var blank: [BlankTail] = []
    for take in try openTakes(db) where !(take.launch.map(alive.contains) ?? true) {
      blank += try salvage(take, db, &found)
    }
    for take in try cutShort(dead, db) { blank += try salvage(take, db, &found) }
    // At an opening this launch captures nothing yet: what it owns it took over from a dead one.
    for (recording, anchor) in try unfinished(db)
    where !alive.contains(anchor) || anchor == launch {
      try settle(recording, now, db, &found)
    }
    for item in found.values.sorted(by: { $0.recording < $1.recording }) {
      try remember(item, at: now, db)
      report.recovered.append(item)
    }
    report.pendingResume =
      try db.first(
        """
        SELECT id FROM recording WHERE state = 'pendingResume' AND deleted = 0
        ORDER BY state_ms DESC LIMIT 1
        """, []
      ) { RecordingID($0.blob(0)) } ?? nil
    return blank
  }

  /// - Returns: launches whose end was not in the database before.
  private func recordEndings(
    _ now: Moment, _ alive: Set<LaunchID>, _ db: borrowing Connection,
    _ report: inout OpeningReport
  ) throws -> [LaunchLog] {
    var dead: [LaunchLog] = []
    for log in logs where !alive.contains(log.header.launch) {
      try LaunchRow.insert(log.header, db)
      let ending = LaunchVerdict(log, boot: now.boot)
      guard try LaunchRow.end(log.header.launch, ending, db) else { continue }
      dead.append(log)
      if ending.kind == .clean { continue }
      report.endings.append(
        EndedLaunch(
          launch: log.header.launch, program: log.header.program, process: log.header.process,
          startedMilliseconds: log.header.started.wallMilliseconds, ending: ending))
    }
    // A launch whose file is gone cannot be asked; it is dead all the same.
    let rows = try db.all("SELECT id FROM launch WHERE ending IS NULL", []) {
      LaunchID($0.blob(0))
    }
    for case .some(let id) in rows where !alive.contains(id) {
      try db.run(
        """
        UPDATE launch SET ended_ms = started_ms, ending = 'unknown',
          evidence = 'its launch file is gone' WHERE id = ?1
        """, [.blob(id.bytes)])
    }
    return dead
  }

  private struct DeadTake {
    var key: Int64
    var take: TakeID
    var recording: RecordingID
    var launch: LaunchID?
    var sampleRate: Double
    var chunkFrames: UInt64
    var chunks: UInt64
    var endFrame: UInt64
    var isClosed: Bool
  }

  private func openTakes(_ db: borrowing Connection) throws -> [DeadTake] {
    try takes("closed_reason IS NULL AND launch IS NOT NULL", [], db)
  }

  /// Takes that are closed although their launch noted that it wrote more than they have rows: they
  /// were closed by somebody who knew less.
  private func cutShort(
    _ dead: [LaunchLog], _ db: borrowing Connection
  ) throws -> [DeadTake] {
    try dead.flatMap { log in
      try log.progress.flatMap { progress in
        try takes(
          "closed_reason IS NOT NULL AND id = ?1 AND launch = ?2 AND end_frame < ?3",
          [
            .blob(progress.take.bytes), .blob(log.header.launch.bytes),
            .integer(Int64(clamping: progress.writtenFrames)),
          ], db)
      }
    }
  }

  private func takes(
    _ condition: String, _ values: [SQLiteValue], _ db: borrowing Connection
  ) throws -> [DeadTake] {
    try db.all(
      """
      SELECT key, id, recording, launch, sample_rate, chunk_frames, chunks, end_frame,
        closed_reason IS NOT NULL FROM take WHERE \(condition)
      """, values
    ) { row in
      guard let take = TakeID(row.blob(1)), let recording = RecordingID(row.blob(2)) else {
        throw HoldfastError(.damaged, "A row of a take has no whole id.")
      }
      return DeadTake(
        key: row.int64(0), take: take, recording: recording, launch: LaunchID(row.blob(3)),
        sampleRate: row.double(4), chunkFrames: UInt64(clamping: row.int64(5)),
        chunks: UInt64(clamping: row.int64(6)), endFrame: UInt64(clamping: row.int64(7)),
        isClosed: row.int64(8) != 0)
    }
  }

  /// Reads the tail of a take's reels, adds rows for what is there, and closes the take; a closed
  /// one gets a longer extent.
  private func salvage(
    _ take: DeadTake, _ db: borrowing Connection, _ found: inout [RecordingID: SalvagedRecording]
  ) throws -> [BlankTail] {
    let tail = try TakeTail(
      directory: layout.directory, files: environment.files, hashing: environment.hashing
    ).scan(take: take.take, from: try RowEnd.of(take.key, db), check: check(take))
    let added = try ChunkRows.insert(tail, of: take.take, db)
    let isSafe = makeSafe(take, tail.reels)
    let end = try db.first("SELECT end_frame FROM take WHERE key = ?1", [.integer(take.key)]) {
      UInt64(clamping: $0.int64(0))
    }
    let lost = loss(of: take, endFrame: end ?? 0)
    let closing = TakeClosing(log: ChangeLog(environment), hashing: environment.hashing)
    if !take.isClosed {
      try closing.close(
        take.take, [], reason: .termination, safeChunks: isSafe ? nil : 0, lostNanoseconds: lost,
        at: lastSign(of: take), db)
    } else if isSafe {
      try closing.extend(take.take, db)
    }
    var item = found[take.recording] ?? .none(take.recording)
    item.indexedChunks += take.chunks
    item.salvagedChunks += added
    item.damaged += tail.reels.reduce(0) { $0 + UInt64($1.damaged.count) }
    item.lostAtMostNanoseconds = max(item.lostAtMostNanoseconds, take.isClosed ? 0 : lost)
    found[take.recording] = item
    return BlankTail.of(tail.reels)
  }

  /// What a process of this boot wrote may not be on the medium yet. A reader, which writes
  /// nothing, shows what will be.
  ///
  /// - Returns: whether everything that was read is power-safe now.
  private func makeSafe(_ take: DeadTake, _ reels: [ScannedReel]) -> Bool {
    let boot = logs.first { $0.header.launch == take.launch }?.header.boot
    guard launch != nil, boot == environment.clock.now().boot else { return true }
    do throws(FileFault) {
      for reel in reels where reel.end > 0 {
        let file = try environment.files.open("\(layout.directory)/\(reel.path)", .read)
        defer { file.close() }
        try file.sync()
      }
      guard !reels.isEmpty else { return true }
      let parent = ReelPath.directory(of: take.take)
      try environment.files.syncDirectory("\(layout.directory)/\(parent)")
      try environment.files.syncDirectory(layout.audio)
      return true
    } catch { return false }
  }

  /// After the death of a process in this boot only its last write can be torn: what the system
  /// took is there. After a power cut every frame is hashed.
  private func check(_ take: DeadTake) -> PayloadCheck {
    let boot = logs.first { $0.header.launch == take.launch }?.header.boot
    return boot == environment.clock.now().boot ? .last : .all
  }

  /// The last moment at which the take's launch gave a sign of life.
  private func lastSign(of take: DeadTake) -> Moment {
    guard let log = logs.first(where: { $0.header.launch == take.launch }) else {
      return environment.clock.now()
    }
    let sign = log.lastSign
    return Moment(
      monotonicNanoseconds: sign.monotonicNanoseconds, wallMilliseconds: sign.wallMilliseconds,
      boot: log.header.boot)
  }

  /// The most that is missing after the last frame: what had come in by the last note beyond what
  /// is there, and a chunk's length for what came after the note.
  private func loss(of take: DeadTake, endFrame: UInt64) -> Int64 {
    let progress = logs.first { $0.header.launch == take.launch }?.progress.first {
      $0.take == take.take
    }
    let captured = progress?.capturedFrames ?? 0
    let behind = captured > endFrame ? captured - endFrame : 0
    let frames = Double(behind + take.chunkFrames)
    let nanoseconds = frames / take.sampleRate * 1e9
    return nanoseconds.isFinite ? Int64(min(nanoseconds, 9e18)) : 0
  }

  /// Recordings whose phase says that somebody captures them, with the launch that did.
  private func unfinished(_ db: borrowing Connection) throws -> [(RecordingID, LaunchID)] {
    try db.all(
      """
      SELECT r.id, a.launch FROM recording r JOIN anchor a ON a.recording = r.id
      WHERE r.state IN ('recording', 'interrupted') AND r.purged = 0
      """, []
    ) { (RecordingID($0.blob(0)), LaunchID($0.blob(1))) }.compactMap { pair in
      guard let recording = pair.0, let launch = pair.1 else { return nil }
      return (recording, launch)
    }
  }

  private func settle(
    _ recording: RecordingID, _ now: Moment, _ db: borrowing Connection,
    _ found: inout [RecordingID: SalvagedRecording]
  ) throws {
    let state = try ChangeLog.state(of: recording, db)
    let at = state.takes.compactMap(\.closed?.closedMilliseconds).max() ?? now.wallMilliseconds
    let value = PhaseValue(.stopped, reason: .termination, atMilliseconds: at, recovered: true)
    try ChangeLog(environment).append(
      [ChangeLog.set(RegisterField.phase, value.canonical, in: state)], to: recording, db)
    if found[recording] == nil {
      let indexed = try db.first(
        "SELECT coalesce(sum(chunks), 0) FROM take WHERE recording = ?1",
        [.blob(recording.bytes)]
      ) { UInt64(clamping: $0.int64(0)) }
      found[recording] = SalvagedRecording(
        recording: recording, indexedChunks: indexed ?? 0, salvagedChunks: 0, damaged: 0,
        lostAtMostNanoseconds: 0)
    }
  }

  private func remember(
    _ item: SalvagedRecording, at now: Moment, _ db: borrowing Connection
  ) throws {
    let launch = try Anchor.of(item.recording, db)?.launch
    try db.run(
      """
      INSERT OR REPLACE INTO recovery (recording, launch, found_ms, indexed, salvaged, damaged,
        lost_ns) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
      """,
      [
        .blob(item.recording.bytes), .blob(launch?.bytes ?? []), .integer(now.wallMilliseconds),
        .integer(Int64(clamping: item.indexedChunks)),
        .integer(Int64(clamping: item.salvagedChunks)), .integer(Int64(clamping: item.damaged)),
        .integer(item.lostAtMostNanoseconds),
      ])
  }
}

/// Where the rows of a take end.
enum RowEnd {
  /// The place behind the frame of the last chunk that has a row; nil when none has.
  static func of(_ key: Int64, _ db: borrowing Connection) throws -> ReelPosition? {
    try db.first(
      """
      SELECT reel, position, bytes FROM chunk WHERE take_key = ?1
      ORDER BY sequence DESC LIMIT 1
      """, [.integer(key)]
    ) {
      ReelPosition(
        reel: UInt32(clamping: $0.int64(0)),
        offset: UInt64(clamping: $0.int64(1)) + ChunkHeader.byteCount
          + UInt64(clamping: $0.int64(2)))
    }
  }
}
