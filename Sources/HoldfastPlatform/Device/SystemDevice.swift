import CHoldfastPlatform
package import HoldfastModel

/// The device that this process runs on.
package final class SystemDevice: DeviceSense {
  /// Nanoseconds for which an answer is good: the system is asked at most once in that time,
  /// however short the units of work are.
  private static let freshNanoseconds: Int64 = 1_000_000_000

  private struct Reading: Sendable {
    var at: Int64
    var vitals: DeviceVitals
    var conditions: TaskConditions
  }
  private let last = Locked<Reading?>(nil)

  /// Nothing is asked yet.
  package init() {}

  package func vitals() -> DeviceVitals { reading().vitals }
  package func conditions() -> TaskConditions { reading().conditions }

  private func reading() -> Reading {
    let now = hf_continuous_nanoseconds()
    if let known = last.withLock({ $0 }), now - known.at < Self.freshNanoseconds { return known }
    var reading = Reading(
      at: now,
      vitals: DeviceVitals(footprintBytes: HostIdentity.processMemoryFootprintBytes()),
      conditions: [.network, .power])
    #if !canImport(Darwin)
      let system = SystemTree()
      reading.vitals.thermal = system.thermal()
      reading.conditions = system.conditions()
    #endif
    last.withLock { $0 = reading }
    return reading
  }
}
