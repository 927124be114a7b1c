package import HoldfastModel
package import HoldfastSQLite

/// Adds to transcripts, inside the caller's transaction, which must be power-safe (J3).
///
/// Invariants:
/// - T3: what a unit gives is one fact; a unit that is there already is not added again, whatever
///   its labels, and nothing is written.
/// - Cost: a unit costs what the unit costs, however long the recording is.
/// - S11: a segment that may still change is never a change.
package enum PassWriting {
  /// Begins a pass over a recording.
  ///
  /// - Throws: `notFound` when the recording is not here, or was purged.
  package static func open(
    _ draft: PassDraft, of recording: RecordingID, _ log: ChangeLog, _ db: borrowing Connection
  ) throws -> PassID {
    let known = try db.first(
      "SELECT 1 FROM recording WHERE id = ?1 AND purged = 0", [.blob(recording.bytes)]
    ) { $0.int64(0) }
    guard known != nil else {
      throw HoldfastError(.notFound, "There is no recording \(recording) in this store.")
    }
    let fact = PassFact(pass: log.newPass(over: recording), draft: draft)
    let added = try log.add([.init(.passOpened, fact.body)], to: recording, db)
    guard let change = added.first?.change else { return fact.pass }
    try TranscriptRows.insert(fact, change.stamp, of: recording, isClosed: false, db)
    try TranscriptRows.settle(recording, db, speaksAgain: false)
    return fact.pass
  }

  /// Adds the final segments of a unit to a pass.
  ///
  /// - Returns: false when the pass has that unit already: then nothing was written.
  /// - Throws: `notFound` when the pass is not here, or its recording was purged; `conflict` when
  ///   it is closed and has no such unit.
  @discardableResult
  package static func append(
    _ unit: TranscriptUnit, to pass: PassID, of recording: RecordingID, _ log: ChangeLog,
    _ db: borrowing Connection
  ) throws -> Bool {
    let isClosed = try isClosed(pass, recording, db)
    let number = try unit.number.sqliteValue
    let known = try db.first(
      "SELECT 1 FROM unit WHERE pass = ?1 AND number = ?2", [.blob(pass.bytes), number]
    ) { $0.int64(0) }
    guard known == nil else { return false }
    guard !isClosed else { throw closed(pass) }
    let facts = log.facts(unit, of: pass)
    let drafts = facts.map { ChangeLog.Draft(.passSegments, $0.body) }
    for (fact, added) in zip(facts, try log.add(drafts, to: recording, db)) {
      try TranscriptRows.insert(fact, ordinal: added.ordinal, db)
      try TranscriptRows.count(
        pass, words: fact.words, segments: UInt64(fact.segments.count), db)
    }
    try dropVolatile(before: unit.coveredNanoseconds.upperBound, pass, recording, db)
    try extend(facts.flatMap(\.segments), of: pass, recording, db)
    return true
  }

  /// Ends a pass: it has all its units. Doing it twice is doing it once.
  ///
  /// - Throws: `notFound` as ``append(_:to:of:_:_:)``.
  package static func close(
    _ pass: PassID, of recording: RecordingID, _ log: ChangeLog, _ db: borrowing Connection
  ) throws {
    guard try !isClosed(pass, recording, db) else { return }
    try log.add([.init(.passClosed, PassClosedFact(pass: pass).body)], to: recording, db)
    try db.run("UPDATE pass SET closed = 1 WHERE id = ?1", [.blob(pass.bytes)])
    try db.run("DELETE FROM volatile_speech WHERE pass = ?1", [.blob(pass.bytes)])
    try TranscriptRows.settle(recording, db, speaksAgain: true)
  }

  /// Replaces the segments of a pass that may still change. They are local, and may be written by
  /// a commit that is not power-safe.
  ///
  /// - Throws: as ``append(_:to:of:_:_:)``.
  package static func setVolatile(
    _ segments: [PassSegment], of pass: PassID, recording: RecordingID,
    _ db: borrowing Connection
  ) throws {
    guard try !isClosed(pass, recording, db) else { throw closed(pass) }
    let kept = segments.flatMap(UnitSplitting.pieces)
    guard !kept.isEmpty else {
      try db.run("DELETE FROM volatile_speech WHERE pass = ?1", [.blob(pass.bytes)])
      return
    }
    try db.run(
      "INSERT OR REPLACE INTO volatile_speech (pass, recording, segments) VALUES (?1, ?2, ?3)",
      [
        .blob(pass.bytes), .blob(recording.bytes),
        .blob(CanonicalEncoder.encode(.map(SegmentCoding.body(kept)))),
      ])
  }

  private static func isClosed(
    _ pass: PassID, _ recording: RecordingID, _ db: borrowing Connection
  ) throws -> Bool {
    let found = try db.first(
      "SELECT closed FROM pass WHERE id = ?1 AND recording = ?2",
      [.blob(pass.bytes), .blob(recording.bytes)]
    ) { $0.bool(0) }
    guard let found else {
      throw HoldfastError(.notFound, "Recording \(recording) has no pass \(pass).")
    }
    return found
  }

  private static func closed(_ pass: PassID) -> HoldfastError {
    HoldfastError(
      .conflict, "Pass \(pass) is closed.", hint: "What comes now belongs to a new pass.")
  }

  /// Segments that may still change end where final ones begin.
  private static func dropVolatile(
    before nanoseconds: Int64, _ pass: PassID, _ recording: RecordingID,
    _ db: borrowing Connection
  ) throws {
    let segments = try TranscriptReading.volatileSegments(of: pass, db)
    guard !segments.isEmpty else { return }
    let takes = Dictionary(
      try RecordingRows.takes(of: recording, db).map { ($0.id, $0.span) }
    ) { first, _ in first }
    let kept = segments.filter { segment in
      takes[segment.take].map { $0.nanoseconds(ofFrame: segment.firstFrame) >= nanoseconds } ?? true
    }
    try setVolatile(kept, of: pass, recording: recording, db)
  }

  /// Brings what is searched up to date after a unit: its lines alone, where no overlay could make
  /// them change others.
  private static func extend(
    _ segments: [PassSegment], of pass: PassID, _ recording: RecordingID,
    _ db: borrowing Connection
  ) throws {
    let before = try TranscriptRow.one(recording, db)?.current
    try TranscriptRows.settle(recording, db, speaksAgain: false)
    // Another pass became the current one: it was derived whole.
    guard before == pass, try TranscriptRow.one(recording, db)?.current == pass else { return }
    let overlays = try TranscriptReading.overlays(of: recording, db)
    let isApart = overlays.allSatisfy { overlay in
      overlay.fact.value.isEmpty
        || overlay.fact.pass == pass
          && (overlay.fact.kind == .name
            || overlay.fact.frames.overlap(FrameSet(segments.map(\.range))) == 0)
    }
    guard isApart else { return try SpeechRows.derive(recording, db) }
    try SpeechRows.extend(recording, PassProjection(pass, segments, overlays).lines, db)
  }
}
