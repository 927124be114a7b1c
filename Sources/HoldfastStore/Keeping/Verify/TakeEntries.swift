import HoldfastModel
import HoldfastSQLite

/// A take as a check of its reels needs it.
struct TakeEntry: Hashable, Sendable {
  /// The take's local key.
  var key: Int64
  /// The take.
  var take: TakeID
  /// The recording.
  var recording: RecordingID
  /// The track.
  var track: TrackID
  /// The track's name; empty when it is not known.
  var trackName: String
  /// Which take of its track, from 0.
  var index: UInt32
  /// Whether it is being recorded, as far as the database knows.
  var isOpen: Bool
  /// The launch that records it here, or did.
  var launch: LaunchID?

  /// Takes whose key is larger, by key; none that is being purged.
  ///
  /// - Parameter limit: how many at most.
  static func page(
    after key: Int64, limit: Int64, _ db: borrowing Connection
  ) throws -> [TakeEntry] {
    try db.all(
      """
      SELECT t.key, t.id, t.recording, t.track, coalesce(k.name, ''), t.position,
        t.closed_reason IS NULL, t.launch
      FROM take t LEFT JOIN track k ON k.id = t.track WHERE t.key > ?1
        AND NOT EXISTS (SELECT 1 FROM intent i WHERE i.take = t.id)
      ORDER BY t.key LIMIT ?2
      """, [.integer(key), .integer(limit)]
    ) { row in
      guard let take = TakeID(row.blob(1)), let recording = RecordingID(row.blob(2)),
        let track = TrackID(row.blob(3))
      else { throw HoldfastError(.damaged, "A row of a take has no whole id.") }
      return TakeEntry(
        key: row.int64(0), take: take, recording: recording, track: track, trackName: row.text(4),
        index: UInt32(clamping: row.int64(5)), isOpen: row.bool(6),
        launch: row.optionalBlob(7).flatMap { LaunchID($0) })
    }
  }

  /// Where in a take's sequence the chunks of each reel lie.
  struct Reel: Hashable, Sendable {
    /// The reel's number.
    var number: UInt32
    /// The lowest sequence in it.
    var first: Int64
    /// The highest sequence in it.
    var last: Int64
  }

  /// The reels that rows name, in their order.
  func reels(_ db: borrowing Connection) throws -> [Reel] {
    try db.all(
      """
      SELECT reel, min(sequence), max(sequence) FROM chunk WHERE take_key = ?1
      GROUP BY reel ORDER BY reel
      """, [.integer(key)]
    ) { Reel(number: $0.uint32(0), first: $0.int64(1), last: $0.int64(2)) }
  }

  /// The numbers of reels whose audio was freed on purpose.
  func freedReels(_ db: borrowing Connection) throws -> Set<UInt32> {
    Set(
      try db.all(
        "SELECT number FROM reel WHERE take_key = ?1 AND state = 'freed'", [.integer(key)]
      ) { $0.uint32(0) })
  }

  /// The rows of one reel, by offset.
  func rows(of reel: Reel, _ db: borrowing Connection) throws -> [MarkedRow] {
    try db.all(
      """
      SELECT sequence, reel, position, bytes, first_frame, frames, sha256, absent FROM chunk
      WHERE take_key = ?1 AND sequence BETWEEN ?2 AND ?3 AND reel = ?4
      """,
      [
        .integer(key), .integer(reel.first), .integer(reel.last), .integer(Int64(reel.number)),
      ]
    ) { try Self.row($0, take) }.sorted { $0.record.offset < $1.record.offset }
  }

  /// Chunks within the take's extent that have no row: each had one when the extent was minted.
  func withoutRow(_ db: borrowing Connection) throws -> [ChunkRecord] {
    let (wanted, there) =
      try db.first(
        """
        SELECT extent_chunks, (SELECT count(*) FROM chunk
          WHERE take_key = t.key AND sequence < t.extent_chunks) FROM take t WHERE key = ?1
        """, [.integer(key)]
      ) { ($0.uint64(0), $0.uint64(1)) } ?? (0, 0)
    guard there < wanted else { return [] }
    var found: [ChunkRecord] = []
    var last = ChunkRecord(
      take: take, sequence: 0, reel: 0, offset: 0, length: 0, firstFrame: 0, frames: 0,
      sha256: .zero)
    func add(until sequence: UInt64) {
      while last.sequence < sequence {
        found.append(last)
        last.sequence += 1
      }
    }
    try ChunkRows.each(key: key, take: take, db) { record in
      guard record.sequence < wanted else { return false }
      add(until: record.sequence)
      last.sequence = record.sequence + 1
      last.reel = record.reel
      last.firstFrame = record.firstFrame + UInt64(record.frames)
      return true
    }
    add(until: wanted)
    return found
  }

  /// The row of one chunk; nil when there is none.
  func row(of sequence: UInt64, _ db: borrowing Connection) throws -> MarkedRow? {
    try Self.row(key, take, sequence, db)
  }

  /// The row of one chunk of the take with a key; nil when there is none.
  static func row(
    _ key: Int64, _ take: TakeID, _ sequence: UInt64, _ db: borrowing Connection
  ) throws -> MarkedRow? {
    try db.first(
      """
      SELECT sequence, reel, position, bytes, first_frame, frames, sha256, absent FROM chunk
      WHERE take_key = ?1 AND sequence = ?2
      """, [.integer(key), .integer(Int64(clamping: sequence))]
    ) { try row($0, take) }
  }

  private static func row(_ row: borrowing Row, _ take: TakeID) throws -> MarkedRow {
    guard let digest = Digest(row.blob(6)) else {
      throw HoldfastError(.damaged, "A row of take \(take) has no whole SHA-256.")
    }
    return MarkedRow(
      record: ChunkRecord(
        take: take, sequence: row.uint64(0), reel: row.uint32(1), offset: row.uint64(2),
        length: row.uint32(3), firstFrame: row.uint64(4), frames: row.uint32(5), sha256: digest),
      isMarked: row.int64(7) != 0)
  }
}
