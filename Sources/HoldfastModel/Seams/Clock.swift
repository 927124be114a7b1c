/// One reading of both clocks of a device.
package struct Moment: Hashable, Sendable {
  /// Nanoseconds of the clock that counts through suspension and never steps
  /// (Linux `CLOCK_BOOTTIME`, Apple `CLOCK_MONOTONIC`/`mach_continuous_time`).
  /// Comparable only between moments of the same boot.
  package var monotonicNanoseconds: Int64
  /// Milliseconds since 1970-01-01T00:00:00Z. May step either way at any time; never negative here.
  package var wallMilliseconds: Int64
  /// The boot during which the reading was made.
  package var boot: BootID

  package init(monotonicNanoseconds: Int64, wallMilliseconds: Int64, boot: BootID) {
    self.monotonicNanoseconds = monotonicNanoseconds
    self.wallMilliseconds = wallMilliseconds
    self.boot = boot
  }
}

/// The name of one boot of the device: 16 bytes (Linux `/proc/sys/kernel/random/boot_id`, Apple
/// `kern.bootsessionuuid`). Equal bytes mean that monotonic times may be compared.
package struct BootID: Hashable, Sendable, CustomStringConvertible {
  /// Exactly 16 bytes.
  package let bytes: [UInt8]

  /// Takes exactly 16 bytes; any other count gives nil.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count == 16 else { return nil }
    self.bytes = bytes
  }

  /// 32 lower-case hexadecimal digits.
  package var description: String { Hex.encode(bytes) }
}

/// The clocks of the device, as a seam.
package protocol DeviceClock: Sendable {
  /// Both clocks, read now.
  func now() -> Moment
}

extension BootID {
  /// No boot that any device has: moments of it compare with none of a real one.
  package static let none = BootID(unchecked: Array(repeating: 0, count: 16))

  private init(unchecked bytes: [UInt8]) { self.bytes = bytes }
}
