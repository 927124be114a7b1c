/// How a process and its device are doing, as far as the system tells.
package struct DeviceVitals: Hashable, Sendable {
  /// How hot the device is, in the system's four steps. An unknown number reads as unknown.
  package enum Thermal: UInt64, Hashable, Sendable {
    case unknown = 0
    case nominal = 1
    case fair = 2
    case serious = 3
    case critical = 4
  }

  /// Bytes of memory that the process holds; 0 when unknown.
  package var footprintBytes: UInt64
  package var thermal: Thermal
  /// Whether the device saves power; false when unknown.
  package var isLowPower: Bool

  /// Without a word, nothing is known.
  package init(
    footprintBytes: UInt64 = 0, thermal: Thermal = .unknown, isLowPower: Bool = false
  ) {
    self.footprintBytes = footprintBytes
    self.thermal = thermal
    self.isLowPower = isLowPower
  }
}

/// What a device tells of itself, as a seam. Asked often and from any thread: an answer takes
/// microseconds, and may be a second old.
package protocol DeviceSense: Sendable {
  /// Memory, heat and the saving of power.
  func vitals() -> DeviceVitals
  /// Network and power, those that are there. What the system does not tell of is taken to be
  /// there: the app may know better.
  func conditions() -> TaskConditions
}

/// A device that tells nothing of itself.
package struct SilentDevice: DeviceSense {
  /// Nothing is asked.
  package init() {}

  package func vitals() -> DeviceVitals { DeviceVitals() }
  package func conditions() -> TaskConditions { [.network, .power] }
}
