import HoldfastModel
import HoldfastSQLite

/// Writes what ``RecordingState`` derives into the tables that are searched.
///
/// Invariant (S1): the rows are a function of the recording's changes. They are replaced whole;
/// what is local (counters of chunks, the launch that records) stays.
enum Projection {
  @discardableResult
  static func refresh(
    _ recording: RecordingID, _ db: borrowing Connection
  ) throws -> RecordingState {
    let state = try ChangeLog.state(of: recording, db)
    try writeRecording(state, db)
    try writeAttributes(state, db)
    for (ordinal, track) in state.tracks.enumerated() {
      try db.run(
        """
        INSERT INTO track (id, recording, ordinal, name) VALUES (?1, ?2, ?3, ?4)
        ON CONFLICT (id) DO UPDATE SET recording = excluded.recording,
          ordinal = excluded.ordinal, name = excluded.name
        """,
        [
          .blob(track.track.bytes), .blob(recording.bytes), .integer(Int64(ordinal)),
          .text(track.name),
        ])
    }
    for take in state.takes { try writeTake(take, recording, db) }
    try TranscriptRows.follow(state, db)
    return state
  }

  private static func writeRecording(_ state: RecordingState, _ db: borrowing Connection) throws {
    let phase = state.phase
    try db.run(
      """
      INSERT OR REPLACE INTO recording (id, title, state, reason, state_ms, recovered, started_ms,
        external_id, source_bytes, origin, deleted, purged)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
      """,
      [
        .blob(state.id.bytes), .text(state.title), .text(phase.phase.rawValue),
        .text(phase.reason.rawValue), .integer(phase.atMilliseconds),
        .integer(phase.recovered ? 1 : 0), .integer(state.startedMilliseconds),
        state.created?.externalID.map { .text($0) } ?? .null,
        state.created?.sourceBytes.map { .integer(Int64(clamping: $0)) } ?? .null,
        .blob(state.createdBy?.origin.bytes ?? []), .integer(state.isDeleted ? 1 : 0),
        .integer(state.isPurged ? 1 : 0),
      ])
  }

  private static func writeAttributes(_ state: RecordingState, _ db: borrowing Connection) throws {
    let attributes = state.attributes
    let known = try db.all(
      "SELECT name, value FROM attribute WHERE recording = ?1", [.blob(state.id.bytes)]
    ) { ($0.text(0), $0.blob(1)) }
    for (name, _) in known where attributes[name] == nil {
      try db.run(
        "DELETE FROM attribute WHERE recording = ?1 AND name = ?2",
        [.blob(state.id.bytes), .text(name)])
    }
    for (name, value) in attributes {
      try db.run(
        "INSERT OR REPLACE INTO attribute (recording, name, value) VALUES (?1, ?2, ?3)",
        [.blob(state.id.bytes), .text(name), .blob(CanonicalEncoder.encode(value))])
    }
  }

  private static let takeUpsert = """
    INSERT INTO take (id, recording, track, position, encoding, sample_rate, channels, frame_bytes,
      packet_frames, codec, start_ns, known, opened_ms, closed_reason, closed_ms, lost_ns,
      extent_chunks)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)
    ON CONFLICT (id) DO UPDATE SET recording = excluded.recording, track = excluded.track,
      position = excluded.position, encoding = excluded.encoding,
      sample_rate = excluded.sample_rate, channels = excluded.channels,
      frame_bytes = excluded.frame_bytes, packet_frames = excluded.packet_frames,
      codec = excluded.codec, start_ns = excluded.start_ns, known = excluded.known,
      opened_ms = excluded.opened_ms, closed_reason = excluded.closed_reason,
      closed_ms = excluded.closed_ms, lost_ns = excluded.lost_ns,
      extent_chunks = excluded.extent_chunks
    """

  private static func writeTake(
    _ take: RecordingState.Take, _ recording: RecordingID, _ db: borrowing Connection
  ) throws {
    let fact = take.fact
    try db.run(
      takeUpsert,
      [
        .blob(fact.take.bytes), .blob(recording.bytes), .blob(fact.track.bytes),
        .integer(Int64(fact.index)), .text(fact.format.encoding.rawValue),
        .real(fact.format.sampleRate), .integer(Int64(fact.format.channels)),
        .integer(Int64(fact.format.bytesPerFrame)), .integer(Int64(fact.format.framesPerPacket)),
        .blob(fact.format.configuration), .integer(fact.startNanoseconds),
        .text(fact.known.rawValue), .integer(fact.openedMilliseconds),
        take.closed.map { .text($0.reason.rawValue) } ?? .null,
        take.closed.map { .integer($0.closedMilliseconds) } ?? .null,
        .integer(take.closed?.lostAtMostNanoseconds ?? 0),
        .integer(Int64(clamping: take.extent?.chunks ?? 0)),
      ])
  }
}
