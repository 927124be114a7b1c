package import HoldfastModel
package import HoldfastSQLite

/// What a list shows of a recording.
package struct RecordingSummary: Hashable, Sendable {
  package var id: RecordingID
  package var title: String
  package var phase: PhaseValue
  package var isDeleted: Bool
  package var startedMilliseconds: Int64
  package var externalID: String?
  package var sourceBytes: UInt64?
  package var origin: OriginID?
  package var chunks: UInt64
  /// Bytes of payload that are indexed here.
  package var payloadBytes: UInt64
  package var timeline: Timeline
  /// By track and index, without those that were over before any audio came.
  package var takes: [TakeRow]
  package var tracks: [TrackFact]
  /// Progress 0…1 of deferred work by kind, of each the newest task.
  package var work: [String: Double] = [:]
  /// When the living launch that captures it last gave a sign, milliseconds since 1970: what it had
  /// written by then is counted. Nil when none does, or nobody asked.
  package var asOfMilliseconds: Int64?
  /// How long it has run by the clock of that launch, seconds; 0 when that is not known.
  package var ranSeconds: Double = 0

  /// Seconds from its start to its end or, while it is captured, to the last sign; gaps included.
  package var elapsedSeconds: Double { max(timeline.elapsedSeconds, ranSeconds) }

  /// Whether it is being captured: nothing has ended that had a reason.
  package var isUnderWay: Bool { phase.phase == .recording }

  /// The word that a list shows: the phase, or "deleted".
  package var state: String { isDeleted ? "deleted" : phase.phase.rawValue }
}

/// One take as the database knows it.
package struct TakeRow: Hashable, Sendable {
  package var key: Int64
  package var recording: RecordingID
  package var span: TakeSpan
  package var format: AudioFormat
  package var launch: LaunchID?
  package var chunks: UInt64
  package var bytes: UInt64
  package var extentChunks: UInt64

  package var id: TakeID { span.take }
  package var isOpen: Bool { span.closedReason == nil }
}

/// What ``RecordingRows/list(_:_:)`` selects.
package struct RecordingRequest: Hashable, Sendable {
  /// Whether the trash is shown too.
  package var includesDeleted = false
  /// Only this state ("deleted" shows the trash).
  package var state: String?
  /// Only what began at or after this time, milliseconds since 1970.
  package var sinceMilliseconds: Int64?
  /// At most so many, the newest.
  package var limit: UInt64?

  package init() {}
}

/// Reads recordings.
package enum RecordingRows {
  /// Recordings that are not over. SQLite finds them by their index only where a statement says
  /// these words, though it wants fewer of them.
  static let unfinished = "state IN ('recording', 'interrupted', 'pendingResume')"
  private static let columns = """
    id, title, state, reason, state_ms, recovered, deleted, started_ms, external_id, source_bytes,
    origin
    """

  /// Recordings, newest first.
  ///
  /// - Parameter logs: launch files, of which the living ones tell what has no row yet.
  package static func list(
    _ request: RecordingRequest, live logs: [LaunchLog] = [], _ db: borrowing Connection
  ) throws -> [RecordingSummary] {
    var sql = "SELECT \(columns) FROM recording WHERE purged = 0 AND origin <> x''"
    var values: [SQLiteValue] = []
    if let state = request.state, state != "deleted" {
      values.append(.text(state))
      sql += " AND deleted = 0 AND state = ?\(values.count)"
    } else if request.state == "deleted" {
      sql += " AND deleted = 1"
    } else if !request.includesDeleted {
      sql += " AND deleted = 0"
    }
    if let since = request.sinceMilliseconds {
      values.append(.integer(since))
      sql += " AND started_ms >= ?\(values.count)"
    }
    sql += " ORDER BY started_ms DESC, id"
    if let limit = request.limit {
      values.append(.integer(Int64(clamping: limit)))
      sql += " LIMIT ?\(values.count)"
    }
    let live = LiveProgress(logs)
    return try db.all(sql, values) { try summary($0) }.map { try completed($0, live, db) }
  }

  /// One recording; nil when there is none, or it was purged.
  package static func one(
    _ id: RecordingID, live logs: [LaunchLog] = [], _ db: borrowing Connection
  ) throws -> RecordingSummary? {
    try db.first(
      "SELECT \(columns) FROM recording WHERE id = ?1 AND purged = 0 AND origin <> x''",
      [.blob(id.bytes)]
    ) { try summary($0) }.map { try completed($0, LiveProgress(logs), db) }
  }

  private static func summary(_ row: borrowing Row) throws -> RecordingSummary {
    guard let id = RecordingID(row.blob(0)) else {
      throw HoldfastError(.damaged, "A row of a recording has no whole id.")
    }
    let phase = PhaseValue(
      RecordingPhase(rawValue: row.text(2)), reason: GapReason(rawValue: row.text(3)),
      atMilliseconds: row.int64(4), recovered: row.int64(5) != 0)
    return RecordingSummary(
      id: id, title: row.text(1), phase: phase, isDeleted: row.int64(6) != 0,
      startedMilliseconds: row.int64(7), externalID: row.optionalText(8),
      sourceBytes: row.optionalInt64(9).map { UInt64(clamping: $0) },
      origin: OriginID(row.blob(10)), chunks: 0, payloadBytes: 0,
      timeline: Timeline([], phase: phase), takes: [], tracks: [])
  }

  private static func completed(
    _ bare: RecordingSummary, _ live: LiveProgress, _ db: borrowing Connection
  ) throws -> RecordingSummary {
    var summary = bare
    var all = try takes(of: bare.id, db)
    if !live.isEmpty { all = try live.applied(to: all, of: &summary, db) }
    let telling = Set(TakeSpan.telling(all.map(\.span)).map(\.take))
    summary.takes = all.filter { telling.contains($0.id) }
    summary.tracks = try db.all(
      "SELECT id, name FROM track WHERE recording = ?1 ORDER BY ordinal", [.blob(bare.id.bytes)]
    ) { row in
      TrackID(row.blob(0)).map { TrackFact(track: $0, name: row.text(1)) }
    }.compactMap(\.self)
    summary.work = try TaskRows.progress(of: bare.id, db)
    summary.chunks = summary.takes.reduce(0) { $0 + $1.chunks }
    summary.payloadBytes = summary.takes.reduce(0) { $0 + $1.bytes }
    summary.timeline = Timeline(all.map(\.span), phase: bare.phase)
    return summary
  }

  private static let takeColumns = """
    t.key, t.id, t.recording, t.track, t.position, t.encoding, t.sample_rate, t.channels,
    t.frame_bytes, t.packet_frames, t.codec, t.start_ns, t.known, t.opened_ms, t.launch,
    t.closed_reason, t.closed_ms, t.lost_ns, t.extent_chunks, t.chunks, t.end_frame, t.frames,
    t.bytes
    """

  /// The takes of a recording, by track and index.
  package static func takes(
    of recording: RecordingID, _ db: borrowing Connection
  ) throws -> [TakeRow] {
    try db.all(
      """
      SELECT \(takeColumns) FROM take t LEFT JOIN track k ON k.id = t.track
      WHERE t.recording = ?1 ORDER BY k.ordinal, t.position, t.id
      """, [.blob(recording.bytes)]
    ) { try take($0) }.map { try withJumps($0, db) }
  }

  private static func take(_ row: borrowing Row) throws -> TakeRow {
    guard let id = TakeID(row.blob(1)), let recording = RecordingID(row.blob(2)),
      let track = TrackID(row.blob(3))
    else { throw HoldfastError(.damaged, "A row of a take has no whole id.") }
    let format = AudioFormat(
      encoding: SampleEncoding(rawValue: row.text(5)), sampleRate: row.double(6),
      channels: UInt32(clamping: row.int64(7)), bytesPerFrame: UInt32(clamping: row.int64(8)),
      framesPerPacket: UInt32(clamping: row.int64(9)), configuration: row.blob(10))
    let span = TakeSpan(
      take: id, track: track, index: UInt32(clamping: row.int64(4)),
      sampleRate: format.sampleRate, startNanoseconds: row.int64(11),
      known: GapKnowledge(rawValue: row.text(12)), endFrame: UInt64(clamping: row.int64(20)),
      frames: UInt64(clamping: row.int64(21)),
      closedReason: row.optionalText(15).map { GapReason(rawValue: $0) },
      closedMilliseconds: row.optionalInt64(16) ?? 0, lostAtMostNanoseconds: row.int64(17),
      openedMilliseconds: row.int64(13), jumps: [])
    return TakeRow(
      key: row.int64(0), recording: recording, span: span, format: format,
      launch: row.optionalBlob(14).flatMap { LaunchID($0) },
      chunks: UInt64(clamping: row.int64(19)), bytes: UInt64(clamping: row.int64(22)),
      extentChunks: UInt64(clamping: row.int64(18)))
  }

  private static func withJumps(
    _ take: TakeRow, _ db: borrowing Connection
  ) throws -> TakeRow {
    var take = take
    take.span.jumps = try db.all(
      "SELECT at_frame, frames, reason FROM jump WHERE take_key = ?1 ORDER BY at_frame",
      [.integer(take.key)]
    ) { row in
      ClosedFact.Jump(
        atFrame: UInt64(clamping: row.int64(0)), frames: UInt64(clamping: row.int64(1)),
        reason: GapReason(rawValue: row.text(2)))
    }
    return take
  }

  /// The one recording whose id begins with the text.
  ///
  /// - Parameter text: 4 to 32 hexadecimal digits.
  /// - Throws: `invalidArgument`, `notFound`; `conflict` when several begin so.
  package static func resolve(
    _ text: String, _ db: borrowing Connection
  ) throws -> RecordingID {
    let prefix = text.lowercased()
    guard (4...32).contains(prefix.utf8.count),
      prefix.utf8.allSatisfy({ Hex.value(of: $0) != nil })
    else {
      throw HoldfastError(
        .invalidArgument,
        "\"\(text)\" is no id: an id is 32 hexadecimal digits, or at least its "
          + "first 4.", hint: "`holdfast list` shows ids.")
    }
    let found = try db.all(
      """
      SELECT id FROM recording WHERE lower(hex(id)) LIKE ?1 AND purged = 0 AND origin <> x''
      LIMIT 3
      """, [.text(prefix + "%")]
    ) { RecordingID($0.blob(0)) }.compactMap(\.self)
    guard let first = found.first else {
      throw HoldfastError(
        .notFound, "There is no recording \(text) in this store.",
        hint: "`holdfast list --all` shows what there is.")
    }
    guard found.count == 1 else {
      throw HoldfastError(
        .conflict, "Several recordings begin with \(text).", hint: "Give more digits.")
    }
    return first
  }

  /// The one recording whose id begins with the text, as a list shows it.
  ///
  /// - Throws: as ``resolve(_:_:)``.
  package static func summary(
    of text: String, _ db: borrowing Connection
  ) throws -> RecordingSummary {
    let id = try resolve(text, db)
    guard let summary = try one(id, db) else {
      throw HoldfastError(.notFound, "There is no recording \(id) in this store.")
    }
    return summary
  }

  /// The attributes of a recording.
  package static func attributes(
    of id: RecordingID, _ db: borrowing Connection
  ) throws -> [String: CanonicalValue] {
    let rows = try db.all(
      "SELECT name, value FROM attribute WHERE recording = ?1 ORDER BY name", [.blob(id.bytes)]
    ) { ($0.text(0), try CanonicalDecoder.decode($0.blob(1))) }
    return Dictionary(rows) { first, _ in first }
  }
}
