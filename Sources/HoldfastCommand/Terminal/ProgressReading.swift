/// How far a piece of work has come.
package struct ProgressReading: Sendable {
  /// What an amount counts.
  package enum Unit: Sendable {
    case bytes
    /// Seconds of audio.
    case seconds
  }

  /// What is being done: "Importing talk.wav".
  package let label: String
  /// What the amounts count.
  package let unit: Unit
  /// How much is done.
  package let done: Double
  /// How much there is; nil when nobody knows.
  package let total: Double?

  /// Bytes done, of all.
  package init(_ label: String, bytes done: UInt64, of total: UInt64?) {
    self.label = label
    unit = .bytes
    self.done = Double(done)
    self.total = total.map { Double($0) }
  }

  /// Seconds of audio done, of all.
  package init(_ label: String, seconds done: Double, of total: Double?) {
    self.label = label
    unit = .seconds
    self.done = done
    self.total = total
  }

  /// An amount with its unit.
  func amount(_ value: Double) -> String {
    switch unit {
    case .bytes: Units.bytes(UInt64(max(0, value)))
    case .seconds: Units.duration(value)
    }
  }

  /// What is done each second of the clock: bytes, or how many times faster than it plays.
  func rate(_ perSecond: Double) -> String {
    switch unit {
    case .bytes: amount(perSecond) + "/s"
    case .seconds: Units.oneDecimal(min(max(0, perSecond), 1e9)) + "×"
    }
  }

  /// The part that is done, 0…1; nil without a usable total.
  var fraction: Double? {
    guard let total, total > 0, done.isFinite else { return nil }
    return min(1, max(0, done / total))
  }
}
