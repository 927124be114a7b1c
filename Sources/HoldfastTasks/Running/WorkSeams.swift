package import HoldfastModel
package import HoldfastStore

/// The store as the engine uses it.
package protocol WorkStore: Sendable {
  /// As ``StoreWriter/workTurn(_:next:)``.
  func workTurn(
    _ brought: (claim: TaskClaim, ending: WorkEnding)?, next search: WorkSearch?
  ) async throws(HoldfastError) -> WorkTurn
  /// What units were measured to need by earlier launches.
  func workTimes() async throws(HoldfastError) -> [UnitTimeRow]
  /// Notes what is in hand in the launch file; never touches the database.
  func beat(_ heartbeat: LaunchHeartbeat)
  /// Notes there that a task is not in hand any more.
  func rest(_ task: String)
}

/// What else the engine takes from outside.
package struct WorkSeams: Sendable {
  package var clock: any DeviceClock
  package var random: any RandomSource
  package var alarm: any Alarm
  /// How the device is now.
  package var device: @Sendable () -> DeviceState
  /// Runs something beside the engine; the answer cancels it.
  package var spawn: @Sendable (@escaping @Sendable () async -> Void) -> @Sendable () -> Void

  package init(
    clock: any DeviceClock, random: any RandomSource, alarm: any Alarm,
    device: @escaping @Sendable () -> DeviceState,
    spawn:
      @escaping @Sendable (@escaping @Sendable () async -> Void) -> @Sendable () -> Void
  ) {
    self.clock = clock
    self.random = random
    self.alarm = alarm
    self.device = device
    self.spawn = spawn
  }

  /// Nanoseconds of the clock that never steps.
  var nanoseconds: Int64 { clock.now().monotonicNanoseconds }
}
