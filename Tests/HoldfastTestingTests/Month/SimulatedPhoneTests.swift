import HoldfastPlatform
import HoldfastTesting
import Testing

/// The phone's system does what was measured, in the shares that were measured.
@Suite("A simulated phone")
struct SimulatedPhoneTests {
  static let rules = PhoneRules()

  /// A stay of 10 s with a fate of its own, and nothing that happens by chance.
  static func stay(_ task: ContinuedFate = .neverStarts) -> PhoneStay {
    var dice = PhoneDice(1)
    var stay = PhoneStay(seconds: 10, rules, &dice)
    stay.task = task
    stay.processorSlowdown = 16
    stay.neuralSlowdown = 2
    stay.killedAfterSeconds = nil
    stay.endsSuspendedAfterSeconds = nil
    return stay
  }

  /// A phone with a process in the foreground, and what it was told.
  static func open(_ stay: PhoneStay) -> (SimulatedPhone, Locked<[PhoneNews]>) {
    let (phone, told) = (SimulatedPhone(), Locked<[PhoneNews]>([]))
    phone.enterForeground(stay)
    phone.whenTold { news in told.withLock { $0.append(news) } }
    return (phone, told)
  }

  @Test("fates, lives and slowdowns are spread as they were measured")
  func shares() {
    var dice = PhoneDice(42)
    let stays = (0..<4_000).map { _ in PhoneStay(seconds: 1, Self.rules, &dice) }
    let never = stays.filter { $0.task == .neverStarts }
    #expect(abs(Double(never.count) / 4_000 - 0.29) < 0.02)
    var lives: [Double] = []
    for case .starts(let after, let seconds, _) in stays.map(\.task) {
      #expect(Self.rules.startSeconds.contains(after))
      lives.append(seconds)
    }
    #expect(lives.allSatisfy(Self.rules.lifeSeconds.contains))
    #expect(lives.min() ?? 0 < 50 && lives.max() ?? 0 > 610)
    #expect(abs(lives.reduce(0, +) / Double(lives.count) - 333) < 15)
    #expect(stays.allSatisfy { (12...21).contains($0.processorSlowdown) })
    // 8.4 s of work in the foreground were 102 to 174 s in the background.
    let long = stays.map { $0.processorSlowdown * 8.4 }
    #expect(long.min() ?? 0 < 103 && long.max() ?? 0 > 173)
    let suspended = stays.filter { $0.endsSuspendedAfterSeconds != nil }
    #expect(Double(suspended.count) / 4_000 > 0.5)
  }

  @Test("days are the same for a seed, and others for another")
  func plans() {
    let plan = PhonePlan(days: 30, seed: 5)
    #expect(plan.events.map(\.event) == PhonePlan(days: 30, seed: 5).events.map(\.event))
    #expect(plan.events.map(\.event) != PhonePlan(days: 30, seed: 6).events.map(\.event))
    var meetings: [PhonePlan.Meeting] = []
    for case .meeting(let meeting) in plan.events.map(\.event) { meetings.append(meeting) }
    #expect((40...120).contains(meetings.count))
    #expect(meetings.allSatisfy { (300...5_400).contains($0.seconds) })
    for item in plan.events {
      guard case .meeting = item.event else { continue }
      #expect((8...23).contains(item.at.truncatingRemainder(dividingBy: 86_400) / 3_600))
    }
  }

  @Test("work runs at full speed in the foreground and many times slower in the background")
  func pace() {
    let (phone, told) = Self.open(Self.stay())
    #expect(phone.spend(4, on: .processor) == 0 && abs(phone.now - 4) < 1e-6)
    // The user leaves in the middle: 6 s at full speed, the rest 16 times slower.
    #expect(phone.spend(7, on: .processor) == 0 && abs(phone.now - 26) < 1e-6)
    #expect(phone.spend(1, on: .neuralEngine) == 0 && abs(phone.now - 28) < 1e-6)
    #expect(told.withLock { $0 } == [.background])
  }

  @Test("without a continued task the process stands still 30 s after the user left")
  func suspended() {
    let (phone, _) = Self.open(Self.stay())
    #expect(phone.submitTask())
    let left = phone.spend(100, on: .processor)
    #expect(phone.scene == .suspended && abs(phone.now - 40) < 1e-6)
    #expect(abs(left - (100 - 10 - 30.0 / 16)) < 1e-6)
    phone.sleep(until: 5_000)
    #expect(phone.spend(left, on: .processor) == left && phone.now == 5_000)
    phone.enterForeground(Self.stay())
    #expect(phone.spend(5, on: .processor) == 0)
  }

  @Test("a process that asked for the grace time and outlives it is ended")
  func outlived() {
    let (phone, told) = Self.open(Self.stay())
    phone.useGrace()
    #expect(phone.spend(100, on: .processor) > 0)
    #expect(phone.ends == [.inGrace] && abs(phone.now - 40) < 1e-6)
    #expect(told.withLock { $0 } == [.background, .ended])
  }

  @Test("a continued task gives time until it vanishes with its process, or is told of its end")
  func lives() {
    for expires in [false, true] {
      let fate = ContinuedFate.starts(afterSeconds: 2, livesSeconds: 100, expires: expires)
      let (phone, told) = Self.open(Self.stay(fate))
      #expect(phone.submitTask() && !phone.submitTask())
      while phone.scene != .ended, phone.scene != .suspended {
        _ = phone.spend(1, on: .neuralEngine)
        phone.progressed()
      }
      #expect(phone.ends == (expires ? [] : [.withTask]))
      #expect(abs(phone.now - (expires ? 107 : 102)) < 1e-6)
      let last: PhoneNews = expires ? .taskExpired : .ended
      #expect(told.withLock { $0 } == [.taskStarted, .background, last])
    }
  }

  @Test("a continued task that does not go on for 30 s ends its process")
  func stale() {
    let fate = ContinuedFate.starts(afterSeconds: 2, livesSeconds: 600, expires: true)
    let (phone, _) = Self.open(Self.stay(fate))
    #expect(phone.submitTask())
    phone.rest(until: 20)
    phone.progressed()
    #expect(phone.spend(100, on: .processor) > 0)
    #expect(phone.ends == [.stale] && abs(phone.now - 50) < 1e-6)
  }

  @Test("a task is taken from the foreground only")
  func submitting() {
    let (phone, _) = Self.open(Self.stay())
    phone.leave()
    #expect(!phone.submitTask())
  }

  @Test("a suspended process ends by itself, or is there when the user comes back")
  func ends() {
    var stay = Self.stay()
    stay.endsSuspendedAfterSeconds = 500
    let (phone, told) = Self.open(stay)
    phone.rest(until: .infinity)
    phone.sleep(until: 10_000)
    #expect(phone.ends == [.suspended] && phone.now == 10_000)
    #expect(told.withLock { $0 } == [.background, .ended])
  }

  @Test("alarms ring in the phone's time, and not after the end of their process")
  func alarms() {
    let (phone, _) = Self.open(Self.stay())
    let rung = Locked<[Double]>([])
    for seconds in [3.0, 1, 60] {
      PhoneAlarm(phone).ring(afterNanoseconds: Int64(seconds * 1e9)) {
        rung.withLock { $0.append(phone.now) }
      }
    }
    let before = phone.clock.now()
    #expect(phone.spend(5, on: .processor) == 0)
    #expect(rung.withLock { $0 } == [1, 3])
    let passed = phone.clock.now().monotonicNanoseconds - before.monotonicNanoseconds
    #expect(abs(passed - 5_000_000_000) < 1_000)
    phone.end(.withTask)
    phone.enterForeground(nil)
    phone.rest(until: 100)
    #expect(rung.withLock { $0 } == [1, 3])
  }
}
