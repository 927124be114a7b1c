import HoldfastAudio
import HoldfastModel
import HoldfastSQLite

/// Compares a file with what a track holds, by the chunk hashes that stand in the rows: the file is
/// cut as the track was cut, and each piece is hashed.
///
/// Invariant: *alike* is answered only after every stored chunk was compared; a difference ends it
/// at the first chunk that differs.
struct ContentComparison {
  /// What was found.
  enum Finding {
    /// The track holds something else, or it cannot be said what.
    case different
    /// The track begins as the file does and ends before it. `rest` stands behind what it holds.
    case begun(rest: ChunkSource, chunkFrames: UInt64)
    /// The track holds the file, whole. `rest` stands at the file's end.
    case alike(rest: ChunkSource, chunkFrames: UInt64)
  }

  let store: any StoreRows
  let file: ImportFile

  /// Looks at the takes of one track, in their order. What is missing would be cut in chunks of
  /// `chunkFrames`; packets go on as they were cut.
  func compare(
    _ takes: [TakeRow], chunkFrames: UInt64
  ) throws(HoldfastError) -> Finding {
    let format = file.info.format
    guard takes.allSatisfy({ $0.format == format && $0.chunks >= $0.extentChunks }) else {
      return .different
    }
    var cut = chunkFrames
    if !format.isPCM && !takes.isEmpty {
      let stored = Set(try storedCuts(of: takes))
      guard stored.count == 1 else { return .different }
      cut = stored.first ?? cut
    }
    return try compare(takes, cut: cut)
  }

  private func compare(_ takes: [TakeRow], cut: UInt64) throws(HoldfastError) -> Finding {
    var source: ChunkSource
    do { source = try ChunkSource(file.info, in: file.source, chunkFrames: cut) } catch {
      throw StoreFaults.error(error)
    }
    for take in takes {
      guard try compare(take, &source) else { return .different }
    }
    return source.takenBytes == file.sourceBytes
      ? .alike(rest: source, chunkFrames: cut) : .begun(rest: source, chunkFrames: cut)
  }

  /// Sample frames of a full chunk of each take; 0 of one that was recorded elsewhere.
  private func storedCuts(of takes: [TakeRow]) throws(HoldfastError) -> [UInt64] {
    let keys = takes.map(\.key)
    return try store.rows { db in
      try keys.map { key in
        try db.first("SELECT chunk_frames FROM take WHERE key = ?1", [.integer(key)]) {
          UInt64(clamping: $0.int64(0))
        } ?? 0
      }
    }
  }

  private func compare(
    _ take: TakeRow, _ source: inout ChunkSource
  ) throws(HoldfastError) -> Bool {
    let rows = ChunkPages(store: store, key: take.key, take: take.id)
    var next: UInt64 = 0
    while let page = try rows.page(from: next) {
      for record in page {
        guard record.sequence == next, try compare(record, &source) else { return false }
        next += 1
      }
    }
    return true
  }

  private func compare(
    _ record: ChunkRecord, _ source: inout ChunkSource
  ) throws(HoldfastError) -> Bool {
    if record.length == 0 && record.frames == 0 { return true }
    do {
      guard let piece = try source.next(frames: UInt64(record.frames)) else { return false }
      return piece.payload.count == Int(record.length) && piece.frames == record.frames
        && store.environment.hashing.sha256(piece.payload) == record.sha256
    } catch { throw StoreFaults.error(error) }
  }
}
