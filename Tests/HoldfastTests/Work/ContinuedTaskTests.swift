import Foundation
import Holdfast
import Testing

/// The system's side of a continued task.
final class FakeSystem: @unchecked Sendable {
  private let lock = NSLock()
  private var handler: (() -> Void)?
  private var ends: [Bool] = []

  /// What the task was completed with, each time.
  var completed: [Bool] { lock.withLock { ends } }

  func take(_ handler: (() -> Void)?) { lock.withLock { self.handler = handler } }
  func complete(_ success: Bool) { lock.withLock { ends.append(success) } }
  func expire() { lock.withLock { handler }?() }
}

/// A continued task of the system, as far as an app sees it.
final class FakeContinuedTask: ContinuedTask {
  let identifier: String
  let progress = Progress(totalUnitCount: 1)
  private let system: FakeSystem
  var expirationHandler: (() -> Void)? {
    didSet { system.take(expirationHandler) }
  }

  init(_ identifier: String, _ system: FakeSystem) {
    self.identifier = identifier
    self.system = system
  }

  func setTaskCompleted(success: Bool) { system.complete(success) }
  func updateTitle(_ title: String, subtitle: String) {}
}

/// Grace time that the test ends.
struct FakeGrace: GraceProvider {
  let log: Locked<[String]>
  let expire: Locked<(@Sendable () -> Void)?>

  func withGrace(
    _ name: String, expired: @escaping @Sendable () -> Void,
    _ body: @escaping @Sendable @concurrent () async -> Void
  ) {
    log.withLock { $0.append("began") }
    expire.withLock { $0 = expired }
    let log = log
    Task {
      await body()
      log.withLock { $0.append("ended") }
    }
  }
}

@Suite("Work in the background")
struct BackgroundWorkTests {
  @Test("a continued task is begun, moved on and completed once; the flight log has both ends (T5)")
  func continued() async throws {
    let place = TemporaryStore()
    let store = try await WorkRunnerTests.open(place)
    let recording = try await WorkRunnerTests.record(store, seconds: 3)
    let runner = WorkRunner(store, [WorkRunnerTests.transcriber(), WorkRunnerTests.summarizer])
    let system = FakeSystem()
    store.note(.submitted("app.work.1"))
    let task = FakeContinuedTask("app.work.1", system)
    let progress = task.progress
    runner.adopt(task)
    var items = runner.items(of: recording.id).makeAsyncIterator()
    while let now = await items.next(), !now.allSatisfy({ $0.state == "done" }) {}
    while system.completed.isEmpty { await Task.yield() }
    #expect(system.completed == [true])
    #expect(progress.totalUnitCount == 10_000 && progress.completedUnitCount == 10_000)
    let names = try await events(store)
    #expect(names.suffix(3) == ["submitted", "taskStarted", "taskFinished"])
    runner.expire()
    await store.close()
  }

  @Test("an expiry ends the unit, which is an interruption, and says so (T1, T6)")
  func expired() async throws {
    let place = TemporaryStore()
    let store = try await WorkRunnerTests.open(place, ["summarize"])
    let recording = try await WorkRunnerTests.record(store, seconds: 1)
    let begun = Gate()
    let endless = WorkHandler("summarize", version: 1) { unit in
      unit.report(0.5)
      await begun.open()
      try await Task.sleep(for: .seconds(60))
      return .retry(after: .zero)
    }
    let runner = WorkRunner(store, [endless])
    let system = FakeSystem()
    let task = FakeContinuedTask("app.work.2", system)
    let progress = task.progress
    runner.adopt(task)
    await begun.wait()
    let before = progress.completedUnitCount
    #expect(before > 0 && before < 10_000)
    system.expire()
    #expect(system.completed == [false])
    var items = runner.items(of: recording.id).makeAsyncIterator()
    while let now = await items.next(), now.first?.state == "running" {}
    let item = try #require(await WorkRunnerTests.items(runner, of: recording.id)["summarize"])
    #expect(item.interruptions == 1 && item.failures == 0 && item.deaths == 0)
    #expect(try await events(store).suffix(2) == ["taskStarted", "taskExpired"])
    await store.close()
  }

  @Test(
    "the background takes its grace time, ends the work in it and suspends; both are noted (L2)")
  func lifecycle() async throws {
    let place = TemporaryStore()
    let store = try await WorkRunnerTests.open(place, ["summarize"])
    _ = try await WorkRunnerTests.record(store, seconds: 1)
    let runner = WorkRunner(store, [WorkRunnerTests.summarizer])
    let grace = FakeGrace(log: Locked([]), expire: Locked(nil))
    let lifecycle = Lifecycle(store, runner, grace: grace)
    lifecycle.becameActive()
    let last = Locked(false)
    var states = store.states.makeAsyncIterator()
    lifecycle.enteredBackground { last.withLock { $0 = true } }
    #expect(grace.log.withLock { $0.first } == "began")
    while let now = await states.next() {
      if case .suspended = now { break }
    }
    while grace.log.withLock({ $0.count }) < 2 { await Task.yield() }
    #expect(last.withLock { $0 })
    lifecycle.becameActive()
    while let now = await states.next() {
      if case .open = now { break }
    }
    let suspended = try ReaderOpening.open(
      store.configuration.directory.path, temporary: NSTemporaryDirectory(), .system()
    ).logs.filter { !$0.isAlive }.flatMap { $0.events.map(\.name) }
    #expect(suspended.suffix(3) == ["background", "graceBegan", "graceEnded"])
    runner.expire()
    await store.close()
  }

  @Test("a continued task goes on beyond the grace time; its end suspends the store (J9, L2)")
  func beyondGrace() async throws {
    let place = TemporaryStore()
    let alarm = HandAlarm()
    let store = try await WorkRunnerTests.open(place, ["summarize"], alarm)
    let recording = try await WorkRunnerTests.record(store, seconds: 1)
    let (begun, gate) = (Gate(), Gate())
    let slow = WorkHandler("summarize", version: 1) { _ in
      await begun.open()
      await gate.wait()
      return .artefact(kind: "summary", text: "words")
    }
    let runner = WorkRunner(store, [slow])
    let system = FakeSystem()
    runner.adopt(FakeContinuedTask("app.work.3", system))
    await begun.wait()
    let grace = FakeGrace(log: Locked([]), expire: Locked(nil))
    Lifecycle(store, runner, grace: grace).enteredBackground()
    // All waits that a unit of the grace time would be cut by.
    while grace.log.withLock({ $0.count }) < 2 {
      _ = alarm.ring(over: 20)
      await Task.yield()
    }
    grace.expire.withLock { $0 }?()
    var states = store.states.makeAsyncIterator()
    guard case .open = await states.next() else {
      Issue.record("the store is not open")
      return await gate.open()
    }
    #expect(system.completed.isEmpty)
    await gate.open()
    while let now = await states.next() {
      if case .suspended = now { break }
    }
    #expect(system.completed == [true])
    try await store.resume()
    let item = try #require(await WorkRunnerTests.items(runner, of: recording.id)["summarize"])
    #expect(item.state == "done" && item.interruptions == 0)
    await store.close()
  }

  @Test("a run that gives way to another one does not end a continued task (T5)")
  func givesWay() async throws {
    let place = TemporaryStore()
    let store = try await WorkRunnerTests.open(place)
    _ = try await WorkRunnerTests.record(store, seconds: 1)
    let (begun, gate, last, lastGate) = (Gate(), Gate(), Gate(), Gate())
    let runner = WorkRunner(
      store,
      [
        WorkHandler("transcribe", version: 1, every: .seconds(12)) { unit in
          await begun.open()
          await gate.wait()
          return .segments([Segment(unit.range, "words")])
        },
        WorkHandler("summarize", version: 1, after: ["transcribe"]) { _ in
          await last.open()
          await lastGate.wait()
          return .artefact(kind: "summary", text: "words")
        },
      ])
    let system = FakeSystem()
    runner.adopt(FakeContinuedTask("app.work.4", system))
    await begun.wait()
    // With a deadline: that nothing fits before it is no end of the work either.
    async let drained = runner.drain(until: .now + .seconds(7_200))
    await gate.open()
    await last.wait()
    #expect(system.completed.isEmpty)
    await lastGate.open()
    _ = await drained
    while system.completed.isEmpty { await Task.yield() }
    #expect(system.completed == [true])
    runner.expire()
    await store.close()
  }

  /// The events of the launch that runs.
  private func events(_ store: RecordingStore) async throws -> [String] {
    let directory = store.configuration.directory.path
    let reader = try ReaderOpening.open(
      directory, temporary: NSTemporaryDirectory(), .system())
    return reader.logs.filter(\.isAlive).flatMap { $0.events.map(\.name) }
  }
}
