package import HoldfastModel

/// What a launch was doing at its last heartbeat: the unit in hand, and how the device was.
/// Written while a unit of work runs, and while a recording is captured.
///
/// A heartbeat overwrites the one before, in two slots in turn, so that any number of them costs no
/// room and a torn one leaves the one before.
package struct LaunchHeartbeat: Hashable, Sendable {
  package var counter: UInt64 = 0
  package var at = LaunchTime()
  /// The task in hand, by its kind or identifier, at most 64 bytes; empty when none is.
  package var task: String
  /// Which unit of it.
  package var unit: UInt64
  /// How far it is: 0…10,000.
  package var progress: UInt64
  /// How process and device were.
  package var vitals = DeviceVitals()
  /// When task, unit or progress last changed.
  package var progressed = LaunchTime()

  /// A heartbeat without a task tells of process and device only.
  package init(task: String = "", unit: UInt64 = 0, progress: UInt64 = 0) {
    self.task = task
    self.unit = unit
    self.progress = progress
  }

  /// Nothing in hand since a time.
  init(progressed: LaunchTime) {
    self.init()
    self.progressed = progressed
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
    record.put(vitals.footprintBytes, bytes: 8)
    record.put(vitals.thermal.rawValue, bytes: 1)
    record.put(vitals.isLowPower ? 1 : 0, bytes: 1)
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
    vitals.footprintBytes = record.number(8)
    vitals.thermal = DeviceVitals.Thermal(rawValue: record.number(1)) ?? .unknown
    vitals.isLowPower = record.number(1) == 1
    progressed = record.time()
    task = record.text(capacity: 64)
  }
}
