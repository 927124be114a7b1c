import HoldfastModel
import HoldfastSQLite

/// Recovers what dead launches left (J12): one transaction, whose cost is that of the unclosed
/// takes.
///
/// Invariants:
/// - L1: a launch that holds its lock is alive and nothing of it is touched; every other one is
///   dead at once, whatever its age.
/// - J4: nothing is deleted. Chunks that the rows do not know are read from the reels and indexed.
/// - J6: a take with a reel that cannot be opened now is left as it is, with its recording, until
///   an opening that can.
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
  /// The launch as which this process was suspended, when it comes back.
  var resumed: LaunchID? = nil

  /// Runs inside a transaction and adds what it did to the report.
  func run(_ db: borrowing Connection, _ report: inout OpeningReport) throws {
    let now = environment.clock.now()
    let alive = Set(logs.filter(\.isAlive).map(\.header.launch) + [launch].compactMap(\.self))
    let dead = try recordEndings(now, alive, db, &report)
    var found: [RecordingID: SalvagedRecording] = [:]
    var waiting: Set<RecordingID> = []
    try AttentionRow.settle(Attention.waiting, db)
    let open = try openTakes(db).filter { !($0.launch.map(alive.contains) ?? true) }
    for take in try open + cutShort(dead, db) {
      guard let fault = try salvage(take, db, &found) else { continue }
      waiting.insert(take.recording)
      report.attention.append(try Self.wait(for: take.recording, fault, now, db))
    }
    // At an opening this launch captures nothing yet: what it owns it took over from a dead one.
    for (recording, anchor) in try unfinished(db)
    where (!alive.contains(anchor) || anchor == launch) && !waiting.contains(recording) {
      try settle(recording, now, db, &found)
    }
    for item in found.values.sorted(by: { $0.recording < $1.recording }) {
      try RecoveryRow.insert(item, at: now, db)
      report.recovered.append(item)
    }
    report.tasks = try TaskRecovery.run(now: now.wallMilliseconds, db) { holder in
      let isAlive = holder.launch.map(alive.contains) ?? false
      return isAlive ? nil : holder.ending ?? .unknown
    }
    report.pendingResume =
      try db.first(
        """
        SELECT id FROM recording
        WHERE \(RecordingRows.unfinished) AND state = 'pendingResume' AND deleted = 0
        ORDER BY state_ms DESC LIMIT 1
        """, []
      ) { RecordingID($0.blob(0)) } ?? nil
  }

  /// - Returns: launches whose end was not in the database before.
  private func recordEndings(
    _ now: Moment, _ alive: Set<LaunchID>, _ db: borrowing Connection,
    _ report: inout OpeningReport
  ) throws -> [LaunchLog] {
    var dead: [LaunchLog] = []
    for log in logs where !alive.contains(log.header.launch) {
      try LaunchRow.insert(log.header, db)
      let ending =
        log.header.launch == resumed
        ? LaunchVerdict(resumed: log) : LaunchVerdict(log, boot: now.boot)
      guard try LaunchRow.end(log.header.launch, ending, db) else { continue }
      dead.append(log)
      if ending.kind == .clean { continue }
      report.endings.append(
        EndedLaunch(
          launch: log.header.launch, program: log.header.program, process: log.header.process,
          startedMilliseconds: log.header.started.wallMilliseconds, ending: ending))
    }
    // A launch whose file is gone, or damaged, cannot be asked; it is dead all the same.
    let rows = try db.all("SELECT id, boot FROM launch WHERE ending IS NULL", []) {
      (LaunchID($0.blob(0)), BootID($0.blob(1)))
    }
    for (id, boot) in rows {
      guard let id, !alive.contains(id) else { continue }
      try endUnheard(id, isOfThisBoot: boot == now.boot, db)
    }
    return dead
  }

  /// Ends a launch whose file says nothing: its row alone is known.
  private func endUnheard(
    _ id: LaunchID, isOfThisBoot: Bool, _ db: borrowing Connection
  ) throws {
    let isThere = ((try? environment.files.status(layout.launchFile(id))) ?? nil) != nil
    let file = isThere ? "its launch file cannot be read" : "its launch file is gone"
    let kind: LaunchVerdict.Kind = isOfThisBoot ? .unknown : .poweredOff
    try db.run(
      "UPDATE launch SET ended_ms = started_ms, ending = ?2, evidence = ?3 WHERE id = ?1",
      [
        .blob(id.bytes), .text(kind.rawValue),
        .text(isOfThisBoot ? file : "the machine was started anew since; \(file)"),
      ])
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

  /// Says that a recording's audio cannot be read now.
  private static func wait(
    for recording: RecordingID, _ fault: ReelFault, _ now: Moment, _ db: borrowing Connection
  ) throws -> Attention {
    let attention = Attention(
      code: Attention.waiting,
      message: "Audio that a dead process left cannot be read now (\(fault.message)); the next "
        + "opening that can read it recovers it.",
      recording: recording, atMilliseconds: now.wallMilliseconds)
    try AttentionRow.insert(attention, db)
    return attention
  }

  /// Reads the tail of a take's reels, adds rows for what is there, and closes the take; a closed
  /// one gets a longer extent.
  ///
  /// - Returns: why nothing was done: a reel cannot be read now.
  private func salvage(
    _ take: DeadTake, _ db: borrowing Connection, _ found: inout [RecordingID: SalvagedRecording]
  ) throws -> ReelFault? {
    let tail = try TakeTail(
      directory: layout.directory, files: environment.files, hashing: environment.hashing
    ).scan(take: take.take, from: try RowEnd.of(take.key, db), check: check(take))
    if let waiting = tail.waiting { return waiting }
    let added = try ChunkRows.insert(tail, of: take.take, db)
    try ChunkCounters.countAgain(db, take: take.key)
    let end = try db.first("SELECT end_frame FROM take WHERE key = ?1", [.integer(take.key)]) {
      UInt64(clamping: $0.int64(0))
    }
    let lost = loss(of: take, endFrame: end ?? 0)
    let closing = TakeClosing(log: ChangeLog(environment), hashing: environment.hashing)
    let safe = try safeChunks(of: take, tail, endFrame: end ?? 0, db)
    if take.isClosed {
      try closing.extend(take.take, safeChunks: safe, db)
    } else {
      try closing.close(
        take.take, [], reason: .termination, lostNanoseconds: lost, safeChunks: safe,
        at: lastSign(of: take), db)
    }
    var item = found[take.recording] ?? .none(take.recording)
    item.indexedChunks += take.chunks
    item.salvagedChunks += added
    item.damaged += tail.reels.reduce(0) { $0 + UInt64($1.damaged.count) }
    item.lostAtMostNanoseconds = max(item.lostAtMostNanoseconds, take.isClosed ? 0 : lost)
    found[take.recording] = item
    return nil
  }

  /// Makes power-safe what a process of this boot wrote and may not have synced: the reels before
  /// the tail were synced when the next one began, and the launch noted how far it had synced.
  /// After a reboot what is read is on the medium. A reader's private copy, which has no launch,
  /// writes nothing.
  ///
  /// - Returns: how many chunks are safe; nil: all.
  private func safeChunks(
    of take: DeadTake, _ tail: TakeTail.Salvage, endFrame: UInt64, _ db: borrowing Connection
  ) throws -> UInt64? {
    guard launch != nil, check(take) != .all, endFrame > progress(of: take)?.safeFrames ?? 0
    else { return nil }
    return try ChunkRows.safeChunks(
      key: take.key,
      without: ReelSync(directory: layout.directory, files: environment.files)
        .sync(take.take, tail.reels.map(\.path.reel)), db)
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
    let captured = progress(of: take)?.capturedFrames ?? 0
    let behind = captured > endFrame ? captured - endFrame : 0
    let frames = Double(behind + take.chunkFrames)
    let nanoseconds = frames / take.sampleRate * 1e9
    return nanoseconds.isFinite ? Int64(min(nanoseconds, 9e18)) : 0
  }

  /// What the take's launch noted of it last.
  private func progress(of take: DeadTake) -> CaptureProgress? {
    logs.first { $0.header.launch == take.launch }?.progress.first { $0.take == take.take }
  }

  /// Recordings whose phase says that somebody captures them, with the launch that did.
  private func unfinished(_ db: borrowing Connection) throws -> [(RecordingID, LaunchID)] {
    try db.all(
      """
      SELECT r.id, a.launch FROM recording r JOIN anchor a ON a.recording = r.id
      WHERE r.\(RecordingRows.unfinished) AND r.state <> 'pendingResume' AND r.purged = 0
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
