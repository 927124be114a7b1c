import HoldfastModel
import HoldfastSQLite

/// Keeps what is searched: the lines of current passes as they are shown, and the index of their
/// words.
///
/// Invariant: each row of `speech` is in the index with exactly its text, since the index cannot be
/// told to forget a text that it is not told word for word. So all writing of both is here.
enum SpeechRows {
  /// A line as it is searched.
  private struct Row: Hashable, Sendable {
    var range: TakeRange
    var track: TrackID
    var speaker: String?
    var text: String

    init(_ line: ShownLine) {
      range = line.segment.range
      track = line.segment.track
      speaker = line.speaker
      text = line.segment.text
    }

    init(_ row: borrowing HoldfastSQLite.Row) throws {
      guard let take = TakeID(row.blob(1)), let track = TrackID(row.blob(2)) else {
        throw HoldfastError(.damaged, "A row of speech has no whole id.")
      }
      range = TakeRange(take: take, firstFrame: row.uint64(3), endFrame: row.uint64(4))
      self.track = track
      speaker = row.optionalText(5)
      text = row.text(6)
    }
  }

  /// Derives what is searched of a recording again. What has not changed is not written, so that a
  /// name given to a speaker leaves the index alone.
  static func derive(_ recording: RecordingID, _ db: borrowing Connection) throws {
    guard let transcript = try TranscriptRow.one(recording, db) else { return }
    let wanted = try lines(recording, transcript.current, db).map { Row($0) }
    let last = SpeechKey.lastCount
    var target: [Int64: Row] = [:]
    for (number, row) in wanted.enumerated() where Int64(number) <= last {
      target[SpeechKey.key(slot: transcript.slot, number: Int64(number))] = row
    }
    let old = try rows(slot: transcript.slot, db)
    // Upwards: the index writes itself out whenever a key goes back.
    for key in Set(old.keys).union(target.keys).sorted() where old[key] != target[key] {
      try write(key, old[key], target[key], db)
    }
    try give(Int64(wanted.count), recording, db)
  }

  /// The lines of a pass by time.
  private static func lines(
    _ recording: RecordingID, _ pass: PassID?, _ db: borrowing Connection
  ) throws -> [ShownLine] {
    guard let pass else { return [] }
    let lines = PassProjection(
      pass, try TranscriptReading.segments(of: pass, db),
      try TranscriptReading.overlays(of: recording, db)
    ).lines
    let starts = Dictionary(
      try RecordingRows.takes(of: recording, db).map { ($0.id, $0.span) }
    ) { first, _ in first }
    let places = lines.map { line in
      starts[line.segment.take]?.nanoseconds(ofFrame: line.segment.firstFrame) ?? .max
    }
    return lines.indices.sorted { (places[$0], $0) < (places[$1], $1) }.map { lines[$0] }
  }

  /// Adds the lines of a new unit after those that are there.
  static func extend(
    _ recording: RecordingID, _ lines: [ShownLine], _ db: borrowing Connection
  ) throws {
    guard let transcript = try TranscriptRow.one(recording, db) else { return }
    for (offset, line) in lines.enumerated().reversed() {
      let number = transcript.given + Int64(offset)
      guard number <= SpeechKey.lastCount else { continue }
      try write(SpeechKey.key(slot: transcript.slot, number: number), nil, Row(line), db)
    }
    try give(transcript.given + Int64(lines.count), recording, db)
  }

  /// Removes everything of a slot.
  static func remove(slot: Int64, _ db: borrowing Connection) throws {
    for (key, row) in try rows(slot: slot, db).sorted(by: { $0.key < $1.key }) {
      try write(key, row, nil, db)
    }
  }

  private static func give(
    _ count: Int64, _ recording: RecordingID, _ db: borrowing Connection
  ) throws {
    try db.run(
      "UPDATE transcript SET given = ?2 WHERE recording = ?1",
      [.blob(recording.bytes), .integer(count)])
  }

  private static func rows(slot: Int64, _ db: borrowing Connection) throws -> [Int64: Row] {
    let keys = SpeechKey.keys(ofSlot: slot)
    var rows: [Int64: Row] = [:]
    try db.query(
      """
      SELECT key, take, track, first_frame, end_frame, speaker, text FROM speech
      WHERE key BETWEEN ?1 AND ?2
      """, [.integer(keys.lowerBound), .integer(keys.upperBound)]
    ) { rows[$0.int64(0)] = try Row($0) }
    return rows
  }

  /// Replaces one row; the index is touched only when the text is another.
  private static func write(
    _ key: Int64, _ old: Row?, _ new: Row?, _ db: borrowing Connection
  ) throws {
    if let old, old.text != new?.text {
      try db.run(
        "INSERT INTO speech_words (speech_words, rowid, text) VALUES ('delete', ?1, ?2)",
        [.integer(key), .text(old.text)])
    }
    guard let new else {
      try db.run("DELETE FROM speech WHERE key = ?1", [.integer(key)])
      return
    }
    try db.run(
      """
      INSERT OR REPLACE INTO speech (key, take, track, first_frame, end_frame, speaker, text)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
      """,
      [
        .integer(key), .blob(new.range.take.bytes), .blob(new.track.bytes),
        .integer(Int64(clamping: new.range.firstFrame)),
        .integer(Int64(clamping: new.range.endFrame)),
        new.speaker.map { .text($0) } ?? .null, .text(new.text),
      ])
    if old?.text != new.text {
      try db.run(
        "INSERT INTO speech_words (rowid, text) VALUES (?1, ?2)",
        [.integer(key), .text(new.text)])
    }
  }
}
