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
    case begun(rest: ImportRest)
    /// The track holds the file, whole. `rest` stands at the file's end.
    case alike(rest: ImportRest)
  }

  let store: any StoreRows
  let file: ImportFile

  /// Looks at the takes of one track, in their order. What is missing would be cut in chunks of
  /// `length`; packets go on as they were cut.
  func compare(
    _ takes: [TakeRow], _ length: ChunkLength
  ) throws(HoldfastError) -> Finding {
    guard takes.allSatisfy({ $0.chunks >= $0.extentChunks }) else { return .different }
    var takes = takes[...]
    var place = try ImportRest(
      file.info.runs[...], of: file, length, cut: try cut(takes.first, file.info))
    while var rest = place {
      while let take = takes.first, !rest.isAtEnd || rest.behind.isEmpty || take.chunks == 0 {
        guard take.format == rest.run.format, try isCut(take, as: rest),
          try compare(take, &rest.source)
        else { return .different }
        takes = takes.dropFirst()
      }
      guard rest.isAtEnd else { return .begun(rest: rest) }
      guard let next = rest.behind.first else { return .alike(rest: rest) }
      place = try rest.next(cut: try cut(takes.first, next))
    }
    return .different
  }

  /// How a run is cut, when a take of it is there and it is packets, which cannot be cut otherwise.
  private func cut(
    _ take: TakeRow?, _ run: AudioFileInfo
  ) throws(HoldfastError) -> UInt64? {
    guard let take, !run.format.isPCM, take.format == run.format else { return nil }
    return try storedCut(of: take)
  }

  private func isCut(_ take: TakeRow, as rest: ImportRest) throws(HoldfastError) -> Bool {
    if rest.run.format.isPCM { return true }
    return try storedCut(of: take) == rest.chunkFrames
  }

  /// Sample frames of a full chunk of a take; 0 of one that was recorded elsewhere.
  private func storedCut(of take: TakeRow) throws(HoldfastError) -> UInt64 {
    let key = take.key
    return try store.rows { db in
      try db.first("SELECT chunk_frames FROM take WHERE key = ?1", [.integer(key)]) {
        UInt64(clamping: $0.int64(0))
      } ?? 0
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
