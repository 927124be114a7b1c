import HoldfastModel
import HoldfastPlatform

/// An alarm that rings when a test says so: time is what the test makes of it.
package final class ManualAlarm: Alarm {
  private struct State: Sendable {
    var bodies: [@Sendable () -> Void] = []
    var waiters: [CheckedContinuation<Void, Never>] = []
  }
  private let state = Locked(State())

  /// An alarm that nobody has set.
  package init() {}

  /// How often it is set.
  package var count: UInt64 { state.withLock { UInt64($0.bodies.count) } }

  package func ring(afterNanoseconds delay: Int64, _ body: @escaping @Sendable () -> Void) {
    let waiters = state.withLock { state in
      state.bodies.append(body)
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  /// Waits until it is set.
  package func whenSet() async {
    await withCheckedContinuation { continuation in
      let isSet = state.withLock { state in
        if state.bodies.isEmpty { state.waiters.append(continuation) }
        return !state.bodies.isEmpty
      }
      if isSet { continuation.resume() }
    }
  }

  /// Lets the time pass: calls what was set so far.
  package func ring() {
    let bodies = state.withLock { state in
      defer { state.bodies = [] }
      return state.bodies
    }
    for body in bodies { body() }
  }
}
