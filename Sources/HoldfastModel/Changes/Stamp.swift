/// A hybrid logical time: the wall clock of whoever wrote, pushed on so that it never goes back.
///
/// Stamps order the values of one register for display (S5); nothing else depends on them.
package struct Stamp: Hashable, Sendable, Comparable {
  /// Milliseconds since 1970, never negative.
  package var milliseconds: Int64
  /// Orders stamps within one millisecond.
  package var counter: UInt32

  package init(milliseconds: Int64, counter: UInt32) {
    self.milliseconds = milliseconds
    self.counter = counter
  }

  /// Before every other stamp.
  package static let zero = Stamp(milliseconds: 0, counter: 0)

  package static func < (left: Stamp, right: Stamp) -> Bool {
    (left.milliseconds, left.counter) < (right.milliseconds, right.counter)
  }

  /// The stamp right after this one.
  package var successor: Stamp {
    counter == .max
      ? Stamp(milliseconds: milliseconds + 1, counter: 0)
      : Stamp(milliseconds: milliseconds, counter: counter + 1)
  }
}

/// The hybrid clock of one replica. Invariant: stamps it gives are strictly increasing, whatever
/// the wall clock does; a remote stamp moves it by at most ``remoteBound`` (S5).
package struct HybridClock: Hashable, Sendable {
  /// The most that a remote stamp moves this clock ahead of the wall clock: 5 minutes, in
  /// milliseconds.
  package static let remoteBound: Int64 = 5 * 60 * 1000

  /// The last stamp given or taken over.
  package private(set) var last: Stamp

  package init(last: Stamp = .zero) { self.last = last }

  /// The next stamp at this wall time.
  package mutating func next(wallMilliseconds: Int64) -> Stamp {
    last =
      wallMilliseconds > last.milliseconds
      ? Stamp(milliseconds: wallMilliseconds, counter: 0) : last.successor
    return last
  }

  /// Takes note of a stamp from elsewhere. Data is never refused for its clock.
  package mutating func observe(_ remote: Stamp, wallMilliseconds: Int64) {
    let latest = max(wallMilliseconds, 0) + Self.remoteBound
    let bounded =
      remote.milliseconds > latest ? Stamp(milliseconds: latest, counter: 0) : remote
    last = max(last, bounded)
  }
}
