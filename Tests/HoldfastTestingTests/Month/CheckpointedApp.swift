import HoldfastModel
import HoldfastPlatform
import HoldfastStore
import HoldfastTasks
import HoldfastTesting

/// The design of this library: transcribed in units of 12 s while it records, each committed with
/// its checkpoint, then summarized; in the grace time and for as long as a continued task runs, and
/// further at the next launch. The store and the engine are the real ones.
actor CheckpointedApp: PhoneApp {
  static let usesWindows = true
  private static let task = "app.work"

  private let phone: SimulatedPhone
  private let log: MonthLog
  private let directory: String
  private let random: SeededRandom
  private let dice: Locked<PhoneDice>
  private let crashing: Double
  private var process: PhoneProcess?
  private var engine: WorkEngine?
  /// The launch that was suspended, while its process is there.
  private var suspended: LaunchID?
  /// The launches of ended processes, and how they ended, until the next one says what it thinks.
  private var ended: [LaunchID: PhoneEnd] = [:]
  private var lastLaunch: LaunchID?
  private var count: UInt32 = 0
  private var numbers: [RecordingID: UInt32] = [:]
  private var began = 0.0
  /// Seconds of the recordings that were stopped by the user, by their number.
  private var lengths: [UInt32: Double] = [:]
  private var launches: Int64 = 0

  /// - Parameter crashing: the share of units after whose end, and before whose commit, the process
  ///   crashes.
  init(
    _ phone: SimulatedPhone, _ log: MonthLog, directory: String, seed: UInt64, crashing: Double
  ) {
    self.phone = phone
    self.log = log
    self.directory = directory
    random = SeededRandom(seed)
    dice = Locked(PhoneDice(seed + 1))
    self.crashing = crashing
  }

  // MARK: the process

  func launch() async throws { try await open(resumed: nil) }

  func resume() async throws {
    // One that records, or that the user came back to, was never suspended.
    guard process == nil else { return }
    try await open(resumed: suspended)
  }

  private func open(resumed: LaunchID?) async throws {
    launches += 1
    var environment = StoreEnvironment(
      files: SystemFiles(), clock: phone.clock, random: random, hashing: SystemHashing(),
      pause: SystemPause(), machine: [7], process: launches, program: "app")
    environment.alarm = PhoneAlarm(phone)
    var options = StoreOptions()
    options.reserveBytes = 0
    options.pipeline = [.transcribe, .summarize]
    options.resumed = resumed
    let process = try PhoneProcess(directory, options, environment, phone, log)
    let engine = makeEngine(process, environment)
    (self.process, self.engine, suspended, lastLaunch) = (process, engine, nil, process.launch)
    listen(process, engine)
    if phone.scene == .foreground { process.launchFile.note("foreground") }
    phone.useGrace()
    cutInTime(engine)
    judge(process.report)
    try await check()
  }

  private func makeEngine(_ process: PhoneProcess, _ environment: StoreEnvironment) -> WorkEngine {
    let phone = phone
    let seams = WorkSeams(
      clock: phone.clock, random: random, alarm: PhoneAlarm(phone),
      device: {
        var device = DeviceState()
        if phone.scene != .foreground { device.holds.remove(.foreground) }
        device.isCapturing = phone.scene != .foreground && phone.isAtFullSpeed
        return device
      },
      spawn: { body in
        let task = Task { await body() }
        return { task.cancel() }
      })
    let cut = Locked<(@Sendable () -> Bool)?>(nil)
    let (dice, crashing) = (dice, crashing)
    let handlers = MonthHandlers(
      phone, log, crashes: { dice.withLock { $0.isTrue(crashing) } },
      isCut: { cut.withLock { $0 }?() ?? false })
    let engine = WorkEngine(
      store: process, handlers: handlers.all,
      seams: seams
    ) { _ in phone.progressed() }
    let onOff = engine.onOff
    cut.withLock { $0 = { onOff.cut != nil } }
    return engine
  }

  /// What the phone tells, noted as an app notes it.
  private func listen(_ process: PhoneProcess, _ engine: WorkEngine) {
    let (phone, file, onOff) = (phone, process.launchFile, engine.onOff)
    phone.whenTold { news in
      switch news {
      case .background:
        file.note("background")
        phone.useGrace()
        Self.cut(phone, onOff)
      case .foreground:
        file.note("foreground")
        phone.useGrace()
      case .taskStarted: file.note("taskStarted", detail: Self.task)
      case .taskExpired:
        file.note("taskExpired", detail: Self.task)
        onOff.turnOff(.expired)
      case .ended:
        process.kill()
        onOff.turnOff(.stopped)
      }
    }
  }

  private func cutInTime(_ engine: WorkEngine) { Self.cut(phone, engine.onOff) }

  /// Cuts what runs some seconds before the time in the background is over, unless there is more by
  /// then.
  private static func cut(_ phone: SimulatedPhone, _ onOff: WorkSwitch) {
    guard let end = phone.mustEndAt.map({ $0 - PhoneDays<CheckpointedApp>.spareSeconds }) else {
      return
    }
    phone.ring(afterSeconds: end - phone.now) {
      guard let now = phone.mustEndAt, now - PhoneDays<CheckpointedApp>.spareSeconds <= phone.now
      else { return }
      onOff.turnOff(.deadline)
    }
  }

  func suspend() async throws {
    guard let process else { return }
    process.launchFile.note("graceEnded", detail: "done")
    await process.suspend()
    suspended = process.launch
    (self.process, engine) = (nil, nil)
  }

  func died() async throws {
    if let launch = lastLaunch, let end = phone.ends.last { ended[launch] = end }
    if let recording = await process?.drop(), let number = numbers[recording] {
      log.stopped(number, at: phone.now)
    }
    (process, engine, suspended) = (nil, nil, nil)
  }

  private func judge(_ report: OpeningReport) {
    for ending in report.endings {
      guard let end = ended.removeValue(forKey: ending.launch) else {
        log.fault("\(phone.now) s: an end is told that was none: \(ending.ending)")
        continue
      }
      log.judged("\(end.rawValue) → \(ending.ending.kind.rawValue)")
    }
  }

  // MARK: recording

  func beginRecording() async throws {
    guard let process else { return }
    count += 1
    numbers[try await process.begin("Meeting \(count)")] = count
    began = phone.now
  }

  func heard() async throws {
    try await process?.hear()
    try await work()
  }

  func endRecording() async throws {
    try await process?.end()
    log.stopped(count, at: phone.now)
    lengths[count] = phone.now - began
    phone.useGrace()
    if let engine { cutInTime(engine) }
  }

  // MARK: work

  func hasWork() async throws -> Bool {
    let open = try await process?.read { try TaskRows.list(settled: false, $0).count }
    return (open ?? 0) > 0
  }

  func work() async throws {
    guard let process, let engine else { return }
    if phone.scene == .foreground, try await hasWork(), phone.submitTask() {
      process.launchFile.note("submitted", detail: Self.task)
    }
    while phone.scene == .foreground || phone.scene == .background {
      guard try await hasWork() else { return finish(process) }
      let end = phone.mustEndAt.map { $0 - PhoneDays<CheckpointedApp>.spareSeconds }
      if let end, phone.now >= end - 0.001 { return }
      engine.onOff.turnOn()
      // The engine leaves up to a second before its deadline for what is to be saved.
      let left = end.map { Int64(($0 - phone.now + 1) * 1e9) }
      let now = phone.clock.now().monotonicNanoseconds
      let outcome = try? await engine.run(until: left.map { now + $0 }, atMost: 1)
      if outcome?.done ?? 0 > 0 { await take() }
      guard let outcome, outcome.units > 0 else { return }
    }
  }

  /// Nothing is left: a continued task is told so.
  private func finish(_ process: PhoneProcess) {
    if phone.hasTask { process.launchFile.note("taskFinished", detail: Self.task) }
    phone.finishTask()
  }

  /// Notes what is done now.
  private func take() async {
    let open = log.fates.filter { $0.value.summary == nil }
    guard phone.isAlive, let process, !open.isEmpty else { return }
    for (recording, number) in numbers where open[number] != nil {
      let done = try? await process.read { db in
        Set(try TaskRows.all(of: recording, db).filter { $0.phase == .done }.map(\.kind))
      }
      if open[number]?.transcript == nil, done?.contains(.transcribe) ?? false {
        log.transcript(number, at: phone.now)
      }
      if done?.contains(.summarize) ?? false { log.summary(number, at: phone.now) }
    }
  }

  // MARK: checks

  /// After each life: of each recording that is not done the transcript is a beginning of it, each
  /// unit there once.
  private func check() async throws {
    for (recording, number) in numbers where log.fates[number]?.summary == nil {
      try await check(recording, number, isWhole: false)
    }
  }

  /// At the end of all days.
  func checkAll() async throws {
    for (recording, number) in numbers { try await check(recording, number, isWhole: true) }
    guard let process else { return log.fault("no process is there at the end") }
    let left = try await process.read { try TaskRows.list(settled: true, $0) }
    for task in left where task.phase != .done {
      log.fault("task \(task.kind.rawValue) is \(task.phase.rawValue): \(task.cause)")
    }
  }

  private func check(_ recording: RecordingID, _ number: UInt32, isWhole: Bool) async throws {
    guard let process else { return }
    let (shown, end) = try await process.read { db in
      let takes = try TranscriptReading.takes(of: recording, db)
      let end = takes.map { Double($0.startNanoseconds) / 1e9 + $0.seconds }.max() ?? 0
      return (try TranscriptReading.current(of: recording, db), end)
    }
    var reached = 0.0
    for segment in shown.segments {
      if abs(segment.startSeconds - reached) > 0.03 {
        let place = "at \(segment.startSeconds) s after \(reached) s"
        log.fault("\(phone.now) s: meeting \(number): a segment \(place)")
      }
      reached = segment.endSeconds
    }
    if let length = lengths[number], abs(end - length) > 0.03 {
      log.fault("meeting \(number): \(end) s of \(length) s are there")
    }
    if isWhole, abs(end - reached) > 0.03 {
      log.fault("meeting \(number): its transcript ends at \(reached) s of \(end) s")
    }
  }
}
