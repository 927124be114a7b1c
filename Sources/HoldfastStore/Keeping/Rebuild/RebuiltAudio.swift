import HoldfastModel
import HoldfastSQLite

/// Brings the rows of a rebuilt store, which is open, to what its reels hold.
struct RebuiltAudio {
  /// The new store, open.
  let writer: StoreWriter

  private var environment: StoreEnvironment { writer.environment }
  private var directory: String { writer.layout.directory }

  /// Adopts, indexes and marks, and counts what there is.
  func settle(
    _ report: inout StoreRebuild.Report, _ progress: (ByteProgress) -> Void
  ) throws(HoldfastError) {
    let found = FoundAudio(
      layout: writer.layout, environment: environment,
      logs: try LaunchDirectory.read(writer.layout, environment))
    let adopted = try writer.database.commit { db in
      let adopted = try found.adoptAll(isRebuilt: true, db)
      let now = environment.clock.now()
      for item in adopted.recordings { try RecoveryRow.insert(item, at: now, db) }
      return adopted
    }
    report.foundRecordings += UInt64(adopted.recordings.count)
    report.unusableReels = adopted.damaged
    let first = try audit(progress)
    // A payload that has its hash is kept, whatever the frame around it says.
    report.mendedFrames = try FrameMending(writer: writer).run(
      first.damaged.filter { $0.reason == .header })
    var isMended = report.mendedFrames > 0
    let bad = Dictionary(
      grouping: (first.damaged + first.missing).filter { $0.reason != .header }, by: \.take)
    for take in bad.keys.sorted() where try replaceRows(of: take, bad[take] ?? []) {
      isMended = true
    }
    for orphan in first.orphans where orphan.kind == .chunks {
      guard let path = ReelPath(orphan.path) else { continue }
      if try index(path) > 0 { isMended = true }
    }
    // What was mended is looked at as everything else was.
    let result = isMended ? try audit { _ in } : first
    try Findings.record(result, writer)
    report.chunksKept = result.ok
    report.chunksLost = result.damaged + result.missing
    report.damagedHeaders = result.headers
    report.recordings = try writer.database.read { db in
      try db.first("SELECT count(*) FROM recording WHERE purged = 0 AND origin <> x''") {
        $0.uint64(0)
      } ?? 0
    }
    try tell(report)
  }

  private func audit(
    _ progress: (ByteProgress) -> Void
  ) throws(HoldfastError) -> VerifyResult {
    var audit = ChunkAudit(try ReaderOpening.open(directory, temporary: directory, environment))
    try audit.run(progress)
    return audit.result
  }

  /// Rows are a copy of what the frames say: one that no frame bears out gives way to the frame of
  /// its number, where there is a whole one, and goes when a whole frame stands where it points.
  ///
  /// - Returns: whether anything changed.
  private func replaceRows(
    of take: TakeID, _ bad: [ChunkFinding]
  ) throws(HoldfastError) -> Bool {
    let tail = try StoreFaults.mapped(directory) {
      try TakeTail(
        directory: directory, files: environment.files, hashing: environment.hashing
      ).scan(take: take, from: nil)
    }
    let frames = Dictionary(tail.chunks.map { ($0.sequence, $0) }) { _, last in last }
    return try writer.database.commit { db in
      let key = try db.first("SELECT key FROM take WHERE id = ?1", [.blob(take.bytes)]) {
        $0.int64(0)
      }
      guard let key else { return false }
      var whole: [ChunkRecord] = []
      for finding in bad {
        let frame = frames[finding.sequence]
        guard frame != nil || finding.reason == .row else { continue }
        try db.run(
          "DELETE FROM chunk WHERE take_key = ?1 AND sequence = ?2",
          [.integer(key), .integer(Int64(clamping: finding.sequence))])
        whole += [frame].compactMap(\.self)
      }
      try ChunkRows.insert(whole, of: take, db)
      try ChunkCounters.countAgain(db, take: key)
      return true
    }
  }

  /// Makes rows for the whole chunks of a reel that have none.
  private func index(_ path: ReelPath) throws(HoldfastError) -> UInt64 {
    var records: [ChunkRecord] = []
    _ = ReelVisit(files: environment.files, hashing: environment.hashing).scan(
      directory: directory, path: path, from: nil
    ) { records.append($0) }
    let closing = TakeClosing(log: writer.log, hashing: environment.hashing)
    return try writer.database.commit { db in
      let key = try db.first("SELECT key FROM take WHERE id = ?1", [.blob(path.take.bytes)]) {
        $0.int64(0)
      }
      guard let key else { return 0 }
      // A chunk that has a row stays where the row says.
      let missing = try records.filter {
        try TakeEntry.row(key, path.take, $0.sequence, db) == nil
      }
      let added = try ChunkRows.insert(missing, of: path.take, db)
      try closing.extend(path.take, db)
      return added
    }
  }

  private func tell(_ report: StoreRebuild.Report) throws(HoldfastError) {
    // Of reels alone the opening has said so.
    guard report.database != .none else { return }
    var message =
      "This store was rebuilt: \(CountedNoun.text(report.recordings, "recording")), "
      + "\(CountedNoun.text(report.chunksKept, "chunk"))."
    if !report.chunksLost.isEmpty {
      message +=
        " Damaged or missing: \(CountedNoun.text(report.chunksLost.count, "chunk"))."
    }
    for reel in report.unusableReels { message += " \(reel.sentence)" }
    if report.changesLost + report.commitsLost > 0 {
      message += " The old database had lost changes: titles and edits may be gone."
    }
    let attention = Attention(
      code: "rebuilt", message: message,
      atMilliseconds: environment.clock.now().wallMilliseconds)
    try writer.database.commit { db in try AttentionRow.insert(attention, db) }
  }
}

/// Counters of takes, which are those of their rows.
enum ChunkCounters {
  private static let update = """
    UPDATE take SET (chunks, frames, bytes, end_frame) =
      (SELECT count(*), coalesce(sum(frames), 0), coalesce(sum(bytes), 0),
        coalesce(max(first_frame + frames), 0) FROM chunk WHERE take_key = take.key)
    """

  /// Counts the rows of all takes.
  static func countAgain(_ db: borrowing Connection) throws { try db.run(update) }

  /// Counts the rows of one take.
  static func countAgain(_ db: borrowing Connection, take key: Int64) throws {
    try db.run(update + " WHERE key = ?1", [.integer(key)])
  }
}
