import Foundation
import HoldfastModel
import HoldfastPlatform
import Testing

/// Signals belong to the process, so each test is one of its own.
@Suite struct SignalWatcherTests {
  /// What a watcher delivered.
  private final class Seen: Sendable {
    let signals = Locked<[SignalWatcher.Signal]>([])
    let wake = WakeSignal()

    func add(_ signal: SignalWatcher.Signal) {
      signals.withLock { $0.append(signal) }
      wake.signal()
    }

    /// Sends a signal to the process and waits until it was delivered.
    func send(_ signal: SignalWatcher.Signal) {
      kill(getpid(), signal.rawValue)
      #expect(wake.wait(timeoutNanoseconds: WakeSignalTests.lost))
    }
  }

  @Test func signalsAreDeliveredInOrderOnAThreadWhereAnythingMayBeDone() async {
    await #expect(processExitsWith: .success) {
      unblockSignals()
      let seen = Seen()
      let all: [SignalWatcher.Signal] = [.interrupt, .terminate, .hangUp, .user1, .user2]
      let watcher = try SignalWatcher(all) { seen.add($0) }
      for signal in all { seen.send(signal) }
      #expect(seen.signals.withLock { $0 } == all)
      watcher.cancel()
      watcher.cancel()
    }
  }

  @Test func aCancelledWatcherGivesTheSignalsBack() async {
    await #expect(processExitsWith: .signal(SIGUSR1)) {
      unblockSignals()
      let seen = Seen()
      let watcher = try SignalWatcher([.user1]) { seen.add($0) }
      seen.send(.user1)
      watcher.cancel()
      kill(getpid(), SIGUSR1)
    }
  }

  @Test func aWatcherThatIsLetGoIsCancelled() async {
    await #expect(processExitsWith: .signal(SIGUSR2)) {
      unblockSignals()
      do { _ = try SignalWatcher([.user2]) { _ in } }
      kill(getpid(), SIGUSR2)
    }
  }

  @Test func thereIsOneWatcherAtATimeAndAnotherAfterIt() async {
    await #expect(processExitsWith: .success) {
      unblockSignals()
      let seen = Seen()
      let first = try SignalWatcher([.user1]) { _ in }
      #expect(kind(try SignalWatcher([.user2]) { _ in }) == .exists)
      first.cancel()
      let second = try SignalWatcher([.user1]) { seen.add($0) }
      seen.send(.user1)
      second.cancel()
      #expect(seen.signals.withLock { $0 } == [.user1])
    }
  }

  @Test func aSignalThatCannotBeHandledIsRefusedAndTheOthersAreGivenBack() async {
    await #expect(processExitsWith: .signal(SIGUSR1)) {
      unblockSignals()
      let impossible = SignalWatcher.Signal(rawValue: SIGKILL)
      #expect(fault(try SignalWatcher([.user1, impossible]) { _ in })?.errno == EINVAL)
      #expect(
        fault(try SignalWatcher([SignalWatcher.Signal(rawValue: 999)]) { _ in })?.errno == EINVAL)
      try SignalWatcher([.user2]) { _ in }.cancel()
      kill(getpid(), SIGUSR1)
    }
  }

  @Test func theClosureMayCancelItsOwnWatcher() async {
    await #expect(processExitsWith: .success) {
      unblockSignals()
      let seen = Seen()
      let held = Locked<SignalWatcher?>(nil)
      let watcher = try SignalWatcher([.user1]) { signal in
        held.withLock { $0 }?.cancel()
        seen.add(signal)
      }
      held.withLock { $0 = watcher }
      seen.send(.user1)
      watcher.cancel()
      #expect(seen.signals.withLock { $0 } == [.user1])
    }
  }

  @Test func aProgramThatWeStartHasTheSignalsOfASystemProgram() async {
    await #expect(processExitsWith: .success) {
      unblockSignals()
      let seen = Seen()
      let watcher = try SignalWatcher([.user1, .terminate]) { seen.add($0) }
      #expect(system("kill -USR1 $$") & 0x7f == SIGUSR1)
      #expect(system("kill -TERM $$") & 0x7f == SIGTERM)
      #expect(seen.signals.withLock { $0 } == [])
      watcher.cancel()
    }
  }

  @Test("a storm of signals from another process is survived and the last one seen")
  func storm() async {
    await #expect(processExitsWith: .success) {
      unblockSignals()
      let seen = Seen()
      let ended = WakeSignal()
      let watcher = try SignalWatcher([.user1, .user2]) { signal in
        seen.add(signal)
        if signal == .user2 { ended.signal() }
      }
      let line = "i=0; while [ $i -lt 2000 ]; do kill -USR1 \(getpid()); i=$((i+1)); done"
      #expect(try Command.run(line + "; kill -USR2 \(getpid())").code == 0)
      #expect(ended.wait(timeoutNanoseconds: WakeSignalTests.lost))
      watcher.cancel()
      let signals = seen.signals.withLock { $0 }
      #expect(signals.contains(.user1))
      #expect(signals.count { $0 == .user2 } == 1)
    }
  }
}
