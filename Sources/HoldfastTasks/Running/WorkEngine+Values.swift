import HoldfastModel
import HoldfastStore

extension Scheduler {
  /// What keeps kinds of work from running on the device as it is.
  func obstacles(
    to kinds: some Collection<TaskKind>, on device: DeviceState, windowMilliseconds: Int64?
  ) -> KindObstacles {
    let found = kinds.compactMap { kind in
      obstacle(toKind: kind, on: device, windowMilliseconds: windowMilliseconds).map {
        (kind, KindObstacle(cause: $0.cause, wake: $0.wake))
      }
    }
    return KindObstacles(Dictionary(uniqueKeysWithValues: found))
  }
}

extension WorkEnding {
  /// Whether it ends a unit that is done.
  var isUnit: Bool {
    switch self {
    case .unit, .done: true
    case .part, .later, .failed, .interrupted: false
    }
  }
}

extension Int64 {
  /// Milliseconds as nanoseconds, held to the largest number.
  var nanoseconds: Int64 {
    let (product, overflow) = multipliedReportingOverflow(by: 1_000_000)
    return overflow ? .max : product
  }
}
