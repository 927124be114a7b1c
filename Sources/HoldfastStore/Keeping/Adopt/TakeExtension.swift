import HoldfastModel
import HoldfastSQLite

/// A closed take that gained chunks: found in reels that its rows did not know, or handed in.
extension TakeClosing {
  /// Mints a larger extent and closing when the take has more chunks without a hole than its extent
  /// says. Of several closings the one that covers most counts, so the reason stays what it was;
  /// what was found counts no longer as lost.
  ///
  /// - Parameter safeChunks: how many chunks from the first on are power-safe; nil: all.
  func extend(
    _ take: TakeID, safeChunks: UInt64? = nil, _ db: borrowing Connection
  ) throws {
    let row = try db.first(
      """
      SELECT key, recording, end_frame, extent_chunks FROM take
      WHERE id = ?1 AND closed_reason IS NOT NULL
      """, [.blob(take.bytes)]
    ) { ($0.int64(0), RecordingID($0.blob(1)), $0.uint64(2), $0.uint64(3)) }
    guard let (key, owner, endFrame, known) = row, let recording = owner else { return }
    let extent = try extent(of: take, key: key, safeChunks: safeChunks, db)
    guard extent.chunks > known else { return }
    let state = try ChangeLog.state(of: recording, db)
    guard let row = state.takes.first(where: { $0.fact.take == take }), var closed = row.closed
    else { return }
    let gained = endFrame - min(endFrame, closed.endFrame)
    closed.lostAtMostNanoseconds -= min(
      closed.lostAtMostNanoseconds, row.fact.nanoseconds(gained))
    let length = row.fact.nanoseconds(endFrame) / 1_000_000
    closed.closedMilliseconds = max(
      closed.closedMilliseconds, row.fact.openedMilliseconds + length)
    closed.chunks = max(extent.chunks, closed.chunks)
    closed.endFrame = max(endFrame, closed.endFrame)
    closed.jumps = try jumps(key: key, db)
    try log.append(
      [.init(.takeExtent, extent.body), .init(.takeClosed, closed.body)], to: recording, db)
  }
}

extension TakeFact {
  /// How long so many sample frames last.
  fileprivate func nanoseconds(_ frames: UInt64) -> Int64 {
    let length = Double(frames) / format.sampleRate * 1e9
    return length.isFinite ? Int64(min(length, 9e17)) : 0
  }
}
