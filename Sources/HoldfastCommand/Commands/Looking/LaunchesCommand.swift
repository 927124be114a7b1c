import Foundation
import Holdfast

/// `holdfast launches`.
struct LaunchesCommand: Command {
  private struct Event: Encodable { let name, detail, at: String }
  private struct Heartbeat: Encodable {
    let at, thermal: String
    let task: String?
    let unit: UInt64
    let progress: Double
    let footprintBytes: UInt64?
    let lowPower: Bool

    init(_ beat: LaunchHeartbeat) {
      at = RFC3339.text(beat.at.wallMilliseconds)
      thermal = "\(beat.vitals.thermal)"
      task = beat.task.isEmpty ? nil : beat.task
      unit = beat.unit
      progress = TaskProgress(units: UInt32(clamping: beat.progress)).fraction
      footprintBytes = beat.vitals.footprintBytes > 0 ? beat.vitals.footprintBytes : nil
      lowPower = beat.vitals.isLowPower
    }
  }
  private struct Launch: Encodable {
    let id, program, startedAt, evidence: String
    let process: Int64
    let endedAt, ending: String?
    let alive, acknowledged: Bool
    let heartbeat: Heartbeat?
    let events: [Event]
  }
  private struct Document: Encodable { let launches: [Launch] }

  func run(_ context: CommandContext) async throws(HoldfastError) -> ExitCode {
    let list = try LaunchList.read(try context.reader())
    if context.output.isJSON {
      try await context.output.document(Document(launches: list.map(Self.document)))
      return .done
    }
    guard !list.isEmpty else {
      await context.output.remark("no launches")
      return .done
    }
    var table = TextTable([
      .init("ID"), .init("STARTED"), .init("PROGRAM"), .init("PROCESS", right: true),
      .init("ENDED"), .init("MEMORY", right: true), .init("HEAT"), .init("EVIDENCE", elastic: true),
    ])
    for launch in list {
      table.add([
        String(launch.launch.description.prefix(8)),
        RFC3339.localText(launch.startedMilliseconds, in: context.zone), launch.program,
        "\(launch.process)", launch.isAlive ? "alive" : launch.ending?.rawValue ?? "unknown",
        memory(launch), launch.heartbeat.map { "\($0.vitals.thermal)" } ?? "",
        launch.isAlive ? "it holds its lock" : launch.evidence,
      ])
    }
    try await context.output.table(table)
    return .done
  }

  /// What it held at its last heartbeat.
  private func memory(_ launch: LaunchInfo) -> String {
    guard let bytes = launch.heartbeat?.vitals.footprintBytes, bytes > 0 else { return "" }
    return Units.bytes(bytes)
  }

  private static func document(_ launch: LaunchInfo) -> Launch {
    Launch(
      id: launch.launch.description, program: launch.program,
      startedAt: RFC3339.text(launch.startedMilliseconds), evidence: launch.evidence,
      process: launch.process, endedAt: launch.endedMilliseconds.map { RFC3339.text($0) },
      ending: launch.isAlive ? nil : launch.ending?.rawValue, alive: launch.isAlive,
      acknowledged: launch.isAcknowledged, heartbeat: launch.heartbeat.map(Heartbeat.init),
      events: launch.events.map {
        Event(name: $0.name, detail: $0.detail, at: RFC3339.text($0.at.wallMilliseconds))
      })
  }
}
