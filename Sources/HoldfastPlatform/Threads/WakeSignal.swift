import CHoldfastPlatform

/// A latch that one thread sets and another sleeps on.
///
/// Invariants:
/// 1. A signal stays until one wait takes it: it is never lost, whether it comes before the wait
///    or during it. Signals that nobody has taken yet are one.
/// 2. ``signal()`` without a sleeper is two atomic operations; a real-time thread may call it. With
///    one it also takes a mutex, which a sleeper holds for a few instructions only.
///
/// Why none is lost: the signal is stored before `sleepers` is read, and `sleepers` is counted up
/// before the signal is read, all in one order of all threads. So either the sleeper sees the
/// signal, or the signaller sees the sleeper, and then it must wait for the mutex until the sleeper
/// really sleeps.
package final class WakeSignal: Sendable {
  private let pending = AtomicWord()
  private let sleepers = AtomicWord()
  private let mutex = ThreadMutex()
  private let condition = ThreadCondition()

  /// A latch that is not set.
  package init() {}

  /// Sets the latch and wakes one sleeper.
  package func signal() {
    guard pending.exchange(1) == 0, sleepers.loadOrdered() > 0 else { return }
    mutex.lock()
    condition.wakeOne()
    mutex.unlock()
  }

  /// Sleeps until the latch is set, and clears it.
  ///
  /// - Parameter timeoutNanoseconds: how long at most, by a clock that nobody sets; nil is for
  ///   ever, 0 only looks.
  /// - Returns: whether there was a signal.
  @discardableResult
  package func wait(timeoutNanoseconds: UInt64? = nil) -> Bool {
    if take() { return true }
    if timeoutNanoseconds == 0 { return false }
    let start = hf_awake_nanoseconds()
    mutex.lock()
    sleepers.add(1)
    defer {
      sleepers.add(UInt64.max)
      mutex.unlock()
    }
    while !take() {
      guard let timeout = timeoutNanoseconds else {
        condition.wait(mutex)
        continue
      }
      let passed = hf_awake_nanoseconds() - start
      guard passed < timeout else { return false }
      condition.wait(mutex, nanoseconds: timeout - passed)
    }
    return true
  }

  private func take() -> Bool { pending.exchange(0) == 1 }
}
