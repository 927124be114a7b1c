import HoldfastModel
import HoldfastSQLite

/// What recovery made of recordings, kept until acknowledged.
enum RecoveryRow {
  /// Remembers it under the launch that captured the recording last; what was remembered of both
  /// before gives way.
  static func insert(
    _ item: SalvagedRecording, at now: Moment, _ db: borrowing Connection
  ) throws {
    let launch = try Anchor.of(item.recording, db)?.launch
    try db.run(
      """
      INSERT OR REPLACE INTO recovery (recording, launch, found_ms, indexed, salvaged, damaged,
        lost_ns) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
      """,
      [
        .blob(item.recording.bytes), .blob(launch?.bytes ?? []), .integer(now.wallMilliseconds),
        .integer(Int64(clamping: item.indexedChunks)),
        .integer(Int64(clamping: item.salvagedChunks)), .integer(Int64(clamping: item.damaged)),
        .integer(item.lostAtMostNanoseconds),
      ])
  }
}
