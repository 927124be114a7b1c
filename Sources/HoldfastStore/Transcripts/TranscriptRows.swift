import HoldfastModel
import HoldfastSQLite

/// Writes what ``TranscriptState`` derives into the tables that are read and searched.
///
/// Invariants (S1, X1): the rows of a recording's passes are a function of its changes, and can be
/// replaced whole; the current pass is computed again whenever a pass, its words, its end or the
/// user's choice changes, in that transaction; what is searched is what is shown.
enum TranscriptRows {
  /// Derives everything of a recording's transcripts again.
  static func refresh(_ recording: RecordingID, _ db: borrowing Connection) throws {
    let (state, ordinals) = try derive(recording, db)
    try db.run(
      "DELETE FROM unit WHERE pass IN (SELECT id FROM pass WHERE recording = ?1)",
      [.blob(recording.bytes)])
    try db.run("DELETE FROM pass WHERE recording = ?1", [.blob(recording.bytes)])
    for pass in state.passes {
      try insert(pass.fact, pass.stamp, of: recording, isClosed: pass.isClosed, db)
      for part in pass.parts {
        try insert(part.fact, ordinal: ordinals[part.name] ?? 0, db)
      }
      try count(pass.id, words: pass.words, segments: UInt64(pass.segments.count), db)
    }
    let stale = """
      DELETE FROM volatile_speech WHERE recording = ?1
        AND pass NOT IN (SELECT id FROM pass WHERE recording = ?1 AND closed = 0)
      """
    try db.run(stale, [.blob(recording.bytes)])
    guard try !state.passes.isEmpty || TranscriptRow.one(recording, db) != nil else { return }
    try settle(recording, db, speaksAgain: true)
  }

  /// The replicated state, with the local numbers of its changes.
  static func derive(
    _ recording: RecordingID, _ db: borrowing Connection
  ) throws -> (TranscriptState, [ChangeName: Int64]) {
    var ordinals: [ChangeName: Int64] = [:]
    let changes = try db.all(
      """
      SELECT bytes, ordinal FROM change WHERE recording = ?1
        AND kind IN ('overlay', 'pass', 'passClosed', 'segments') AND bytes IS NOT NULL
      """, [.blob(recording.bytes)]
    ) { row in
      let change = try Change(bytes: row.blob(0))
      ordinals[change.name] = row.int64(1)
      return change
    }
    return (TranscriptState(recording, changes: changes), ordinals)
  }

  /// Takes over what a recording's own state says of its transcripts: the choice, and the start,
  /// by which search is ordered. Costs one look where there is no transcript.
  static func follow(_ state: RecordingState, _ db: borrowing Connection) throws {
    // What is purged goes with its other rows, when its files are gone (J8).
    guard !state.isPurged, let row = try TranscriptRow.one(state.id, db) else { return }
    guard row.choice != state.chosenPass || row.startedMilliseconds != state.startedMilliseconds
    else { return }
    try settle(state, row, db, speaksAgain: false)
  }

  /// Computes the current pass again, and what is searched when it is another one.
  ///
  /// - Parameter speaksAgain: whether what is searched is derived again in any case.
  static func settle(
    _ recording: RecordingID, _ db: borrowing Connection, speaksAgain: Bool
  ) throws {
    if let row = try TranscriptRow.one(recording, db) {
      let current = try current(recording, chosen: row.choice, db)
      guard speaksAgain || current != row.current else { return }
      try TranscriptRow.set(current, of: recording, db)
      return try SpeechRows.derive(recording, db)
    }
    try settle(try ChangeLog.state(of: recording, db), nil, db, speaksAgain: true)
  }

  private static func settle(
    _ state: RecordingState, _ old: TranscriptRow?, _ db: borrowing Connection, speaksAgain: Bool
  ) throws {
    let current = try current(state.id, chosen: state.chosenPass, db)
    let hasMoved = old.map { $0.startedMilliseconds != state.startedMilliseconds } ?? true
    if hasMoved {
      if let old { try SpeechRows.remove(slot: old.slot, db) }
      try TranscriptRow.place(state, replacing: old, db)
    }
    try db.run(
      "UPDATE transcript SET choice = ?2, current = ?3 WHERE recording = ?1",
      [
        .blob(state.id.bytes), state.chosenPass.map { .blob($0.bytes) } ?? .null,
        current.map { .blob($0.bytes) } ?? .null,
      ])
    guard speaksAgain || hasMoved || old?.current != current else { return }
    try SpeechRows.derive(state.id, db)
  }

  private static func current(
    _ recording: RecordingID, chosen: PassID?, _ db: borrowing Connection
  ) throws -> PassID? {
    let passes = try PassRow.all(of: recording, db)
    return CurrentPass.hash(among: passes.map(\.summary), chosen: chosen?.digest)
      .map { PassID(digest: $0) }
  }

  /// Removes every row of a recording's transcripts.
  static func forget(_ recording: RecordingID, _ db: borrowing Connection) throws {
    if let row = try TranscriptRow.one(recording, db) { try SpeechRows.remove(slot: row.slot, db) }
    try db.run(
      "DELETE FROM unit WHERE pass IN (SELECT id FROM pass WHERE recording = ?1)",
      [.blob(recording.bytes)])
    for table in ["pass", "volatile_speech", "transcript"] {
      try db.run("DELETE FROM \(table) WHERE recording = ?1", [.blob(recording.bytes)])
    }
  }
}

/// For a database whose derived rows are not to be trusted.
extension TranscriptRows {
  /// Removes everything that ``refresh(_:_:)`` derives again.
  static func clear(_ db: borrowing Connection) throws {
    try db.run("INSERT INTO speech_words (speech_words) VALUES ('delete-all')")
    for table in ["speech", "unit", "pass", "transcript"] {
      try db.execute("DELETE FROM \(table)")
    }
  }
}

/// The rows of passes and units, one at a time.
extension TranscriptRows {
  static func insert(
    _ fact: PassFact, _ stamp: Stamp, of recording: RecordingID, isClosed: Bool,
    _ db: borrowing Connection
  ) throws {
    let draft = fact.draft
    try db.run(
      """
      INSERT OR IGNORE INTO pass (id, recording, kind, engine, version, quality, live, task,
        language, made_ms, made_counter, closed, words, segments)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, 0, 0)
      """,
      [
        .blob(fact.pass.bytes), .blob(recording.bytes), .text(draft.kind.rawValue),
        .text(draft.engine), .integer(Int64(draft.version)), .integer(Int64(draft.quality)),
        .integer(draft.isLive ? 1 : 0), draft.task.map { .blob($0.digest.bytes) } ?? .null,
        draft.language.map { .text($0) } ?? .null, .integer(stamp.milliseconds),
        .integer(Int64(stamp.counter)), .integer(isClosed ? 1 : 0),
      ])
  }

  static func insert(
    _ fact: UnitFact, ordinal: Int64, _ db: borrowing Connection
  ) throws {
    try db.run(
      """
      INSERT INTO unit (pass, number, part, change, start_ns, end_ns)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6)
      """,
      [
        .blob(fact.pass.bytes), .integer(Int64(fact.number)), .integer(Int64(fact.part)),
        .integer(ordinal), .integer(fact.coveredNanoseconds.lowerBound),
        .integer(fact.coveredNanoseconds.upperBound),
      ])
  }

  /// Adds to a pass's counters.
  static func count(
    _ pass: PassID, words: UInt64, segments: UInt64, _ db: borrowing Connection
  ) throws {
    try db.run(
      "UPDATE pass SET words = words + ?2, segments = segments + ?3 WHERE id = ?1",
      [
        .blob(pass.bytes), .integer(Int64(clamping: words)), .integer(Int64(clamping: segments)),
      ])
  }
}
