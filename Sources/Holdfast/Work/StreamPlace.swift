import HoldfastPlatform

/// How far a stream of sound has come.
final class StreamPlace: Sendable {
  private let reached: Locked<Double>

  init(_ seconds: Double) { reached = Locked(seconds) }

  /// Recording time, seconds.
  var seconds: Double {
    get { reached.withLock { $0 } }
    set { reached.withLock { $0 = newValue } }
  }
}
