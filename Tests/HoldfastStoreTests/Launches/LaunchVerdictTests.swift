import Foundation
import HoldfastModel
import HoldfastPlatform
import HoldfastStore
import HoldfastTesting
import Testing

/// L2: what a launch's own records say of how it ended.
@Suite struct LaunchVerdictTests {
  /// A launch file that is written as an app would, and read when the process is gone.
  private final class Flight {
    let root = FileManager.default.temporaryDirectory.path + "/holdfast-l2-\(UUID().uuidString)"
    let clock = ManualClock(wallMilliseconds: 1_790_000_000_000)
    let file: LaunchFile
    private let layout: StoreLayout

    init(_ device: any DeviceSense = SilentDevice()) throws {
      layout = StoreLayout(root)
      try FileManager.default.createDirectory(
        atPath: layout.launches, withIntermediateDirectories: true)
      var environment = StoreEnvironment.system()
      environment.clock = clock
      environment.device = device
      let now = clock.now()
      file = try LaunchFile(
        layout,
        LaunchHeader(
          launch: LaunchID(random: environment.random), store: StoreID(random: environment.random),
          boot: now.boot, process: 7, program: "app", started: LaunchTime(now)), environment)
    }

    deinit { try? FileManager.default.removeItem(atPath: root) }

    func note(_ name: LaunchEventName, _ detail: String = "", after seconds: Double = 1) {
      clock.advance(seconds: seconds)
      file.note(name.rawValue, detail: detail)
    }

    func beat(_ beat: LaunchHeartbeat, after seconds: Double = 1) {
      clock.advance(seconds: seconds)
      file.beat(beat)
    }

    /// The process is gone; another one asks.
    func verdict(boot: BootID? = nil) throws -> LaunchVerdict {
      file.drop()
      let log = try #require(
        try LaunchLog.read(layout.launchFile(file.header.launch), SystemFiles()))
      #expect(!log.isAlive)
      return LaunchVerdict(log, boot: boot ?? clock.now().boot)
    }
  }

  private let task = "app.meetings.work.59df1601a7d576f0a6032f92c649029b"

  @Test("a clean end, and an end while suspended, are what was recorded")
  func recorded() throws {
    let clean = try Flight()
    clean.note(.foreground)
    clean.file.setState(.ended)
    #expect(try clean.verdict().kind == .clean)
    let suspended = try Flight()
    suspended.note(.background)
    suspended.note(.submitted, task)
    suspended.file.setState(.suspended)
    let verdict = try suspended.verdict()
    #expect(verdict.kind == .endedWhileSuspended && !verdict.kind.isSilentDeath)
    #expect(verdict.evidence.contains("\(task) was submitted and never started"))
  }

  @Test("gone within the grace period, no task running")
  func grace() throws {
    let flight = try Flight()
    flight.note(.foreground)
    flight.note(.background, after: 100)
    flight.note(.graceBegan, "30", after: 0)
    flight.beat(LaunchHeartbeat(), after: 28)
    let verdict = try flight.verdict()
    #expect(verdict.kind == .killedInGrace)
    #expect(verdict.evidence.contains("28.0 s before"))
  }

  @Test("a running task that had not gone on for half a minute")
  func stale() throws {
    let flight = try Flight()
    flight.note(.background)
    flight.note(.submitted, task)
    flight.note(.started, task, after: 3)
    for step in 1...4 {
      flight.beat(LaunchHeartbeat(task: task, unit: 1, progress: UInt64(step) * 100), after: 10)
    }
    // It lives and beats, and does not go on.
    for _ in 0..<4 { flight.beat(LaunchHeartbeat(task: task, unit: 1, progress: 400), after: 10) }
    let verdict = try flight.verdict()
    #expect(verdict.kind == .killedAfterStaleProgress && verdict.kind.isSilentDeath)
    #expect(verdict.evidence.contains("had gone on 40.0 s before"))
  }

  @Test("a running task that went on is not stale")
  func goingOn() throws {
    let flight = try Flight()
    flight.note(.background)
    flight.note(.started, task)
    for step in 1...9 {
      flight.beat(LaunchHeartbeat(task: task, unit: 1, progress: UInt64(step) * 100), after: 10)
    }
    let verdict = try flight.verdict()
    #expect(verdict.kind == .unknown && verdict.evidence.contains("0.0 s before"))
  }

  @Test("a task that the system ended or the user stopped is no death of ours")
  func expired() throws {
    let flight = try Flight()
    flight.note(.background)
    flight.note(.started, task)
    flight.note(.expired, task, after: 240)
    let verdict = try flight.verdict()
    #expect(verdict.kind == .expiredOrStopped && !verdict.kind.isSilentDeath)
  }

  @Test("a task that was submitted and never started")
  func neverStarted() throws {
    let flight = try Flight()
    flight.note(.foreground)
    flight.note(.submitted, task)
    flight.note(.background)
    flight.beat(LaunchHeartbeat(), after: 200)
    let verdict = try flight.verdict()
    #expect(verdict.kind == .neverStarted && verdict.evidence.contains(task))
  }

  @Test("a task that finished leaves the rest to the scene")
  func finished() throws {
    let flight = try Flight()
    flight.note(.foreground)
    flight.note(.submitted, task)
    flight.note(.started, task)
    flight.note(.finished, task, after: 60)
    let verdict = try flight.verdict()
    #expect(verdict.kind == .killedInForeground && verdict.kind.isSilentDeath)
  }

  @Test("a new boot is a power-off, whatever was running; nothing noted is unknown")
  func others() throws {
    let off = try Flight()
    off.note(.foreground)
    off.note(.started, task)
    let verdict = try off.verdict(boot: ManualClock(boot: 9).now().boot)
    #expect(verdict.kind == .poweredOff && !verdict.kind.isSilentDeath)
    #expect(try Flight().verdict().kind == .unknown)
  }

  @Test("heartbeats cost no room, and the last one counts; events keep the last 384")
  func bounded() throws {
    let flight = try Flight(HotDevice())
    let size =
      try FileManager.default.attributesOfItem(
        atPath: StoreLayout(flight.root).launchFile(flight.file.header.launch))[.size] as? UInt64
    for unit in 0..<1_000 as Range<UInt64> {
      flight.beat(
        LaunchHeartbeat(task: "transcribe", unit: unit), after: 0.01)
      flight.note(.memoryWarning, after: 0)
    }
    flight.file.drop()
    let path = StoreLayout(flight.root).launchFile(flight.file.header.launch)
    let log = try #require(try LaunchLog.read(path, SystemFiles()))
    #expect(log.heartbeat?.unit == 999 && log.heartbeat?.vitals == HotDevice.hot)
    #expect(log.events.count == 384 && log.events.last?.number == 1_000)
    let after = try FileManager.default.attributesOfItem(atPath: path)[.size] as? UInt64
    #expect(after == size)
  }

  @Test("an end without a word tells memory, heat and the work in hand (L2)")
  func signs() throws {
    let flight = try Flight(HotDevice())
    flight.note(.foreground)
    flight.note(.memoryWarning)
    flight.beat(LaunchHeartbeat(task: "transcribe 0f", unit: 7, progress: 100), after: 4)
    flight.note(LaunchEventName(rawValue: "capture"), after: 3)
    let verdict = try flight.verdict()
    #expect(verdict.kind == .killedInForeground)
    #expect(
      verdict.evidence.contains("asked for memory 7.0 s before, with 1074 MB in use"),
      "\(verdict.evidence)")
    #expect(
      verdict.evidence.hasSuffix(
        "its last heartbeat, 3.0 s earlier, told: 1074 MB in use, the device hot, "
          + "power being saved, transcribe in hand, unit 7"), "\(verdict.evidence)")
  }

  @Test("a heartbeat of the device alone leaves what is in hand, until that is over (L2, T5)")
  func inHand() throws {
    let flight = try Flight(HotDevice())
    flight.beat(LaunchHeartbeat(task: "transcribe 0f", unit: 7, progress: 100))
    let went = flight.clock.now().monotonicNanoseconds
    flight.clock.advance(seconds: 10)
    flight.file.beat()
    flight.file.rest("summarize 0f")
    let path = StoreLayout(flight.root).launchFile(flight.file.header.launch)
    let during = try #require(try LaunchLog.read(path, SystemFiles())?.heartbeat)
    #expect(during.task == "transcribe 0f" && during.unit == 7)
    #expect(during.progressed.monotonicNanoseconds == went && during.at > during.progressed)
    flight.file.rest("transcribe 0f")
    let after = try #require(try LaunchLog.read(path, SystemFiles())?.heartbeat)
    #expect(after.task.isEmpty && after.vitals == HotDevice.hot)
  }

  @Test("a continued task goes on with the units of work, whatever the system calls it (L2)")
  func otherName() throws {
    let flight = try Flight()
    flight.note(.background)
    flight.note(.started, task)
    for unit in 1...9 as ClosedRange<UInt64> {
      flight.beat(LaunchHeartbeat(task: "transcribe 0f", unit: unit), after: 10)
    }
    #expect(try flight.verdict().kind == .unknown)
    let stuck = try Flight()
    stuck.note(.background)
    stuck.note(.started, task)
    for _ in 1...9 {
      stuck.clock.advance(seconds: 10)
      stuck.file.beat()
    }
    #expect(try stuck.verdict().kind == .killedAfterStaleProgress)
  }
}

/// A device that is hot, short of power, and holds a gibibyte.
struct HotDevice: DeviceSense {
  static let hot = DeviceVitals(footprintBytes: 1 << 30, thermal: .serious, isLowPower: true)

  func vitals() -> DeviceVitals { Self.hot }
  func conditions() -> TaskConditions { [] }
}
