package import HoldfastModel
package import HoldfastSQLite

/// What is shown of a recording's passes, and where its speech stands in the order of search.
struct TranscriptRow: Hashable, Sendable {
  /// The upper bits of its speech's keys.
  var slot: Int64
  /// The start that the slot was made from, milliseconds since 1970.
  var startedMilliseconds: Int64
  var choice: PassID?
  var current: PassID?
  /// Keys given of its slot.
  var given: Int64

  /// The row of a recording; nil when it has no pass.
  static func one(
    _ recording: RecordingID, _ db: borrowing Connection
  ) throws -> TranscriptRow? {
    try db.first(
      "SELECT slot, started_ms, choice, current, given FROM transcript WHERE recording = ?1",
      [.blob(recording.bytes)]
    ) { row in
      TranscriptRow(
        slot: row.int64(0), startedMilliseconds: row.int64(1),
        choice: row.optionalBlob(2).flatMap { PassID($0) },
        current: row.optionalBlob(3).flatMap { PassID($0) }, given: row.int64(4))
    }
  }

  /// Notes which pass is shown.
  static func set(
    _ current: PassID?, of recording: RecordingID, _ db: borrowing Connection
  ) throws {
    try db.run(
      "UPDATE transcript SET current = ?2 WHERE recording = ?1",
      [.blob(recording.bytes), current.map { .blob($0.bytes) } ?? .null])
  }

  /// Gives a recording a slot of its own: its start, or the next free one after it. Where several
  /// began in one millisecond, which of them comes first is not said.
  static func place(
    _ state: RecordingState, replacing old: TranscriptRow?, _ db: borrowing Connection
  ) throws {
    var slot = SpeechKey.slot(ofStart: state.startedMilliseconds)
    while slot < SpeechKey.lastSlot,
      try db.first(
        "SELECT 1 FROM transcript WHERE slot = ?1 AND recording <> ?2",
        [.integer(slot), .blob(state.id.bytes)], { $0.int64(0) }) != nil
    { slot += 1 }
    try db.run(
      """
      INSERT INTO transcript (recording, slot, started_ms) VALUES (?1, ?2, ?3)
      ON CONFLICT (recording) DO UPDATE SET slot = excluded.slot,
        started_ms = excluded.started_ms, given = 0
      """,
      [
        .blob(state.id.bytes), .integer(slot), .integer(state.startedMilliseconds),
      ])
  }
}

/// Keys of what is searched: full-text search gives its rows by key, so the key is the order.
///
/// The upper bits are the recording's slot: the later it began, the larger. The lower bits count
/// down: the earlier a segment within its recording, the larger. So the largest keys are the first
/// segments of the newest recording, and no search has to sort.
enum SpeechKey {
  /// Bits of the part that counts segments: two million segments are 1,500 hours of talk.
  static let countBits: Int64 = 21
  /// The last count; what comes after it is shown, and not searched.
  static let lastCount: Int64 = (1 << countBits) - 1
  /// The last slot: milliseconds of the year 2109.
  static let lastSlot: Int64 = (1 << 42) - 1

  /// Slots that may have been taken by others that began in the same millisecond.
  private static let crowd: Int64 = 1_000_000

  /// The slot of a recording that began then, or the least that it may have: one that is taken
  /// makes it go on upwards.
  static func slot(ofStart milliseconds: Int64) -> Int64 {
    min(max(milliseconds, 0), lastSlot - crowd)
  }

  /// No key of what began then or later is smaller.
  static func first(ofStart milliseconds: Int64) -> Int64 {
    keys(ofSlot: slot(ofStart: milliseconds)).lowerBound
  }

  /// No key of what began then or before is larger.
  static func last(ofStart milliseconds: Int64) -> Int64 {
    keys(ofSlot: slot(ofStart: milliseconds) + crowd).upperBound
  }

  /// The key of the segment of this number in a slot.
  static func key(slot: Int64, number: Int64) -> Int64 { slot << countBits | (lastCount - number) }

  /// All keys of a slot.
  static func keys(ofSlot slot: Int64) -> ClosedRange<Int64> {
    (slot << countBits)...(slot << countBits | lastCount)
  }
}

/// One pass as the database knows it.
package struct PassRow: Hashable, Sendable {
  /// Its number among the recording's passes, from 1, in the order in which they were begun.
  package var number: UInt64
  package var id: PassID
  package var draft: PassDraft
  /// When it was begun: milliseconds since 1970, by its maker's clock.
  package var madeMilliseconds: Int64
  /// Whether it has all its units.
  package var isClosed: Bool
  package var words: UInt64
  package var segments: UInt64

  /// What the choice of the current pass needs to know.
  package var summary: PassSummary {
    PassSummary(
      hash: id.digest, isLive: draft.isLive, isFinal: isClosed, words: words,
      quality: draft.quality)
  }

  /// The passes of a recording, in the order in which they were begun.
  package static func all(
    of recording: RecordingID, _ db: borrowing Connection
  ) throws -> [PassRow] {
    var number: UInt64 = 0
    return try db.all(
      """
      SELECT id, kind, engine, version, quality, live, task, language, made_ms, closed, words,
        segments
      FROM pass WHERE recording = ?1 ORDER BY made_ms, made_counter, id
      """, [.blob(recording.bytes)]
    ) { row in
      guard let id = PassID(row.blob(0)) else {
        throw HoldfastError(.damaged, "A row of a pass has no whole id.")
      }
      number += 1
      return PassRow(
        number: number, id: id,
        draft: PassDraft(
          kind: TaskKind(rawValue: row.text(1)), engine: row.text(2), version: row.int32(3),
          quality: row.int32(4), isLive: row.bool(5),
          task: row.optionalBlob(6).flatMap { Digest($0) }.map { TaskID(digest: $0) },
          language: row.optionalText(7)),
        madeMilliseconds: row.int64(8), isClosed: row.bool(9), words: row.uint64(10),
        segments: row.uint64(11))
    }
  }
}
