import HoldfastPlatform
import Testing

@Suite struct WakeSignalTests {
  /// Far longer than any run: a wait that takes so long has lost its signal.
  static let lost: UInt64 = 30_000_000_000

  @Test func aSignalBeforeTheWaitIsKept() {
    let wake = WakeSignal()
    #expect(!wake.wait(timeoutNanoseconds: 0))
    wake.signal()
    wake.signal()
    #expect(wake.wait(timeoutNanoseconds: 0))
    #expect(!wake.wait(timeoutNanoseconds: 0))
  }

  @Test func aWaitWithoutASignalEndsAfterItsTime() {
    let wake = WakeSignal()
    let clock = ContinuousClock()
    let start = clock.now
    #expect(!wake.wait(timeoutNanoseconds: 20_000_000))
    #expect(clock.now - start >= .milliseconds(20))
  }

  @Test("of many rounds between two threads no wake-up is lost")
  func pingPong() throws {
    let ping = WakeSignal()
    let pong = WakeSignal()
    let lost = Locked<UInt64>(0)
    let rounds = 20_000
    let one: @Sendable () -> Void = {
      for _ in 0..<rounds {
        ping.signal()
        if !pong.wait(timeoutNanoseconds: Self.lost) { return lost.withLock { $0 += 1 } }
      }
    }
    let other: @Sendable () -> Void = {
      for _ in 0..<rounds {
        if !ping.wait(timeoutNanoseconds: Self.lost) { return lost.withLock { $0 += 1 } }
        pong.signal()
      }
    }
    try together([one, other])
    #expect(lost.withLock { $0 } == 0)
  }

  @Test("what was done before a signal is seen after the wait that took it, however they meet")
  func publication() throws {
    let wake = WakeSignal()
    let offered = Locked<UInt64>(0)
    let last: UInt64 = 200_000
    let missed = Locked(false)
    try together([
      {
        for number in 1...last {
          offered.withLock { $0 = number }
          wake.signal()
        }
      },
      {
        while offered.withLock({ $0 }) < last {
          if !wake.wait(timeoutNanoseconds: Self.lost) { return missed.withLock { $0 = true } }
        }
      },
    ])
    #expect(!missed.withLock { $0 })
  }

  @Test func oneSignalWakesOneOfManySleepers() throws {
    let wake = WakeSignal()
    let woken = Locked<UInt64>(0)
    let sleeper: @Sendable () -> Void = {
      if wake.wait(timeoutNanoseconds: Self.lost) { woken.withLock { $0 += 1 } }
    }
    let threads = try (0..<4).map { _ in try BackgroundThread(name: "test", sleeper) }
    for number in 1...4 as ClosedRange<UInt64> {
      wake.signal()
      #expect(eventually { woken.withLock { $0 } == number })
    }
    for thread in threads { thread.join() }
  }
}
