package import HoldfastModel
import HoldfastSQLite

/// What a take held at one moment: fixed, so that a file whose length stands in its header can be
/// written while the take goes on.
///
/// Invariant: ``each(_:_:)`` visits every chunk that was acknowledged before the moment: those with
/// rows, and of a take that is being recorded those that wait for theirs.
package struct TakeContents: Hashable, Sendable {
  /// The take.
  package let row: TakeRow
  /// The last chunk that had a row; nil when none had.
  let lastIndexed: ChunkRecord?
  /// Chunks in the reels that have no row yet.
  let tail: [ChunkRecord]
  /// Sample frame after the last one that was captured, chunks that are not here counted.
  package let endFrame: UInt64
  /// Chunks that were captured and stand in no row here, at the end.
  let missingAtEnd: UInt64

  /// Sample frame after the last chunk that is here.
  var heldFrame: UInt64 {
    tail.last.map { $0.firstFrame + UInt64($0.frames) } ?? row.span.endFrame
  }

  /// The sequence after the last chunk that was captured, those that are not here counted.
  var chunkEnd: UInt64 { ((tail.last ?? lastIndexed).map { $0.sequence + 1 } ?? 0) + missingAtEnd }

  /// Whether every frame up to ``heldFrame`` is there, as the counters say.
  var isGapless: Bool { row.span.frames == row.span.endFrame && tail.isEmpty }

  /// Where it ends in recording time, seconds.
  var endSeconds: Double {
    Double(row.span.startNanoseconds) / 1e9 + Double(endFrame) / row.format.sampleRate
  }

  /// Visits the chunks from a sequence on, in their order, until the body answers false.
  func each(
    from first: UInt64 = 0, _ store: any StoreRows,
    _ body: (ChunkRecord) throws(HoldfastError) -> Bool
  ) throws(HoldfastError) {
    if let lastIndexed {
      let pages = ChunkPages(store: store, key: row.key, take: row.id)
      var next = first
      pages: while next <= lastIndexed.sequence, let page = try pages.page(from: next) {
        for record in page {
          if record.sequence > lastIndexed.sequence { break pages }
          guard try body(record) else { return }
          next = record.sequence + 1
        }
      }
    }
    for record in tail where record.sequence >= first {
      guard try body(record) else { return }
    }
  }
}

extension TakeContents {
  /// What the takes of a recording hold now, by track and index.
  package static func of(
    _ takes: [TakeRow], in recording: RecordingID, _ store: any StoreRows
  ) throws(HoldfastError) -> [TakeContents] {
    let ends = try store.rows { db in
      let state = try ChangeLog.state(of: recording, db)
      let last = try takes.map { try lastRow($0, db) }
      return (state.takes, last)
    }
    var contents: [TakeContents] = []
    for (take, last) in zip(takes, ends.1) {
      let facts = ends.0.first { $0.fact.take == take.id }
      contents.append(try of(take, last, facts, store))
    }
    return contents
  }

  private static func of(
    _ take: TakeRow, _ last: ChunkRecord?, _ facts: RecordingState.Take?, _ store: any StoreRows
  ) throws(HoldfastError) -> TakeContents {
    var tail: [ChunkRecord] = []
    if take.isOpen {
      do {
        tail = try TakeTail(
          directory: store.layout.directory, files: store.environment.files,
          hashing: store.environment.hashing
        ).scan(take: take.id, from: last.map { ReelPosition(after: $0) }).chunks
          .filter { $0.sequence > last?.sequence ?? 0 || last == nil }
      } catch { throw StoreFaults.error(error) }
    }
    let held =
      tail.last.map { $0.firstFrame + UInt64($0.frames) } ?? take.span.endFrame
    let said = max(facts?.closed?.endFrame ?? 0, facts?.extent?.endFrame ?? 0)
    let captured = max(facts?.closed?.chunks ?? 0, facts?.extent?.chunks ?? 0)
    let next = (tail.last ?? last).map { $0.sequence + 1 } ?? 0
    return TakeContents(
      row: take, lastIndexed: last, tail: tail, endFrame: max(held, said),
      missingAtEnd: captured > next ? captured - next : 0)
  }

  private static func lastRow(
    _ take: TakeRow, _ db: borrowing Connection
  ) throws -> ChunkRecord? {
    let last =
      try db.first(
        "SELECT max(sequence) FROM chunk WHERE take_key = ?1", [.integer(take.key)]
      ) { $0.optionalInt64(0) } ?? nil
    guard let last else { return nil }
    var found: ChunkRecord?
    try ChunkRows.each(key: take.key, take: take.id, from: UInt64(clamping: last), db) {
      found = $0
      return false
    }
    return found
  }
}
