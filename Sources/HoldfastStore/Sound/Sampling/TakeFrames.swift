import HoldfastAudio
import HoldfastModel
import HoldfastSQLite

/// Reads stretches of a take of plain PCM by sample frames; what is not there reads as silence.
struct TakeFrames {
  /// Most frames of silence that are handed out at once.
  private static let silenceStep: UInt64 = 16_384

  let store: any StoreRows
  let take: TakeContents
  let fetcher: ChunkFetcher

  /// Hands out the bytes of the frames in a range, in their order, in pieces of at most a chunk.
  func read(
    _ range: Range<UInt64>, _ body: ([UInt8]) throws(HoldfastError) -> Void
  ) throws(HoldfastError) {
    var position = range.lowerBound
    let first = try sequence(holding: position)
    try take.each(from: first, store) { record throws(HoldfastError) in
      let end = record.firstFrame + UInt64(record.frames)
      guard record.firstFrame < range.upperBound else { return false }
      guard end > position else { return true }
      if record.firstFrame > position {
        try silence(record.firstFrame - position, body)
        position = record.firstFrame
      }
      let stop = min(end, range.upperBound)
      try part(record, from: position - record.firstFrame, count: stop - position, body)
      position = stop
      return true
    }
    if position < range.upperBound { try silence(range.upperBound - position, body) }
  }

  private func part(
    _ record: ChunkRecord, from first: UInt64, count: UInt64,
    _ body: ([UInt8]) throws(HoldfastError) -> Void
  ) throws(HoldfastError) {
    let frameBytes = UInt64(take.row.format.bytesPerFrame)
    guard case .payload(let bytes, _) = try fetcher.fetch(record),
      UInt64(bytes.count) == UInt64(record.frames) * frameBytes
    else { return try silence(count, body) }
    if count == UInt64(record.frames) { return try body(bytes) }
    let start = Int(first * frameBytes)
    try body(Array(bytes[start..<start + Int(count * frameBytes)]))
  }

  private func silence(
    _ frames: UInt64, _ body: ([UInt8]) throws(HoldfastError) -> Void
  ) throws(HoldfastError) {
    var left = frames
    while left > 0 {
      let step = min(left, Self.silenceStep)
      try body(take.row.format.silence(frames: UInt32(step)))
      left -= step
    }
  }

  /// A sequence at or before the chunk that holds a frame: by halving, since frames grow with
  /// sequences.
  private func sequence(holding frame: UInt64) throws(HoldfastError) -> UInt64 {
    guard let last = take.lastIndexed, frame < last.firstFrame else {
      return take.lastIndexed?.sequence ?? 0
    }
    let key = take.row.key
    return try store.rows { db in
      // The chunk at `low` begins at or before the frame, or `low` is 0; the one at `high` after
      // it.
      var (low, high) = (UInt64(0), last.sequence)
      while high - low > 1 {
        let middle = low + (high - low) / 2
        let begin = try db.first(
          """
          SELECT first_frame FROM chunk WHERE take_key = ?1 AND sequence >= ?2
          ORDER BY sequence LIMIT 1
          """, [.integer(key), .integer(Int64(clamping: middle))]
        ) { UInt64(clamping: $0.int64(0)) }
        if begin ?? .max <= frame { low = middle } else { high = middle }
      }
      return low
    }
  }
}
