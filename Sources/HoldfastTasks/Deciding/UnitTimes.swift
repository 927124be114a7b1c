package import HoldfastModel

/// Measured times of units. Kinds, compute units and paces are kept apart.
package struct UnitTimes: Hashable, Sendable {
  /// What one measurement speaks of.
  package struct Key: Hashable, Sendable {
    package var kind: TaskKind
    package var compute: ComputeUnit
    package var pace: Pace

    package init(kind: TaskKind, compute: ComputeUnit, pace: Pace) {
      self.kind = kind
      self.compute = compute
      self.pace = pace
    }
  }

  private var times: [Key: Int64] = [:]
  /// No unit is taken to last longer: a day.
  package static let bound: Int64 = 86_400_000

  /// Nothing measured.
  package init() {}

  /// Takes a unit's time, in milliseconds. A longer one counts at once, shorter ones bit by bit:
  /// a unit begun too late costs more than one begun too seldom.
  package mutating func measured(_ milliseconds: Int64, _ key: Key) {
    let taken = min(max(milliseconds, 0), Self.bound)
    guard let known = times[key], known > taken else {
      times[key] = taken
      return
    }
    times[key] = taken + (known - taken) * 7 / 8
  }

  /// Takes what was known before, where nothing was measured since.
  package mutating func know(_ milliseconds: Int64, _ key: Key) {
    if times[key] == nil { times[key] = min(max(milliseconds, 0), Self.bound) }
  }

  /// The milliseconds that a unit is taken to need; nil when nothing of its kind was measured.
  /// A pace that was not measured is judged by the other one, towards the longer time.
  package func expected(_ key: Key) -> Int64? {
    if let known = times[key] { return known }
    var other = key
    other.pace = key.pace == .full ? .background : .full
    guard let known = times[other] else { return nil }
    return key.pace == .full ? known : min(known * key.compute.backgroundFactor, Self.bound)
  }
}
