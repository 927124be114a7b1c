package import HoldfastModel
import HoldfastPlatform

/// Clocks that stand still until a test moves them.
///
/// Faults it injects: jumps of the wall clock either way, suspension (both clocks go on), reboot
/// (another boot, monotonic time from 0). The store survives them because no decision rests on the
/// wall clock and monotonic times are compared within one boot only.
package final class ManualClock: DeviceClock {
  private let moment: Locked<Moment>

  /// Starts at a wall time, in a boot of its own.
  package init(wallMilliseconds: Int64 = 1_796_000_000_000, boot: UInt8 = 1) {
    moment = Locked(
      Moment(
        monotonicNanoseconds: 1_000_000_000, wallMilliseconds: wallMilliseconds,
        boot: Self.boot(boot)))
  }

  private static func boot(_ number: UInt8) -> BootID {
    BootID(Array(repeating: number, count: 16)) ?? .none
  }

  package func now() -> Moment { moment.withLock { $0 } }

  /// Lets time pass on both clocks.
  package func advance(seconds: Double) {
    moment.withLock { moment in
      moment.monotonicNanoseconds += Int64(seconds * 1e9)
      moment.wallMilliseconds += Int64(seconds * 1000)
    }
  }

  /// Sets the wall clock by a step; the other clock does not notice.
  package func step(seconds: Double) {
    moment.withLock { $0.wallMilliseconds += Int64(seconds * 1000) }
  }

  /// Starts the device anew.
  package func reboot(_ number: UInt8, after seconds: Double = 30) {
    moment.withLock { moment in
      moment = Moment(
        monotonicNanoseconds: 1_000_000_000,
        wallMilliseconds: moment.wallMilliseconds + Int64(seconds * 1000),
        boot: Self.boot(number))
    }
  }
}

/// Random bytes from a seed (SplitMix64): the same in every run.
package final class SeededRandom: RandomSource {
  private let state: Locked<UInt64>

  /// A generator that gives the same bytes for the same seed.
  package init(_ seed: UInt64) { state = Locked(seed) }

  package func bytes(_ count: Int64) -> [UInt8] {
    state.withLock { state in
      var bytes: [UInt8] = []
      while Int64(bytes.count) < count {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        value ^= value >> 31
        bytes += value.bigEndianBytes.prefix(Int(min(8, count - Int64(bytes.count))))
      }
      return bytes
    }
  }
}
