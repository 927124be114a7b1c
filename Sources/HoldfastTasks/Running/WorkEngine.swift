package import HoldfastModel
import HoldfastStore

/// Runs deferred work: one unit at a time, and streams beside it.
///
/// Invariants:
/// - T2, T3: everything that a unit gives goes to the store in one call, under its claim; what
///   comes after the claim was lost is a late result.
/// - T6: a unit that cannot end in time is not begun; one that does not end in time is cut, and the
///   call returns before the deadline whatever the handler does.
/// - T3, T4: what the store could not take, on a full disk or beside a lock, is brought again: no
///   result is lost by it, no claim is left, and the budget is not touched.
/// - T5: what is in hand is noted from an alarm's thread while the handler works.
/// - J11: no handler is called inside a transaction.
package actor WorkEngine {
  /// What a run of the engine did.
  package struct Outcome: Hashable, Sendable {
    /// Units that were committed.
    package var units: UInt64 = 0
    /// Tasks that are done.
    package var done: UInt64 = 0
    /// Attempts that failed.
    package var failed: UInt64 = 0
    /// Why it ended before everything that could run had run; nil when it did not.
    package var cut: WorkCut?
    /// Milliseconds after which to look again: as ``WorkTurn/wakeMilliseconds``.
    package var wakeMilliseconds: Int64?
    /// Whether nothing was left that can run, nor ran beside: not so when it gave way to another
    /// run, was cut, or had a deadline that some work did not fit into.
    package var isIdle = false

    package init() {}
  }

  /// How long before the deadline units are cut, so that what is left can be committed: a tenth of
  /// what there is, between 50 ms and 1 s.
  static func margin(_ left: Int64) -> Int64 { min(max(left / 10, 50_000_000), 1_000_000_000) }

  /// Nanoseconds between heartbeats while a unit runs: 5 s, the shortest that the system asks for.
  package static let beatNanoseconds: Int64 = 5_000_000_000

  package nonisolated let onOff = WorkSwitch()
  private let store: any WorkStore
  private let seams: WorkSeams
  private let bodies: [TaskKind: WorkHandlerBody]
  private var scheduler: Scheduler
  /// Attempts that were cut and whose handlers have not returned: not claimed again meanwhile.
  private var lingering: [TaskID: UInt64] = [:]
  private var streams: Set<TaskID> = []
  /// What the store could not take.
  private var owed: [Brought] = []
  private var streamWaiters: [CheckedContinuation<Void, Never>] = []
  private var outcome = Outcome()
  /// What the store was told of kinds that do not run here now; nil before it was.
  private var told: KindObstacles?
  /// All the time that the run has, milliseconds; nil without an end.
  private var window: Int64?
  private var isRunning = false
  private var hasLearnt = false
  private var runWaiters: [CheckedContinuation<Void, Never>] = []
  private let progress: @Sendable (WorkProgress) -> Void
  private typealias Brought = (claim: TaskClaim, ending: WorkEnding)

  /// - Parameter progress: told of every unit's begin, fraction and end, from any thread.
  package init(
    store: any WorkStore, handlers: [WorkHandlerBody], seams: WorkSeams,
    progress: @escaping @Sendable (WorkProgress) -> Void = { _ in }
  ) {
    self.store = store
    self.seams = seams
    self.progress = progress
    bodies = Dictionary(handlers.map { ($0.traits.kind, $0) }, uniquingKeysWith: { $1 })
    scheduler = Scheduler(handlers: handlers.map(\.traits))
  }

  /// Runs what is due until nothing is, the deadline comes or the switch is turned off. Runs take
  /// turns: one that goes on gives way, after its unit, to one that waits.
  ///
  /// - Parameters:
  ///   - deadline: by the monotonic clock, nanoseconds; nil for none.
  ///   - most: ends after so many units.
  ///   - waitsForStreams: whether streams that run are waited for.
  package func run(
    until deadline: Int64? = nil, atMost most: UInt64 = .max, waitsForStreams: Bool = true
  ) async throws(HoldfastError) -> Outcome {
    let end = deadline.map { $0 - Self.margin(max($0 - seams.nanoseconds, 0)) }
    if let end {
      let onOff = onOff
      seams.alarm.ring(afterNanoseconds: max(end - seams.nanoseconds, 0)) {
        onOff.cutRunning(.deadline)
      }
    }
    await enter()
    defer { leave() }
    outcome = Outcome()
    (told, window) = (nil, end.map { max($0 - seams.nanoseconds, 0) / 1_000_000 })
    try await learn()
    try await payOwed()
    var brought: Brought?
    while true {
      let isEarly = end.map { seams.nanoseconds < $0 } ?? true
      let isEnough = outcome.units + (brought?.ending.isUnit == true ? 1 : 0) >= most
      let begins = onOff.cut == nil && !isEnough && isEarly && runWaiters.isEmpty
      let search = begins ? search(end) : nil
      let turn = try await bring(brought, next: search)
      told = search?.obstacles ?? told
      if let refused = count(turn.fate, brought) {
        brought = refused
        continue
      }
      brought = nil
      outcome.wakeMilliseconds = turn.wakeMilliseconds
      guard let order = turn.order else {
        outcome.cut = onOff.cut ?? (isEarly ? nil : .deadline)
        if begins, waitsForStreams, await streamEnded() { continue }
        outcome.isIdle = begins && end == nil && streams.isEmpty
        return outcome
      }
      brought = await perform(order, end)
    }
  }

  /// One commit: what a unit gave and the next claim. What cannot be brought is owed.
  private func bring(
    _ brought: Brought?, next search: WorkSearch?
  ) async throws(HoldfastError) -> WorkTurn {
    do throws(HoldfastError) { return try await store.workTurn(brought, next: search) } catch {
      if let brought { owed.append(brought) }
      throw error
    }
  }

  /// Brings what is owed, the oldest first.
  private func payOwed() async throws(HoldfastError) {
    while !owed.isEmpty {
      let first = owed.removeFirst()
      let turn = try await bring(first, next: nil)
      if let refused = count(turn.fate, first) { owed.append(refused) }
    }
  }

  /// Takes the times that earlier launches measured, once.
  private func learn() async throws(HoldfastError) {
    guard !hasLearnt else { return }
    for row in try await store.workTimes() {
      guard let compute = ComputeUnit(rawValue: row.compute), let pace = Pace(rawValue: row.pace)
      else { continue }
      scheduler.times.know(
        row.milliseconds, .init(kind: row.kind, compute: compute, pace: pace))
    }
    hasLearnt = true
  }

  private func enter() async {
    while isRunning {
      await withCheckedContinuation { runWaiters.append($0) }
    }
    isRunning = true
  }

  private func leave() {
    isRunning = false
    let waiters = runWaiters
    runWaiters = []
    for waiter in waiters { waiter.resume() }
  }

  // MARK: choosing

  private func search(_ end: Int64?) -> WorkSearch {
    let device = seams.device()
    let (scheduler, clock, bodies) = (scheduler, seams.clock, bodies)
    let left = end.map { max($0 - seams.nanoseconds, 0) / 1_000_000 }
    let obstacles = scheduler.obstacles(
      to: bodies.keys, on: device, windowMilliseconds: window)
    return WorkSearch(
      kinds: bodies.mapValues { $0.traits.dependencies }, conditions: device.spelled,
      obstacles: obstacles == told ? nil : obstacles,
      except: streams.union(lingering.keys)
    ) { candidates, unfinished in
      var device = device
      device.recording = unfinished
      let moment = Scheduler.Moment(
        device: device, wallMilliseconds: clock.now().wallMilliseconds, leftMilliseconds: left)
      let due = candidates.map { DueTask($0, bodies[$0.task.kind]) }
      return scheduler.decide(due, at: moment).run
    }
  }

  // MARK: a unit

  /// Counts what became of what was brought; answers what to bring instead when it was refused.
  private func count(
    _ fate: WorkFate, _ brought: Brought?
  ) -> Brought? {
    guard let brought else { return nil }
    if case .refused(let why) = fate {
      return (brought.claim, failed(.crashed, why, nil))
    }
    guard fate == .taken else { return nil }
    switch brought.ending {
    case .unit: outcome.units += 1
    case .done:
      outcome.units += 1
      outcome.done += 1
    case .failed: outcome.failed += 1
    case .part, .interrupted, .later: break
    }
    return nil
  }

  private func failed(_ failure: FailureClass, _ cause: String, _ after: Int64?) -> WorkEnding {
    let (clock, random) = (seams.clock, seams.random)
    return .failed(failure, cause: cause) { tries in
      after
        ?? RetryTime(attempts: tries, now: clock.now().wallMilliseconds, random: random)
        .delayMilliseconds
    }
  }

  /// Runs one unit and answers what it brought; nil when there is nothing to bring.
  private func perform(_ order: WorkOrder, _ end: Int64?) async -> Brought? {
    guard let body = bodies[order.task.kind] else {
      return (order.claim, failed(.busy, "its handler is gone", nil))
    }
    let takes = order.recording.takes.map(\.span)
    let isOver = order.recording.phase.phase == .stopped
    if body.isStream {
      begin(stream: order, body, takes)
      return nil
    }
    let planned = UnitPlanner.next(
      takes, cursor: order.task.cursor, unit: body.traits.unitMilliseconds?.nanoseconds,
      isOver: isOver)
    guard let unit = planned else {
      guard isOver else { return (order.claim, .later) }
      // All of the recording was done when an earlier attempt ended, or there is nothing in it.
      return (order.claim, ending(order, body, .nothing(takes), .nothing, nil))
    }
    let run = UnitRun(order: order, body: body, unit: unit, deadline: end)
    let started = seams.nanoseconds
    let (result, last) = await race(run)
    switch result {
    case .cut(let cut):
      return (order.claim, .interrupted(cause: cut.rawValue, conditions: seams.device().spelled))
    case .answer(let answer):
      let time = measure(run, seams.nanoseconds - started)
      return (order.claim, ending(order, body, unit, last.rest(answer), time))
    }
  }

  private func measure(_ run: UnitRun, _ nanoseconds: Int64) -> UnitTimeRow {
    let traits = run.body.traits
    let key = UnitTimes.Key(
      kind: traits.kind, compute: traits.compute, pace: seams.device().pace)
    scheduler.times.measured(nanoseconds / 1_000_000, key)
    return UnitTimeRow(
      kind: traits.kind, compute: key.compute.rawValue, pace: key.pace.rawValue,
      milliseconds: scheduler.times.expected(key) ?? 0)
  }

  /// What a unit's answer means for its task.
  private func ending(
    _ order: WorkOrder, _ body: WorkHandlerBody, _ unit: PlannedUnit, _ answer: WorkAnswer,
    _ time: UnitTimeRow?
  ) -> WorkEnding {
    switch answer {
    case .failed(let failure, let cause, let after): return failed(failure, cause, after)
    case .output(let segments, let checkpoint, let artefacts):
      if let stray = unit.stray(among: segments, isStream: body.isStream) {
        return failed(.crashed, stray, nil)
      }
      var output = UnitOutput(
        track: unit.track, covered: unit.range, segments: unit.cut(segments.filter(\.isFinal)),
        makesPass: body.makesPass, checkpoint: checkpoint, fraction: unit.fraction,
        handler: body.stamp)
      output.time = time
      guard unit.isLast else { return .unit(output) }
      let telling = artefacts.filter { !$0.isEmpty }
      guard body.makesPass || !output.segments.isEmpty || order.task.pass != nil || !telling.isEmpty
      else { return failed(.crashed, "its handler ended without a result", nil) }
      return .done(output, telling, body.stamp)
    }
  }

  /// Runs the handler against everything that may end it.
  private func race(_ run: UnitRun) async -> (UnitRace.Outcome, UnitSaves) {
    let race = UnitRace()
    let saves = UnitSaves(run, store: store, race: race)
    let meter = UnitMeter(run, progress: progress, store: store)
    let call = WorkCall(
      order: run.order, unit: run.unit, deadlineNanoseconds: run.deadline,
      report: { meter.report($0) },
      save: { part throws(HoldfastError) in try await saves.save(part) })
    meter.begin()
    beat(meter, race)
    let cancel = seams.spawn { [self] in
      let answer = await run.body.run(call)
      if !race.settle(.answer(answer)) { await late(run, answer) }
      await left(run)
    }
    lingering[run.order.task.id] = run.order.claim.counter
    onOff.enter(race)
    let outcome = await race.decision()
    onOff.leave(race)
    meter.end()
    if case .cut = outcome { cancel() } else { lingering[run.order.task.id] = nil }
    return (outcome, saves)
  }

  /// Heartbeats from the alarm's thread until the unit is over (T5).
  private nonisolated func beat(_ meter: UnitMeter, _ race: UnitRace) {
    meter.beat()
    seams.alarm.ring(afterNanoseconds: Self.beatNanoseconds) { [weak self] in
      guard !race.isOver else { return }
      self?.beat(meter, race)
    }
  }

  private func left(_ run: UnitRun) {
    if lingering[run.order.task.id] == run.order.claim.counter {
      lingering[run.order.task.id] = nil
    }
  }

  /// An answer that came after the unit had been cut: a result of it is kept as a late one (T2).
  private func late(_ run: UnitRun, _ answer: WorkAnswer) async {
    guard case .output(_, _, let artefacts) = answer, run.unit.isLast, !artefacts.isEmpty else {
      return
    }
    let output = UnitOutput(
      track: nil, covered: run.unit.range, fraction: 0, handler: run.body.stamp)
    _ = try? await store.workTurn(
      (run.order.claim, .done(output, artefacts, run.body.stamp)), next: nil)
  }

  // MARK: streams

  private func begin(
    stream order: WorkOrder, _ body: WorkHandlerBody, _ takes: [TakeSpan]
  ) {
    let track = TakeSpan.longestTrack(takes)
    let from = track.map { order.task.cursor[$0] } ?? 0
    let unit = PlannedUnit(
      track: track, range: from..<max(from, takes.map(\.endNanoseconds).max() ?? from),
      isLast: true, fraction: 1)
    let run = UnitRun(order: order, body: body, unit: unit, deadline: nil)
    streams.insert(order.task.id)
    _ = seams.spawn { [self] in
      let (result, saves) = await race(run)
      await end(stream: run, result, saves)
    }
  }

  private func end(stream run: UnitRun, _ result: UnitRace.Outcome, _ saves: UnitSaves) async {
    let ending: WorkEnding
    switch result {
    case .cut(let cut):
      ending = .interrupted(cause: cut.rawValue, conditions: seams.device().spelled)
    case .answer(let answer):
      ending = self.ending(run.order, run.body, run.unit, saves.rest(answer), nil)
    }
    let turn = try? await bring((run.order.claim, ending), next: nil)
    if let turn, let refused = count(turn.fate, (run.order.claim, ending)) {
      _ = try? await bring(refused, next: nil)
      outcome.failed += 1
    }
    streams.remove(run.order.task.id)
    for waiter in streamWaiters { waiter.resume() }
    streamWaiters = []
  }

  /// Waits until a stream ends.
  ///
  /// - Returns: false when none runs.
  private func streamEnded() async -> Bool {
    guard !streams.isEmpty else { return false }
    await withCheckedContinuation { streamWaiters.append($0) }
    return true
  }
}
