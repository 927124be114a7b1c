/// Places moments on a recording's time line.
///
/// Within the boot in which the recording began, time is monotonic and steps of the wall clock
/// change nothing: wall times are given as start + elapsed. In another boot only the wall clock is
/// left.
package struct RecordingClock: Hashable, Sendable {
  /// Both clocks when the recording began.
  package let start: Moment

  package init(start: Moment) { self.start = start }

  /// A moment as the recording sees it.
  package struct Place: Hashable, Sendable {
    /// Nanoseconds since the recording's start, never negative.
    package var nanoseconds: Int64
    /// The steady wall time: milliseconds since 1970.
    package var wallMilliseconds: Int64
    package var known: GapKnowledge
  }

  /// Where a moment lies.
  package func place(_ moment: Moment) -> Place {
    if moment.boot == start.boot {
      let elapsed = max(moment.monotonicNanoseconds - start.monotonicNanoseconds, 0)
      return Place(
        nanoseconds: elapsed, wallMilliseconds: start.wallMilliseconds + elapsed / 1_000_000,
        known: .monotonic)
    }
    // Bounded so that a clock set by centuries cannot overflow the nanoseconds.
    let elapsed = min(max(moment.wallMilliseconds - start.wallMilliseconds, 0), Self.longest)
    return Place(
      nanoseconds: elapsed * 1_000_000, wallMilliseconds: start.wallMilliseconds + elapsed,
      known: .wall)
  }

  /// The longest recording that is told apart from a wrong clock: 10 years, in milliseconds.
  private static let longest: Int64 = 10 * 366 * 86_400_000
}
