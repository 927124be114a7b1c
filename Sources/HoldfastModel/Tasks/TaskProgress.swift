/// How far a task is: 0…10,000, never less than before (T5).
package struct TaskProgress: Hashable, Sendable, Comparable {
  /// The units of progress that are done.
  package private(set) var units: UInt32

  /// All of it.
  package static let whole: UInt32 = 10_000

  /// Progress as stored; more than the whole is the whole.
  package init(units: UInt32 = 0) { self.units = min(units, Self.whole) }

  /// The same as a part of the whole, 0…1.
  package var fraction: Double { Double(units) / Double(Self.whole) }

  /// Moves on to a fraction of the whole; what is less, or no number, changes nothing.
  package mutating func advance(to fraction: Double) {
    guard fraction > 0 else { return }
    units = max(units, UInt32(min(fraction, 1) * Double(Self.whole)))
  }

  package static func < (left: TaskProgress, right: TaskProgress) -> Bool {
    left.units < right.units
  }
}
