package import HoldfastModel
import HoldfastSQLite

/// A launch as its row and its file tell it.
package struct LaunchInfo: Hashable, Sendable {
  /// The launch.
  package var launch: LaunchID
  /// The name of its program.
  package var program: String
  /// Its process id.
  package var process: Int64
  /// Milliseconds since 1970.
  package var startedMilliseconds: Int64
  /// Its end or last sign of life, milliseconds since 1970; nil while it lives.
  package var endedMilliseconds: Int64?
  /// How it ended; nil while it lives.
  package var ending: LaunchVerdict.Kind?
  /// What the verdict rests on; empty while it lives.
  package var evidence: String
  /// Whether it holds its lock.
  package var isAlive: Bool
  /// Whether somebody has taken note of its ending.
  package var isAcknowledged: Bool
  /// Its last heartbeat; nil when it made none, or its file is gone by now.
  package var heartbeat: LaunchHeartbeat?
  /// How many events it noted, also those that were overwritten or whose file is gone by now.
  package var eventCount: UInt64
  /// The events that are still there, oldest first.
  package var events: [LaunchEventRecord]
}

/// Lists launches.
package enum LaunchList {
  private static let columns = """
    id, program, process, started_ms, ended_ms, ending, evidence, acknowledged
    """

  /// All launches that the database or a file knows, newest first.
  package static func read(_ reader: StoreReader) throws(HoldfastError) -> [LaunchInfo] {
    let rows = try reader.read { try Self.rows($0) }
    let logs = Dictionary(reader.logs.map { ($0.header.launch, $0) }) { first, _ in first }
    var list = rows.map { joined($0, logs[$0.launch]) }
    let known = Set(rows.map(\.launch))
    list += reader.logs.filter { !known.contains($0.header.launch) }.map {
      joined(bare($0, reader.environment), $0)
    }
    return list.sorted {
      ($1.startedMilliseconds, $1.launch) < ($0.startedMilliseconds, $0.launch)
    }
  }

  /// The rows alone, newest first.
  static func rows(_ db: borrowing Connection) throws -> [LaunchInfo] {
    try db.all("SELECT \(columns) FROM launch ORDER BY started_ms DESC, id") { try info($0) }
  }

  private static func info(_ row: borrowing Row) throws -> LaunchInfo {
    guard let id = LaunchID(row.blob(0)) else {
      throw HoldfastError(.damaged, "A row of a launch has no whole id.")
    }
    return LaunchInfo(
      launch: id, program: row.text(1), process: row.int64(2), startedMilliseconds: row.int64(3),
      endedMilliseconds: row.optionalInt64(4),
      ending: row.optionalText(5).map { LaunchVerdict.Kind(rawValue: $0) },
      evidence: row.text(6), isAlive: false, isAcknowledged: row.bool(7), heartbeat: nil,
      eventCount: 0, events: [])
  }

  /// A launch whose row was lost: its file speaks for it.
  private static func bare(_ log: LaunchLog, _ environment: StoreEnvironment) -> LaunchInfo {
    let verdict = log.isAlive ? nil : LaunchVerdict(log, boot: environment.clock.now().boot)
    return LaunchInfo(
      launch: log.header.launch, program: log.header.program, process: log.header.process,
      startedMilliseconds: log.header.started.wallMilliseconds,
      endedMilliseconds: verdict?.atMilliseconds, ending: verdict?.kind,
      evidence: verdict?.evidence ?? "", isAlive: log.isAlive, isAcknowledged: false,
      heartbeat: nil, eventCount: 0, events: [])
  }

  private static func joined(_ info: LaunchInfo, _ log: LaunchLog?) -> LaunchInfo {
    guard let log else { return info }
    var info = info
    info.isAlive = log.isAlive
    info.heartbeat = log.heartbeat
    info.events = log.events
    info.eventCount = log.events.last?.number ?? 0
    return info
  }
}
