import HoldfastModel
import HoldfastSQLite

/// Closes a take inside a transaction; used by the launch that recorded it and by recovery.
struct TakeClosing {
  let log: ChangeLog
  let hashing: any Hashing

  /// Adds the last rows, then mints extent and closing; of a take that somebody closed before its
  /// launch did, larger ones.
  ///
  /// - Parameter safeChunks: how many chunks from the first on are power-safe; nil: all.
  func close(
    _ take: TakeID, _ records: [ChunkRecord], reason: GapReason, droppedFrames: UInt64 = 0,
    lostNanoseconds: Int64, safeChunks: UInt64? = nil, at moment: Moment, _ db: borrowing Connection
  ) throws {
    try ChunkRows.insert(records, of: take, db)
    let row = try db.first(
      "SELECT key, recording, end_frame, closed_reason IS NULL FROM take WHERE id = ?1",
      [.blob(take.bytes)]
    ) { ($0.int64(0), $0.blob(1), $0.int64(2), $0.int64(3)) }
    guard let row, let recording = RecordingID(row.1) else { return }
    if droppedFrames > 0 {
      try ChunkRows.jump(at: UInt64(clamping: row.2), droppedFrames, key: row.0, db)
    }
    guard row.3 == 1 else { return try extend(take, safeChunks: safeChunks, db) }
    let extent = try extent(of: take, key: row.0, safeChunks: safeChunks, db)
    let clock = try Anchor.of(recording, db).map { RecordingClock(start: $0.start).place(moment) }
    let closed = ClosedFact(
      take: take, reason: reason, chunks: extent.chunks, endFrame: UInt64(clamping: row.2),
      closedMilliseconds: clock?.wallMilliseconds ?? moment.wallMilliseconds,
      lostAtMostNanoseconds: lostNanoseconds, jumps: try jumps(key: row.0, db))
    try log.append(
      [.init(.takeExtent, extent.body), .init(.takeClosed, closed.body)], to: recording, db)
  }

  /// The extent over the chunks 0…n that are here without a hole, and power-safe (S11).
  func extent(
    of take: TakeID, key: Int64, safeChunks: UInt64? = nil, _ db: borrowing Connection
  ) throws -> ExtentFact {
    var rolling = RollingDigest(hashing: hashing)
    var fact = ExtentFact(
      take: take, chunks: 0, endFrame: 0, frames: 0, bytes: 0, digest: .zero)
    try ChunkRows.each(key: key, take: take, db) { record in
      guard record.sequence < safeChunks ?? .max, rolling.append(record) else { return false }
      fact.chunks += 1
      fact.endFrame = max(fact.endFrame, record.firstFrame + UInt64(record.frames))
      fact.frames += UInt64(record.frames)
      fact.bytes += UInt64(record.length)
      return true
    }
    fact.digest = rolling.value
    return fact
  }

  /// The jumps to name: frames that were never captured; what is missing here alone is no fact of
  /// the take (J5). The last stands for all that follow when there are too many.
  func jumps(key: Int64, _ db: borrowing Connection) throws -> [ClosedFact.Jump] {
    let all = try db.all(
      """
      SELECT at_frame, frames, reason FROM jump WHERE take_key = ?1 AND reason <> ?2
      ORDER BY at_frame
      """, [.integer(key), .text(GapReason.missing.rawValue)]
    ) { row in
      ClosedFact.Jump(
        atFrame: UInt64(clamping: row.int64(0)), frames: UInt64(clamping: row.int64(1)),
        reason: GapReason(rawValue: row.text(2)))
    }
    let limit = Int(ClosedFact.maximumJumps)
    guard all.count > limit else { return all }
    var kept = Array(all.prefix(limit))
    kept[limit - 1].frames += all.dropFirst(limit).reduce(0) { $0 + $1.frames }
    return kept
  }
}
