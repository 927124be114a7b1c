import HoldfastModel
import HoldfastSQLite

/// A closed take that gained chunks: found in reels that its rows did not know, or handed in.
extension TakeClosing {
  /// Mints a larger extent and closing when the take has more chunks without a hole than its extent
  /// says. Of several closings the one that covers most counts, so the reason stays what it was.
  func extend(_ take: TakeID, _ db: borrowing Connection) throws {
    let row = try db.first(
      """
      SELECT key, recording, end_frame, extent_chunks FROM take
      WHERE id = ?1 AND closed_reason IS NOT NULL
      """, [.blob(take.bytes)]
    ) { ($0.int64(0), RecordingID($0.blob(1)), $0.uint64(2), $0.uint64(3)) }
    guard let (key, owner, endFrame, known) = row, let recording = owner else { return }
    let extent = try extent(of: take, key: key, db)
    guard extent.chunks > known else { return }
    let state = try ChangeLog.state(of: recording, db)
    guard var closed = state.takes.first(where: { $0.fact.take == take })?.closed else { return }
    closed.chunks = max(extent.chunks, closed.chunks)
    closed.endFrame = max(endFrame, closed.endFrame)
    closed.jumps = try jumps(key: key, db)
    try log.append(
      [.init(.takeExtent, extent.body), .init(.takeClosed, closed.body)], to: recording, db)
  }
}
