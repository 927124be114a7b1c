import CHoldfastPlatform
package import HoldfastModel

/// The clocks of the device.
package struct SystemClock: DeviceClock {
  private let boot: BootID

  /// The clocks of this boot.
  package init() { boot = Self.thisBoot }

  package func now() -> Moment {
    Moment(
      monotonicNanoseconds: hf_continuous_nanoseconds(),
      wallMilliseconds: max(0, hf_wall_milliseconds()), boot: boot)
  }

  /// Read once: a process never lives through a boot. Where the system does not name it, the
  /// process makes up a name of its own; its times are then comparable with nobody else's, which is
  /// the safe answer.
  private static let thisBoot: BootID = {
    guard let boot = systemBoot() ?? BootID(SystemRandom().bytes(16)) else {
      preconditionFailure("Sixteen random bytes are a boot's name.")
    }
    return boot
  }()

  /// The system's UUID of the boot, as its 16 bytes.
  private static func systemBoot() -> BootID? {
    let text = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
      guard let start = buffer.baseAddress, unsafe hf_boot_name(start, 64) == 0 else { return "" }
      return unsafe String(cString: start)
    }
    return Hex.decode(text.filter(\.isHexDigit)).flatMap(BootID.init)
  }
}
