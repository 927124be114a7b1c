package import HoldfastModel

/// How hot the device is, as the OS says.
package enum ThermalState: UInt8, Hashable, Sendable, Comparable {
  case nominal, fair, serious, critical

  /// As the device tells it; what it does not tell is no heat.
  package init(_ told: DeviceVitals.Thermal) {
    self =
      switch told {
      case .unknown, .nominal: .nominal
      case .fair: .fair
      case .serious: .serious
      case .critical: .critical
      }
  }

  package static func < (left: ThermalState, right: ThermalState) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// What holds on the device now.
package struct DeviceState: Hashable, Sendable {
  /// Those of the known conditions that hold.
  package var holds: TaskConditions
  package var thermal: ThermalState
  /// Where work may compute now; ``ComputeUnit/any`` need not be named.
  package var allowedCompute: Set<ComputeUnit>
  /// The recordings that are not over: more of their sound may come.
  package var recording: Set<RecordingID>
  /// Whether this process captures one of them.
  package var isCapturing: Bool

  package init(
    holds: TaskConditions = [.network, .power, .foreground], thermal: ThermalState = .nominal,
    allowedCompute: Set<ComputeUnit> = [.cpu, .neuralEngine], recording: Set<RecordingID> = [],
    isCapturing: Bool = false
  ) {
    self.holds = holds
    self.thermal = thermal
    self.allowedCompute = allowedCompute
    self.recording = recording
    self.isCapturing = isCapturing
  }

  /// In the foreground and while it records a process runs at full speed, else many times slower.
  package var pace: Pace {
    holds.contains(.foreground) || isCapturing ? .full : .background
  }

  /// What must change before a task that was interrupted again and again is tried once more.
  package var conditions: Conditions {
    Conditions(
      holds: holds, isHot: thermal >= .serious, allowedCompute: allowedCompute, pace: pace)
  }

  /// The part of the state that makes an attempt go differently.
  package struct Conditions: Hashable, Sendable {
    package var holds: TaskConditions
    package var isHot: Bool
    package var allowedCompute: Set<ComputeUnit>
    package var pace: Pace
  }
}

/// How fast a process is let run.
package enum Pace: String, Hashable, Sendable, CaseIterable {
  case full, background
}
