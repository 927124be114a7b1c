import HoldfastModel
import HoldfastPlatform

/// A phone's system as one app sees it, in virtual time: it slows the app down, suspends it, ends
/// it, and tells it little.
///
/// Time passes in ``spend(_:on:unless:)`` and ``rest(until:)`` only, while the app works or waits;
/// what the system does falls into these. Faults it injects: every end of ``PhoneEnd``. The store
/// survives them because what a unit gave is committed with its checkpoint (T3), and a dead
/// launch's claims are free (T8).
package final class SimulatedPhone: Sendable {
  package let rules: PhoneRules
  package let clock = ManualClock()
  private let state = Locked(State())

  struct State: Sendable {
    /// Seconds since the first midnight.
    var now = 0.0
    var scene = PhoneScene.ended
    var isRecording = false
    var stay: PhoneStay?
    var leavesAt = Double.infinity
    var leftAt = 0.0
    /// The app said that it needs the grace time; else it is suspended when that is over.
    var usesGrace = false
    var windowEndsAt = Double.infinity
    var diesRecordingAt = Double.infinity
    var returnsAt = Double.infinity
    var suspendedAt = 0.0
    var task: PhoneTask?
    var boots: UInt8 = 1
    var alarms: [(due: Double, body: @Sendable () -> Void)] = []
    var tell: @Sendable (PhoneNews) -> Void = { _ in }
    /// How each process ended, in order.
    var ends: [PhoneEnd] = []
  }

  /// A phone that is switched on, without a process of the app.
  package init(_ rules: PhoneRules = PhoneRules()) { self.rules = rules }

  /// Seconds since the first midnight.
  package var now: Double { state.withLock { $0.now } }
  package var scene: PhoneScene { state.withLock { $0.scene } }
  /// Whether the app's process is there.
  package var isAlive: Bool { scene != .ended }
  /// How the processes ended, in order.
  package var ends: [PhoneEnd] { state.withLock { $0.ends } }
  /// Whether a continued task runs.
  package var hasTask: Bool { state.withLock { $0.task?.isRunning ?? false } }
  /// Whether one was asked for and may still start.
  package var awaitsTask: Bool { state.withLock { $0.task?.isAwaited ?? false } }
  /// Whether work runs at full speed: in the foreground and while it records.
  package var isAtFullSpeed: Bool { state.withLock { $0.isAtFullSpeed } }
  /// When the user leaves the app; infinite while that is not known.
  package var leavesAt: Double { state.withLock { $0.leavesAt } }
  /// When the time in the background is over, if that is known: the grace time's end without a
  /// continued task, or a window's. Seconds since the first midnight.
  package var mustEndAt: Double? {
    state.withLock { state in
      guard state.scene == .background, !state.isRecording else { return nil }
      if state.windowEndsAt < .infinity { return state.windowEndsAt }
      return state.task?.isRunning ?? false ? nil : state.leftAt + rules.graceSeconds
    }
  }

  // MARK: time

  /// Does work of so many seconds at full speed.
  ///
  /// - Parameter isOver: asked whenever something happened: nobody wants the work any more.
  /// - Returns: seconds of it that are left: it was cut, or the process is suspended or ended.
  package func spend(
    _ work: Double, on compute: PhoneCompute, unless isOver: () -> Bool = { false }
  ) -> Double {
    var left = work
    while left > 1e-9 {
      let (now, pace, canRun) = state.withLock { ($0.now, $0.pace(compute), $0.canRun) }
      guard canRun, !isOver() else { return left }
      let next = min(now + left * pace, nextEvent)
      left -= (next - now) / pace
      pass(to: next)
    }
    return 0
  }

  /// Lets time pass until a moment, or until the process is suspended or ended.
  package func rest(until end: Double) {
    while state.withLock({ $0.canRun && $0.now < end }) { pass(to: min(end, nextEvent)) }
  }

  /// Lets time pass while the app does not run.
  package func sleep(until end: Double) {
    let dies = state.withLock { state -> Double in
      guard state.scene == .suspended, let after = state.stay?.endsSuspendedAfterSeconds else {
        return .infinity
      }
      return state.suspendedAt + after
    }
    if dies <= end {
      move(to: dies)
      self.end(.suspended)
    }
    move(to: end)
  }

  /// The next moment at which the system does something, or an alarm rings.
  private var nextEvent: Double { state.withLock { $0.nextEvent(rules) } }

  private func move(to moment: Double) {
    let seconds = state.withLock { state -> Double in
      defer { state.now = max(state.now, moment) }
      return max(moment - state.now, 0)
    }
    clock.advance(seconds: seconds)
  }

  private func pass(to moment: Double) {
    move(to: moment)
    for alarm in state.withLock({ $0.takeAlarms() }) { alarm() }
    while let happening = state.withLock({ $0.happening(rules) }) { happen(happening) }
  }

  private func happen(_ happening: PhoneHappening) {
    switch happening {
    case .end(let how): end(how)
    case .news(let news): state.withLock { $0.tell }(news)
    }
  }

  // MARK: what the app says

  /// Has the app told of what it is told of, until its process ends.
  package func whenTold(_ tell: @escaping @Sendable (PhoneNews) -> Void) {
    state.withLock { $0.tell = tell }
  }

  /// The app needs the grace time when it goes to the background.
  package func useGrace() { state.withLock { $0.usesGrace = true } }

  /// The app asks for a continued task; taken from the foreground only.
  ///
  /// - Returns: whether it was taken.
  package func submitTask() -> Bool {
    state.withLock { state in
      guard state.scene == .foreground, state.task == nil, let fate = state.stay?.task else {
        return false
      }
      state.task = PhoneTask(fate, now: state.now)
      return true
    }
  }

  /// The continued task goes on (T5).
  package func progressed() { state.withLock { $0.task?.progressedAt = $0.now } }

  /// The continued task says that it is done.
  package func finishTask() { state.withLock { $0.task?.isOver = true } }

  /// Nothing is left to do: the system suspends the app.
  package func suspend() {
    state.withLock { state in
      guard state.scene != .ended else { return }
      state.suspend()
    }
  }

  /// Rings in virtual time, as long as the process lives.
  package func ring(afterSeconds seconds: Double, _ body: @escaping @Sendable () -> Void) {
    state.withLock { state in
      guard state.scene != .ended else { return }
      state.alarms.append((state.now + max(seconds, 0), body))
    }
  }

  // MARK: what the user and the system do

  /// A process comes to the foreground, or is there again, for a stay.
  package func enterForeground(_ stay: PhoneStay?, returnsAt: Double = .infinity) {
    let tell = state.withLock { state -> (@Sendable (PhoneNews) -> Void)? in
      defer { state.scene = .foreground }
      state.begin(stay)
      state.isRecording = false
      state.leavesAt = stay.map { state.now + $0.seconds } ?? .infinity
      state.returnsAt = returnsAt
      return state.scene == .background ? state.tell : nil
    }
    tell?(.foreground)
  }

  /// A process runs in the background for so many seconds.
  package func enterWindow(_ seconds: Double, _ stay: PhoneStay) {
    state.withLock { state in
      state.scene = .background
      state.begin(stay)
      state.leftAt = state.now
      state.windowEndsAt = state.now + seconds
    }
  }

  /// The phone lies there and records: in the background, at full speed.
  package func beginRecording(diesAfterSeconds: Double?) {
    state.withLock { state in
      state.isRecording = true
      state.diesRecordingAt = diesAfterSeconds.map { state.now + $0 } ?? .infinity
    }
    leave()
  }

  /// Recording is over; the app stays in the background.
  package func endRecording(_ stay: PhoneStay, returnsAt: Double) {
    state.withLock { state in
      state.begin(stay)
      state.isRecording = false
      state.leftAt = state.now
      state.returnsAt = returnsAt
    }
  }

  /// The user leaves the app.
  package func leave() {
    let tell = state.withLock { state in
      state.leave()
      return state.tell
    }
    tell(.background)
  }

  /// Ends the process, if there is one.
  package func end(_ how: PhoneEnd) {
    let tell = state.withLock { state -> (@Sendable (PhoneNews) -> Void)? in
      guard state.scene != .ended else { return nil }
      defer { state.tell = { _ in } }
      state.scene = .ended
      state.ends.append(how)
      state.isRecording = false
      state.alarms = []
      state.task = nil
      return state.tell
    }
    tell?(.ended)
  }

  /// Starts the device anew.
  package func reboot() {
    let isSuspended = scene == .suspended
    end(isSuspended ? .suspended : .poweredOff)
    let boot = state.withLock { state -> UInt8 in
      state.boots &+= 1
      state.now += 60
      return state.boots
    }
    clock.reboot(boot, after: 60)
  }
}

/// Alarms that ring in a phone's time.
package struct PhoneAlarm: Alarm {
  private let phone: SimulatedPhone

  /// Alarms of the process that is there now.
  package init(_ phone: SimulatedPhone) { self.phone = phone }

  package func ring(afterNanoseconds delay: Int64, _ body: @escaping @Sendable () -> Void) {
    phone.ring(afterSeconds: Double(delay) / 1e9, body)
  }
}
