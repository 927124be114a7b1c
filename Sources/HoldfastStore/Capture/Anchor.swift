import HoldfastModel
import HoldfastSQLite

/// Both clocks when a recording began here, and the launch that captures it or did so last. Local.
struct Anchor: Hashable {
  var recording: RecordingID
  var launch: LaunchID
  var start: Moment

  static func of(_ recording: RecordingID, _ db: borrowing Connection) throws -> Anchor? {
    let found = try db.first(
      "SELECT launch, boot, monotonic_ns, wall_ms FROM anchor WHERE recording = ?1",
      [.blob(recording.bytes)]
    ) { ($0.blob(0), $0.blob(1), $0.int64(2), $0.int64(3)) }
    guard let found, let launch = LaunchID(found.0), let boot = BootID(found.1) else { return nil }
    return Anchor(
      recording: recording, launch: launch,
      start: Moment(monotonicNanoseconds: found.2, wallMilliseconds: found.3, boot: boot))
  }

  func store(_ db: borrowing Connection) throws {
    try db.run(
      """
      INSERT OR REPLACE INTO anchor (recording, launch, boot, monotonic_ns, wall_ms)
      VALUES (?1, ?2, ?3, ?4, ?5)
      """,
      [
        .blob(recording.bytes), .blob(launch.bytes), .blob(start.boot.bytes),
        .integer(start.monotonicNanoseconds), .integer(start.wallMilliseconds),
      ])
  }
}
