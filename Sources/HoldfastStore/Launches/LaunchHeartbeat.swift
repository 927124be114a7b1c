/// What a launch was doing at its last heartbeat: the unit in hand, and how the device was.
///
/// A heartbeat overwrites the one before, in two slots in turn, so that any number of them costs no
/// room and a torn one leaves the one before.
package struct LaunchHeartbeat: Hashable, Sendable {
  /// How hot the device is, in the system's four steps. An unknown number reads as unknown.
  package enum Thermal: UInt64, Hashable, Sendable {
    case unknown = 0
    case nominal = 1
    case fair = 2
    case serious = 3
    case critical = 4
  }

  package var counter: UInt64 = 0
  package var at = LaunchTime()
  /// The task in hand, by its kind or identifier, at most 64 bytes; empty when none is.
  package var task: String
  /// Which unit of it.
  package var unit: UInt64
  /// How far it is: 0…10,000.
  package var progress: UInt64
  /// Bytes of memory that the process holds; 0 when unknown.
  package var footprintBytes: UInt64
  package var thermal: Thermal
  /// Whether the device saves power.
  package var isLowPower: Bool
  /// When task, unit or progress last changed.
  package var progressed = LaunchTime()

  /// A heartbeat without a task knows the device only.
  package init(
    task: String = "", unit: UInt64 = 0, progress: UInt64 = 0, footprintBytes: UInt64 = 0,
    thermal: Thermal = .unknown, isLowPower: Bool = false
  ) {
    self.task = task
    self.unit = unit
    self.progress = progress
    self.footprintBytes = footprintBytes
    self.thermal = thermal
    self.isLowPower = isLowPower
  }

  /// Whether the same work stands where it stood.
  package func isNoFurther(than other: LaunchHeartbeat) -> Bool {
    (task, unit, progress) == (other.task, other.unit, other.progress)
  }

  static let size: UInt64 = 192
  static func offset(_ counter: UInt64) -> UInt64 { 6144 + (counter & 1) * 512 }

  var encoded: [UInt8] {
    var record = RecordWriter(capacity: Self.size)
    record.put(counter, bytes: 8)
    record.put(at)
    record.put(unit, bytes: 8)
    record.put(progress, bytes: 4)
    record.put(footprintBytes, bytes: 8)
    record.put(thermal.rawValue, bytes: 1)
    record.put(isLowPower ? 1 : 0, bytes: 1)
    record.put(progressed)
    record.put(text: task, capacity: 64)
    return record.closed()
  }

  init?(_ bytes: [UInt8]) {
    guard var record = RecordReader(bytes, size: Self.size) else { return nil }
    counter = record.number(8)
    at = record.time()
    unit = record.number(8)
    progress = record.number(4)
    footprintBytes = record.number(8)
    thermal = Thermal(rawValue: record.number(1)) ?? .unknown
    isLowPower = record.number(1) == 1
    progressed = record.time()
    task = record.text(capacity: 64)
  }
}
