package import HoldfastModel
package import HoldfastSQLite

/// The local index of chunks.
///
/// Invariant: the counters of a take are those of its rows; a chunk is counted once, however often
/// it is indexed.
package enum ChunkRows {
  private static let insertion = """
    INSERT OR IGNORE INTO chunk (take_key, sequence, reel, position, bytes, first_frame, frames,
      sha256) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
    """

  /// Adds rows, reels, jumps and counts.
  ///
  /// - Returns: how many rows were new.
  @discardableResult
  package static func insert(
    _ records: [ChunkRecord], of take: TakeID, _ db: borrowing Connection
  ) throws -> UInt64 {
    let found = try db.first(
      "SELECT key, end_frame FROM take WHERE id = ?1", [.blob(take.bytes)]
    ) { ($0.int64(0), $0.int64(1)) }
    guard let (key, lastEnd) = found else {
      throw HoldfastError(.notFound, "There is no take \(take) in this store.")
    }
    var added = Added(end: UInt64(clamping: lastEnd))
    for record in records {
      let isNew = try db.run(
        insertion,
        [
          .integer(key), .integer(Int64(record.sequence)), .integer(Int64(record.reel)),
          .integer(Int64(record.offset)), .integer(Int64(record.length)),
          .integer(Int64(record.firstFrame)), .integer(Int64(record.frames)),
          .blob(record.sha256.bytes),
        ])
      guard isNew > 0 else {
        try move(record, key, db)
        continue
      }
      try added.count(record, key, db)
    }
    guard added.chunks > 0 else { return 0 }
    try db.run(
      """
      UPDATE take SET chunks = chunks + ?2, frames = frames + ?3, bytes = bytes + ?4,
        end_frame = max(end_frame, ?5) WHERE key = ?1
      """,
      [
        .integer(key), .integer(Int64(added.chunks)), .integer(Int64(added.frames)),
        .integer(Int64(added.bytes)), .integer(Int64(added.end)),
      ])
    return added.chunks
  }

  /// Adds what a scan found. A chunk whose payload is damaged gets a row that says so: it is
  /// wanted from any holder, and is no silent gap (J5).
  ///
  /// - Returns: how many whole chunks were new.
  static func insert(
    _ found: TakeTail.Salvage, of take: TakeID, _ db: borrowing Connection
  ) throws -> UInt64 {
    let key = try db.first("SELECT key FROM take WHERE id = ?1", [.blob(take.bytes)]) {
      $0.int64(0)
    }
    let damaged = try found.damaged.filter { record in
      try key.flatMap { try TakeEntry.row($0, take, record.sequence, db) } == nil
    }
    let all = (found.chunks + damaged).sorted { $0.sequence < $1.sequence }
    let added = try insert(all, of: take, db)
    for record in damaged {
      try db.run(
        "UPDATE chunk SET absent = ?3 WHERE take_key = ?1 AND sequence = ?2",
        [
          .integer(key ?? 0), .integer(Int64(clamping: record.sequence)),
          .integer(Findings.Mark.damaged.rawValue),
        ])
    }
    return added - UInt64(damaged.count)
  }

  /// A chunk whose reel failed was written again elsewhere; its row follows it.
  private static func move(
    _ record: ChunkRecord, _ key: Int64, _ db: borrowing Connection
  ) throws {
    try db.run(
      """
      UPDATE chunk SET reel = ?3, position = ?4
      WHERE take_key = ?1 AND sequence = ?2 AND (reel, position) <> (?3, ?4) AND sha256 = ?5
      """,
      [
        .integer(key), .integer(Int64(record.sequence)), .integer(Int64(record.reel)),
        .integer(Int64(record.offset)), .blob(record.sha256.bytes),
      ])
  }

  /// Stores that sample frames are missing at a place of a take: dropped for want of room, or those
  /// of chunks that are not here.
  static func jump(
    at frame: UInt64, _ frames: UInt64, reason: GapReason = .overflow, key: Int64,
    _ db: borrowing Connection
  ) throws {
    try db.run(
      "INSERT OR IGNORE INTO jump (take_key, at_frame, frames, reason) VALUES (?1, ?2, ?3, ?4)",
      [
        .integer(key), .integer(Int64(frame)), .integer(Int64(frames)),
        .text(reason.rawValue),
      ])
  }

  /// Why there are no frames before a chunk, whose row is there: their chunks have no rows, or
  /// there were none.
  private static func reason(
    before record: ChunkRecord, _ key: Int64, _ db: borrowing Connection
  ) throws -> GapReason {
    let before = try db.first(
      "SELECT count(*) FROM chunk WHERE take_key = ?1 AND sequence = ?2",
      [.integer(key), .integer(Int64(record.sequence) - 1)]
    ) { $0.int64(0) }
    return record.sequence == 0 || before == 1 ? .overflow : .missing
  }

  private struct Added {
    var chunks: UInt64 = 0
    var frames: UInt64 = 0
    var bytes: UInt64 = 0
    var end: UInt64
    var reel: UInt32?

    mutating func count(
      _ record: ChunkRecord, _ key: Int64, _ db: borrowing Connection
    ) throws {
      if record.firstFrame < end { try Jumps.fill(record, key, db) }
      if record.firstFrame > end {
        try ChunkRows.jump(
          at: end, record.firstFrame - end, reason: ChunkRows.reason(before: record, key, db),
          key: key, db)
      }
      if reel != record.reel {
        reel = record.reel
        try db.run(
          "INSERT OR IGNORE INTO reel (take_key, number, state) VALUES (?1, ?2, 'present')",
          [.integer(key), .integer(Int64(record.reel))])
      }
      chunks += 1
      frames += UInt64(record.frames)
      bytes += UInt64(record.length)
      end = max(end, record.firstFrame + UInt64(record.frames))
    }
  }
}

/// Places inside a take where frames are missing.
private enum Jumps {
  /// A chunk that comes after later ones takes its frames out of the jump that it lies in.
  static func fill(
    _ record: ChunkRecord, _ key: Int64, _ db: borrowing Connection
  ) throws {
    let first = Int64(clamping: record.firstFrame)
    let end = first + Int64(record.frames)
    let jump = try db.first(
      """
      SELECT at_frame, frames, reason FROM jump WHERE take_key = ?1 AND at_frame <= ?2
      ORDER BY at_frame DESC LIMIT 1
      """, [.integer(key), .integer(first)]
    ) { ($0.int64(0), $0.int64(0) + $0.int64(1), $0.text(2)) }
    guard let jump, first < jump.1 else { return }
    try db.run(
      "DELETE FROM jump WHERE take_key = ?1 AND at_frame = ?2", [.integer(key), .integer(jump.0)])
    for (from, to) in [(jump.0, first), (end, jump.1)] where from < to {
      try db.run(
        "INSERT OR REPLACE INTO jump (take_key, at_frame, frames, reason) VALUES (?1, ?2, ?3, ?4)",
        [.integer(key), .integer(from), .integer(to - from), .text(jump.2)])
    }
  }
}

extension ChunkRows {
  /// How many chunks of a take, from the first on, lie in none of certain reels; nil: all.
  static func safeChunks(
    key: Int64, without reels: [UInt32], _ db: borrowing Connection
  ) throws -> UInt64? {
    var first: UInt64?
    for reel in reels {
      let sequence = try db.first(
        "SELECT min(sequence) FROM chunk WHERE take_key = ?1 AND reel = ?2",
        [.integer(key), .integer(Int64(reel))]
      ) { $0.isNull(0) ? nil : UInt64(clamping: $0.int64(0)) }
      if case .some(.some(let sequence)) = sequence { first = min(first ?? sequence, sequence) }
    }
    return first
  }

  /// Visits the rows of a take by sequence until the body answers false.
  package static func each(
    key: Int64, take: TakeID, from sequence: UInt64 = 0, _ db: borrowing Connection,
    _ body: (ChunkRecord) throws -> Bool
  ) throws {
    var next = Int64(sequence)
    // In pages, so that a long take is never in memory whole.
    while true {
      let page = try db.all(
        """
        SELECT sequence, reel, position, bytes, first_frame, frames, sha256 FROM chunk
        WHERE take_key = ?1 AND sequence >= ?2 ORDER BY sequence LIMIT 512
        """, [.integer(key), .integer(next)]
      ) { try record($0, take) }
      for record in page where try !body(record) { return }
      guard let last = page.last, page.count == 512 else { return }
      next = Int64(last.sequence) + 1
    }
  }

  private static func record(_ row: borrowing Row, _ take: TakeID) throws -> ChunkRecord {
    guard let digest = Digest(row.blob(6)) else {
      throw HoldfastError(.damaged, "A row of take \(take) has no whole SHA-256.")
    }
    return ChunkRecord(
      take: take, sequence: UInt64(clamping: row.int64(0)), reel: UInt32(clamping: row.int64(1)),
      offset: UInt64(clamping: row.int64(2)), length: UInt32(clamping: row.int64(3)),
      firstFrame: UInt64(clamping: row.int64(4)), frames: UInt32(clamping: row.int64(5)),
      sha256: digest)
  }
}
