public import HoldfastModel
import HoldfastPlatform
import HoldfastStore
package import HoldfastTasks

/// Runs deferred work of a store with an app's handlers.
///
/// ```swift
/// let work = WorkRunner(store, [
///   WorkHandler("transcribe", version: 3, every: .seconds(12)) { unit in
///     .segments(try await recognize(try await unit.pcm(format), from: unit.range.lowerBound))
///   },
///   WorkHandler("summarize", version: 1, after: ["transcribe"]) { unit in
///     .artefact(kind: "summary", text: try await summarize(unit.transcript.plainText))
///   },
/// ])
/// work.start()
/// ```
///
/// Which work a recording gets is said by ``RecordingStore/Configuration/pipeline``. One unit runs
/// at a time; streams run beside. Several runners, in several processes too, may work one store.
public final class WorkRunner: Sendable {
  private let store: RecordingStore
  package let engine: WorkEngine
  private let follows: Bool
  package let progress: WorkMeter
  private let state = Locked(State())

  private struct State: Sendable {
    var loop: Task<Void, Never>?
    /// Continued tasks in our hands.
    var held: UInt64 = 0
    var heldWaiters: [CheckedContinuation<Void, Never>] = []
  }

  /// A runner; nothing runs before ``start()`` or ``drain(until:)``.
  ///
  /// - Parameters:
  ///   - store: whose work it is.
  ///   - handlers: of two of one kind the later one.
  public convenience init(_ store: RecordingStore, _ handlers: [WorkHandler]) {
    self.init(store, handlers, device: nil)
  }

  /// A runner whose device is injected.
  package init(
    _ store: RecordingStore, _ handlers: [WorkHandler],
    device: (@Sendable () -> DeviceState)?
  ) {
    self.store = store
    let host = store.host
    follows = handlers.contains { $0.traits.follows }
    let meter = WorkMeter()
    progress = meter
    engine = WorkEngine(
      store: host, handlers: handlers.map { $0.body(host) },
      seams: host.workSeams(device: device ?? { host.device })
    ) { meter.take($0) }
  }

  /// Runs what is due, follows recordings, and sleeps when there is nothing to do or the store is
  /// suspended; goes on until ``expire()``. Calling it again does no harm, and turns work on again
  /// after ``expire()``.
  public func start() {
    engine.onOff.turnOn()
    state.withLock { state in
      guard state.loop == nil else { return }
      state.loop = Task { [weak self] in
        while let self, await self.step() {}
        self?.state.withLock { $0.loop = nil }
      }
    }
  }

  /// One round of ``start()``; false when it ends.
  private func step() async -> Bool {
    let host = store.host
    let (seen, wasState) = (host.changeHub.version, host.stateHub.version)
    do throws(HoldfastError) {
      let outcome = try await engine.run(waitsForStreams: false)
      if outcome.isIdle { progress.rest() }
      if outcome.cut != nil { return false }
      await pause(after: seen, outcome.wakeMilliseconds)
    } catch {
      switch error.code {
      case .suspended, .newerSchema, .protectedDataUnavailable:
        guard await host.stateHub.wait(after: wasState) else { return false }
      default: await pause(after: host.changeHub.version, 5_000)
      }
    }
    return engine.onOff.cut == nil && !Task.isCancelled
  }

  /// Waits for news, or for the time that a task waits for. While a recording is followed its rows
  /// are asked for in time with its units.
  private func pause(after seen: UInt64, _ milliseconds: Int64?) async {
    let host = store.host
    var delay = min(max(milliseconds ?? 60_000, 10), 60_000)
    if follows, host.isCapturing {
      host.wantRows()
      delay = min(delay, 2_000)
    }
    let hub = host.changeHub
    host.alarm.ring(afterNanoseconds: delay * 1_000_000) { hub.bump() }
    _ = await hub.wait(after: seen)
  }

  /// Runs what is due and returns before the deadline, with everything saved: for the windows of
  /// background processing.
  ///
  /// - Parameter deadline: nil for none: it returns when nothing is left that can run.
  public func drain(until deadline: ContinuousClock.Instant? = nil) async -> DrainReport {
    engine.onOff.turnOn()
    let now = store.host.environment.clock.now().monotonicNanoseconds
    let end = deadline.map { now + (ContinuousClock.now.duration(to: $0)).nanoseconds }
    let outcome = try? await engine.run(until: end)
    let left = try? await store.host.query { try TaskRows.list(settled: false, $0).count }
    if outcome?.isIdle ?? false { progress.rest() }
    return DrainReport(done: Int32(clamping: outcome?.done ?? 0), left: Int32(left ?? 0))
  }

  /// Ends the unit that runs, which counts as an interruption, and lets no new one begin until
  /// ``start()`` or ``drain(until:)``. Synchronous, from any thread; never touches the database.
  public func expire() { engine.onOff.turnOff(.expired) }

  /// Tells which of network and power are there now, for handlers that need them: after each change
  /// (`NWPathMonitor`, `UIDevice.batteryState`). It counts for the whole store, whichever runner is
  /// told. Work that waited for it goes on at once.
  ///
  /// Until it is called the system is asked: Linux tells both; Apple platforms tell neither here,
  /// and both are taken to be there. Whether the app is in the foreground is known from
  /// ``RecordingStore/note(_:)``; heat is asked of the system everywhere.
  public func conditionsChanged(to conditions: WorkConditions) {
    store.host.toldConditions = TaskConditions(rawValue: conditions.rawValue)
      .intersection([.network, .power])
    store.host.changeHub.bump()
  }

  /// Tries a task again now: one that failed, was called off, or waits for its time.
  ///
  /// - Throws: `notFound`; `conflict` for one in quarantine.
  public func retry(_ id: WorkItem.ID) async throws(HoldfastError) { try await change(id, .retry) }

  /// Calls a task off. What a worker brings for it afterwards is kept as a late result.
  ///
  /// - Throws: `notFound`.
  public func cancel(_ id: WorkItem.ID) async throws(HoldfastError) {
    try await change(id, .cancel)
  }

  /// Lets a task out of quarantine.
  ///
  /// - Throws: `notFound`.
  public func release(_ id: WorkItem.ID) async throws(HoldfastError) {
    try await change(id, .release)
  }

  /// Shows a result of a task, on every device of the account, whatever comes later; nil leaves it
  /// to the results again: the best quality, then the smallest name.
  ///
  /// - Throws: `notFound` when there is no such task here, or it has no such result.
  public func choose(
    _ result: WorkResult.ID?, of id: WorkItem.ID
  ) async throws(HoldfastError) {
    let name = id.description
    try await store.host.write { writer throws(HoldfastError) in
      _ = try writer.choose(result: result, of: name)
    }
  }

  private func change(_ id: WorkItem.ID, _ action: TaskAction) async throws(HoldfastError) {
    let name = id.description
    try await store.host.write { writer throws(HoldfastError) in
      _ = try writer.change(tasks: [name], action)
    }
  }

  /// Makes a task on a recording, again after an earlier one of its kind has ended.
  ///
  /// - Returns: the task; one that is not settled is answered as it is.
  /// - Throws: `notFound`; `invalidArgument` for a kind that is no name; `conflict` for a recording
  ///   in the trash.
  @discardableResult
  public func add(
    _ kind: String, to recording: Recording.ID
  ) async throws(HoldfastError) -> WorkItem.ID {
    let id = recording.model
    let view = try await store.host.write { writer throws(HoldfastError) in
      try writer.addTask(TaskKind(rawValue: kind), on: id)
    }
    return WorkItem.ID(view.task.id)
  }

  /// The tasks of a recording, or all that are not settled, now and whenever they change.
  public func items(of recording: Recording.ID? = nil) -> Updates<[WorkItem]> {
    let host = store.host
    let id = recording?.model
    return Updates(host.changeHub) {
      try? await host.query { db in
        let rows =
          if let id { try TaskRows.all(of: id, db) } else {
            try TaskRows.list(settled: false, db)
          }
        return try rows.map {
          WorkItem($0, try TaskStanding($0, db), results: try ResultRow.all(of: $0, db))
        }
      }
    }
  }

  /// Takes a continued task of the system: it is given progress in 10,000 units that never goes
  /// back, a sign of life every few seconds, and its end, when nothing is left that can run. Its
  /// expiration ends the work. Both are noted in the flight log.
  public func adopt(_ task: sending some ContinuedTask) {
    let identifier = task.identifier
    state.withLock { $0.held += 1 }
    HeldTask(task, named: identifier, store, self).begin()
    start()
  }

  /// A continued task has ended.
  func letGo() {
    let waiters = state.withLock { state -> [CheckedContinuation<Void, Never>] in
      state.held -= 1
      guard state.held == 0 else { return [] }
      defer { state.heldWaiters = [] }
      return state.heldWaiters
    }
    for waiter in waiters { waiter.resume() }
  }

  /// Whether the system lets work go on for a continued task.
  var holdsTask: Bool { state.withLock { $0.held > 0 } }

  /// Waits until no continued task is left.
  func tasksEnded() async {
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state -> Bool in
        if state.held > 0 { state.heldWaiters.append(continuation) }
        return state.held == 0
      }
      if isOver { continuation.resume() }
    }
  }
}

extension Duration {
  /// Whole nanoseconds, held to what fits.
  var nanoseconds: Int64 {
    let parts = components
    let total = Double(parts.seconds) * 1e9 + Double(parts.attoseconds) / 1e9
    return Int64(min(max(total, -9e18), 9e18))
  }
}
