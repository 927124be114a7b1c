package import HoldfastModel
package import HoldfastSQLite

/// Reads transcripts, in one snapshot of the caller's.
package enum TranscriptReading {
  /// The passes of a recording, in the order in which they were begun.
  package static func passes(
    of recording: RecordingID, _ db: borrowing Connection
  ) throws -> [PassRow] { try PassRow.all(of: recording, db) }

  /// The pass that is shown (X1); nil when there is none.
  package static func currentPass(
    of recording: RecordingID, _ db: borrowing Connection
  ) throws -> PassID? { try TranscriptRow.one(recording, db)?.current }

  /// The pass that the user chose; nil when it is left to the passes themselves.
  package static func chosenPass(
    of recording: RecordingID, _ db: borrowing Connection
  ) throws -> PassID? { try TranscriptRow.one(recording, db)?.choice }

  /// The current transcript, with names, edits and what may still change.
  package static func current(
    of recording: RecordingID, _ db: borrowing Connection
  ) throws -> ShownTranscript {
    guard let pass = try currentPass(of: recording, db) else { return ShownTranscript(recording) }
    return try transcript(of: recording, pass: pass, db)
  }

  /// A pass as it would be shown, with names and edits.
  package static func transcript(
    of recording: RecordingID, pass: PassID, _ db: borrowing Connection
  ) throws -> ShownTranscript {
    let projection = PassProjection(
      pass, try segments(of: pass, db), volatile: try volatileSegments(of: pass, db),
      try overlays(of: recording, db))
    return ShownTranscript(
      recording, pass, projection, takes: try takes(of: recording, db),
      tracks: try tracks(of: recording, db))
  }

  /// Where the takes of a recording lie; what ``SegmentPlacing`` needs.
  package static func takes(
    of recording: RecordingID, _ db: borrowing Connection
  ) throws -> [TakeSpan] { try RecordingRows.takes(of: recording, db).map(\.span) }

  static func tracks(
    of recording: RecordingID, _ db: borrowing Connection
  ) throws -> [TrackFact] {
    try db.all(
      "SELECT id, name FROM track WHERE recording = ?1 ORDER BY ordinal",
      [.blob(recording.bytes)]
    ) { row in TrackID(row.blob(0)).map { TrackFact(track: $0, name: row.text(1)) } }
    .compactMap(\.self)
  }

  /// The final segments of a pass, unit by unit, as the engine said them.
  package static func segments(
    of pass: PassID, _ db: borrowing Connection
  ) throws -> [PassSegment] {
    try db.all(
      """
      SELECT c.bytes FROM unit u JOIN change c ON c.ordinal = u.change
      WHERE u.pass = ?1 AND c.bytes IS NOT NULL ORDER BY u.number, u.part
      """, [.blob(pass.bytes)]
    ) { UnitFact(try Change(bytes: $0.blob(0)).body)?.segments ?? [] }.flatMap(\.self)
  }

  /// The segments of a pass that may still change.
  package static func volatileSegments(
    of pass: PassID, _ db: borrowing Connection
  ) throws -> [PassSegment] {
    let bytes = try db.first(
      "SELECT segments FROM volatile_speech WHERE pass = ?1", [.blob(pass.bytes)]
    ) { $0.blob(0) }
    guard let bytes, let body = try CanonicalDecoder.decode(bytes).map else { return [] }
    return SegmentCoding.segments(body) ?? []
  }

  /// The stretches of recording time that the units of a pass cover, in order, joined where they
  /// touch.
  package static func coveredNanoseconds(
    of pass: PassID, _ db: borrowing Connection
  ) throws -> [Range<Int64>] {
    let ranges = try db.all(
      "SELECT start_ns, end_ns FROM unit WHERE pass = ?1 AND start_ns <= end_ns ORDER BY start_ns",
      [.blob(pass.bytes)]
    ) { $0.int64(0)..<$0.int64(1) }
    return ranges.reduce(into: []) { joined, range in
      guard let last = joined.last, range.lowerBound <= last.upperBound else {
        return joined.append(range)
      }
      joined[joined.count - 1] =
        last.lowerBound..<max(last.upperBound, range.upperBound)
    }
  }

  /// The number that the next unit of a pass has.
  package static func nextUnit(of pass: PassID, _ db: borrowing Connection) throws -> UInt64 {
    try db.first("SELECT max(number) FROM unit WHERE pass = ?1", [.blob(pass.bytes)]) {
      $0.optionalInt64(0).map { UInt64(clamping: $0) + 1 } ?? 0
    } ?? 0
  }

  /// All unreplaced overlays of a recording, those taken back too.
  package static func overlays(
    of recording: RecordingID, _ db: borrowing Connection
  ) throws -> [Overlay] {
    let changes = try db.all(
      """
      SELECT bytes FROM change WHERE recording = ?1
        AND kind IN ('overlay', 'pass', 'passClosed', 'segments') AND kind = 'overlay'
        AND bytes IS NOT NULL
      """, [.blob(recording.bytes)]
    ) { try Change(bytes: $0.blob(0)) }
    return TranscriptState(recording, changes: changes).overlays
  }
}
