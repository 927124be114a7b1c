package import HoldfastModel

/// When a task may be tried again, with what shows that the clock was moved meanwhile (T8).
package struct RetryTime: Hashable, Sendable {
  /// The wall clock when it was set, in milliseconds since 1970.
  package var setMilliseconds: Int64
  /// The milliseconds to wait from then on.
  package var delayMilliseconds: Int64

  /// The first delay: 1 s.
  package static let base: Int64 = 1_000
  /// The longest delay: 1 hour.
  package static let bound: Int64 = 3_600_000

  /// As stored; the delay is held to its bound.
  package init(setMilliseconds: Int64, delayMilliseconds: Int64) {
    self.setMilliseconds = setMilliseconds
    self.delayMilliseconds = min(max(delayMilliseconds, 0), Self.bound)
  }

  /// The time after so many attempts in a row without progress: doubled with each, of which half
  /// is left to chance, so that what failed together is not tried together.
  package init(attempts: UInt32, now: Int64, random: some RandomSource) {
    let whole = min(Self.base << Int64(min(attempts, 12)), Self.bound)
    let drawn = random.bytes(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let chance = Int64(drawn % UInt64(whole / 2 + 1))
    self.init(setMilliseconds: now, delayMilliseconds: whole - whole / 2 + chance)
  }

  /// The milliseconds still to wait; 0 when it is due. A clock that stands before the moment at
  /// which the time was set went back: how long it really was cannot be known, and the task is due.
  package func remaining(now: Int64) -> Int64 {
    let (passed, overflow) = now.subtractingReportingOverflow(setMilliseconds)
    guard passed >= 0, !overflow else { return 0 }
    return max(delayMilliseconds - passed, 0)
  }
}
