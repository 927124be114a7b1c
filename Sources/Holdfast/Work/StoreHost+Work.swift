import HoldfastModel
import HoldfastPlatform
package import HoldfastStore
package import HoldfastTasks

/// The store as the work engine uses it.
extension StoreHost: WorkStore {
  package func workTurn(
    _ brought: (claim: TaskClaim, ending: WorkEnding)?, next search: WorkSearch?
  ) async throws(HoldfastError) -> WorkTurn {
    let turn = try await read { writer throws(HoldfastError) in
      try writer.workTurn(brought, next: search)
    }
    // Looking for work that is not there is no news.
    if brought != nil || turn.order != nil || turn.hasNews { changeHub.bump() }
    return turn
  }

  /// The takes of a recording as they stand, everything that was captured so far among them, and
  /// whether no more will come.
  func workTakes(
    of recording: RecordingID
  ) async throws(HoldfastError) -> (takes: [TakeSpan], isOver: Bool) {
    try await query { db in
      guard let found = try RecordingRows.one(recording, db) else {
        throw HoldfastError(.notFound, "Recording \(recording) is gone.")
      }
      return (found.takes.map(\.span), found.phase.phase == .stopped)
    }
  }

  package func workTimes() async throws(HoldfastError) -> [UnitTimeRow] {
    try await query { try UnitTimeRow.all($0) }
  }

  package nonisolated func beat(_ heartbeat: LaunchHeartbeat) {
    launchFileNow?.beat(heartbeat)
  }

  package nonisolated func rest(_ task: String) { launchFileNow?.rest(task) }

  /// Asks the takes that are captured here for their rows: work needs them. They come as news.
  package nonisolated func wantRows() {
    for session in openSessions { session.wantRows() }
  }

  /// Whether a recording is captured here.
  package nonisolated var isCapturing: Bool { openSessions.contains(where: \.isCapturing) }

  /// How the device is: network and power as the app said, else as the system tells; in the
  /// foreground until the app says that it went to the background.
  package nonisolated var device: DeviceState {
    var device = DeviceState()
    device.holds = toldConditions ?? environment.device.conditions()
    if !isInBackground { device.holds.insert(.foreground) }
    device.thermal = ThermalState(environment.device.vitals().thermal)
    device.isCapturing = isCapturing
    return device
  }

  /// What an engine takes from outside, on this store.
  package nonisolated func workSeams(
    device: @escaping @Sendable () -> DeviceState
  ) -> WorkSeams {
    WorkSeams(
      clock: environment.clock, random: environment.random, alarm: alarm, device: device,
      spawn: { body in
        let task = Task { await body() }
        return { task.cancel() }
      })
  }
}
