/// What must hold on the device for a kind of work.
package struct TaskConditions: OptionSet, Hashable, Sendable {
  package let rawValue: UInt32
  package init(rawValue: UInt32) { self.rawValue = rawValue }

  /// A network is reachable.
  package static let network = TaskConditions(rawValue: 1)
  /// The device is on external power.
  package static let power = TaskConditions(rawValue: 2)
  /// The app is in the foreground.
  package static let foreground = TaskConditions(rawValue: 4)
}

/// Where a unit computes. Measured times of one do not speak of another.
package enum ComputeUnit: String, Hashable, Sendable, CaseIterable {
  /// Wherever.
  case any
  /// The processor: 12 to 21 times slower in the background.
  case cpu
  /// The Neural Engine: within 2 times.
  case neuralEngine

  /// How many times slower a unit is in the background, where nothing was measured there: the
  /// slowest that was seen.
  package var backgroundFactor: Int64 {
    switch self {
    case .any, .cpu: 21
    case .neuralEngine: 2
    }
  }
}
