import HoldfastModel
import HoldfastPlatform
import HoldfastTasks
import Testing

/// What the scheduler answers, a question at a time.
@Suite struct SchedulerTests {
  private let now: Int64 = 1_000_000

  private func moment(
    _ device: DeviceState = DeviceState(), left: Int64? = nil
  ) -> Scheduler.Moment {
    Scheduler.Moment(device: device, wallMilliseconds: now, leftMilliseconds: left)
  }

  private func scheduler(_ change: (inout HandlerTraits) -> Void = { _ in }) -> Scheduler {
    var handler = HandlerTraits(.transcribe, version: 1, unitMilliseconds: 12_000)
    change(&handler)
    return Scheduler(handlers: [handler])
  }

  /// Asks of a single task and expects this obstacle, or a run where it is nil.
  private func expect(
    _ wanted: Obstacle?, _ scheduler: Scheduler, _ task: DueTask, _ moment: Scheduler.Moment,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let decision = scheduler.decide([task], at: moment)
    #expect(decision.obstacles[task.id] == wanted, sourceLocation: sourceLocation)
    #expect(decision.run == (wanted == nil ? task.id : nil), sourceLocation: sourceLocation)
    if let wanted {
      #expect(!wanted.cause.isEmpty && !wanted.wake.isEmpty, sourceLocation: sourceLocation)
    }
  }

  @Test func `the task that has waited for the most turns runs, the others hear why not`() {
    let tasks = (0..<5).map { made($0, turn: UInt64(10 - $0)) }
    let decision = scheduler().decide(tasks, at: moment())
    #expect(decision.run == tasks[4].id)
    #expect(decision.obstacles.count == 4)
    #expect(decision.obstacles.values.allSatisfy { $0 == .turn })
    #expect(scheduler().decide(tasks.reversed(), at: moment()) == decision)
    #expect(scheduler().decide([], at: moment()).run == nil)
  }

  @Test func `T4: a kind that nobody handles is parked, and holds no other`() {
    let known = made(1, turn: 9)
    let unknown = made(2, kind: TaskKind(rawValue: "translate"), turn: 0)
    let decision = scheduler().decide([unknown, known], at: moment())
    #expect(decision.run == known.id)
    #expect(decision.obstacles[unknown.id] == .unknownKind)
  }

  @Test func `T1: quarantined and failed tasks wait for the user`() {
    var task = made(1)
    task.counters = TaskCounters(failures: 0, interruptions: 0, deaths: 3)
    expect(.quarantined, scheduler(), task, moment())
    task.counters = TaskCounters(failures: 5, interruptions: 0, deaths: 0)
    expect(.failed, scheduler(), task, moment())
  }

  @Test func `T1: interrupted fifty times, it waits for other conditions`() {
    var task = made(1)
    let device = DeviceState(holds: [.network])
    task.counters = TaskCounters(failures: 0, interruptions: 50, deaths: 0)
    task.interruptedUnder = device.conditions
    expect(.interruptions, scheduler(), task, moment(device))
    expect(nil, scheduler(), task, moment(DeviceState(holds: [.network, .power])))
    task.counters = TaskCounters(failures: 0, interruptions: 49, deaths: 0)
    expect(nil, scheduler(), task, moment(device))
  }

  @Test func `T4, S8: what is missing is named`() {
    var task = made(1)
    task.lacksInput = true
    expect(.missingInput, scheduler(), task, moment())
    task.unmetDependencies = [.diarize]
    expect(.dependencies([.diarize]), scheduler(), task, moment())
    let needy = scheduler { $0.conditions = [.network, .power] }
    expect(.conditions(.power), needy, made(1), moment(DeviceState(holds: .network)))
    let neural = scheduler { $0.compute = .neuralEngine }
    expect(
      .compute(.neuralEngine), neural, made(1), moment(DeviceState(allowedCompute: [.cpu])))
    #expect(Obstacle.conditions([.power, .network]).cause == "needs network, power")
  }

  @Test func `a hot device follows recordings, and a very hot one nothing`() {
    let task = made(1, available: 12_000)
    let follower = scheduler { $0.follows = true }
    let live = DeviceState(thermal: .serious, recording: [task.recording])
    expect(nil, follower, task, moment(live))
    expect(.heat, follower, task, moment(DeviceState(thermal: .serious)))
    expect(nil, follower, task, moment(DeviceState(thermal: .fair)))
    var critical = live
    critical.thermal = .critical
    expect(.heat, follower, task, moment(critical))
  }

  @Test func `S8: what keeps a whole kind from running is named with what ends it`() {
    func expect(
      _ wanted: Obstacle?, _ scheduler: Scheduler, _ device: DeviceState, window: Int64? = nil,
      sourceLocation: SourceLocation = #_sourceLocation
    ) {
      let found = scheduler.obstacle(
        toKind: .transcribe, on: device, windowMilliseconds: window)
      #expect(found == wanted, sourceLocation: sourceLocation)
      // It is what each of its tasks hears, too, but those of a recording that is followed.
      let decision = scheduler.decide([made(1)], at: moment(device, left: window))
      #expect(decision.obstacles.values.first == wanted, sourceLocation: sourceLocation)
    }
    var needy = scheduler { $0.conditions = [.network, .power] }
    expect(nil, needy, DeviceState())
    expect(.conditions(.power), needy, DeviceState(holds: [.network, .foreground]))
    expect(.conditions([.network, .power]), needy, DeviceState(holds: []))
    expect(.heat, needy, DeviceState(thermal: .serious))
    let neural = scheduler { $0.compute = .neuralEngine }
    expect(.compute(.neuralEngine), neural, DeviceState(allowedCompute: [.cpu]))
    needy.times.measured(8_000, .init(kind: .transcribe, compute: .any, pace: .full))
    expect(nil, needy, DeviceState(), window: 8_000)
    expect(.deadline(8_000), needy, DeviceState(), window: 7_999)
    #expect(Obstacle.conditions(.power).wake == "there is external power")
    #expect(
      Obstacle.conditions([.power, .network]).wake
        == "a network is reachable and there is external power")
    #expect(Obstacle.conditions(.foreground).wake == "the app is in the foreground")
  }

  @Test func `a streaming task follows its recording by whole units, and then takes the rest`() {
    let follower = scheduler { $0.follows = true }
    let task = made(1, available: 11_999)
    let live = DeviceState(recording: [task.recording])
    expect(.recordingRuns, follower, task, moment(live))
    expect(nil, follower, made(1, available: 12_000), moment(live))
    expect(nil, follower, task, moment())
    expect(.recordingRuns, scheduler(), made(1, available: 99_000), moment(live))
  }

  @Test func `what follows a running recording is four turns ahead, and no more`() {
    let follower = scheduler { $0.follows = true }
    let old = made(1, turn: 2, available: 12_000)
    for (turn, leads) in [(UInt64(0), true), (5, true), (7, false), (.max, false)] {
      let stream = made(2, turn: turn, available: 12_000)
      let live = DeviceState(recording: [stream.recording])
      let decision = follower.decide([old, stream], at: moment(live))
      #expect(decision.run == (leads ? stream.id : old.id))
    }
  }

  @Test func `T6: a unit that by its measured time cannot end before the deadline is not begun`() {
    var scheduler = scheduler()
    let task = made(1)
    expect(nil, scheduler, task, moment(left: 1))
    expect(.deadline(0), scheduler, task, moment(left: 0))
    scheduler.times.measured(8_000, .init(kind: .transcribe, compute: .any, pace: .full))
    expect(nil, scheduler, task, moment(left: 8_000))
    expect(.deadline(8_000), scheduler, task, moment(left: 7_999))
    expect(nil, scheduler, task, moment())
    let background = DeviceState(holds: [])
    expect(.deadline(168_000), scheduler, task, moment(background, left: 30_000))
    scheduler.times.measured(20_000, .init(kind: .transcribe, compute: .any, pace: .background))
    expect(nil, scheduler, task, moment(background, left: 30_000))
  }

  @Test func `T6: a short task runs where a long one does not fit`() {
    var scheduler = Scheduler(handlers: [
      HandlerTraits(.transcribe, version: 1), HandlerTraits(.summarize, version: 1),
    ])
    scheduler.times.measured(60_000, .init(kind: .transcribe, compute: .any, pace: .full))
    let (long, short) = (made(1, turn: 0), made(2, kind: .summarize, turn: 5))
    let decision = scheduler.decide([long, short], at: moment(left: 30_000))
    #expect(decision.run == short.id)
    #expect(decision.obstacles[long.id] == .deadline(60_000))
  }

  @Test func `T8: after a failure it waits, and the answer says how long`() {
    var (soon, late) = (made(1), made(2))
    soon.retry = RetryTime(setMilliseconds: now - 400, delayMilliseconds: 1_000)
    late.retry = RetryTime(setMilliseconds: now, delayMilliseconds: 9_000)
    let decision = scheduler().decide([late, soon], at: moment())
    #expect(decision.run == nil)
    #expect(decision.obstacles[soon.id] == .backoff(600))
    #expect(decision.wakeMilliseconds == 600)
    soon.retry = RetryTime(setMilliseconds: now - 1_000, delayMilliseconds: 1_000)
    expect(nil, scheduler(), soon, moment())
  }

  @Test func `T8: a clock that jumps costs at most the clamped delay`() {
    let jumps: [Int64] = [.min, -86_400_000_000, -1, 0, 1, 86_400_000_000, .max]
    for jump in jumps {
      let retry = RetryTime(setMilliseconds: now, delayMilliseconds: .max)
      #expect(retry.remaining(now: jump) <= RetryTime.bound)
      #expect(retry.remaining(now: jump) >= 0)
    }
    let retry = RetryTime(setMilliseconds: now, delayMilliseconds: 5_000)
    #expect(retry.remaining(now: now - 1) == 0, "set in the future: the clock went back")
  }

  @Test func `T8: delays grow to their bound, with jitter within half of each`() {
    let random = Source(seed: 3)
    for attempts in UInt32(0)...40 {
      let whole = min(RetryTime.base << Int64(min(attempts, 12)), RetryTime.bound)
      let delays = (0..<50).map { _ in
        RetryTime(attempts: attempts, now: now, random: random).delayMilliseconds
      }
      #expect(delays.allSatisfy { (whole / 2...whole).contains($0) })
      #expect(Set(delays).count > 10)
    }
  }

  @Test func `unit times keep kinds, compute units and paces apart`() {
    var times = UnitTimes()
    let full = UnitTimes.Key(kind: .transcribe, compute: .neuralEngine, pace: .full)
    var slow = full
    slow.pace = .background
    #expect(times.expected(full) == nil)
    times.measured(1_000, slow)
    #expect(times.expected(full) == 1_000, "what the background managed is no less here")
    times.measured(800, full)
    times.measured(0, full)
    #expect(times.expected(full) == 700, "shorter times count bit by bit")
    times.measured(3_000, full)
    #expect(times.expected(full) == 3_000, "a longer one counts at once")
    #expect(times.expected(slow) == 1_000)
    var other = full
    other.compute = .cpu
    #expect(times.expected(other) == nil)
    times.measured(.max, other)
    other.pace = .background
    #expect(times.expected(other) == UnitTimes.bound)
  }
}
