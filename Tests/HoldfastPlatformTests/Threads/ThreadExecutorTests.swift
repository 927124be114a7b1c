import HoldfastPlatform
import Testing

@Suite struct ThreadExecutorTests {
  @Test func jobsRunInTheOrderInWhichTheyWereEnqueued() async {
    let counter = Counter(executor: ThreadExecutor(name: "hf-order"))
    for task in await counter.noteAll(0..<1000) { await task.value }
    #expect(await counter.order == Array(0..<1000))
  }

  @Test func anActorIsIsolatedOnOneThreadThatIsNotOfThePool() async {
    let counter = Counter(executor: ThreadExecutor(name: "hf-isolated"))
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<200 { group.addTask { _ = await counter.add(1) } }
    }
    #expect(await counter.total == 200)
    #expect(await counter.threads.count == 1)
    let names = await counter.runs { threadNames() }
    #expect(names.contains("hf-isolated"))
  }

  @Test func anActorMayAssumeItsIsolationOnTheThreadAndNowhereElse() async {
    let counter = Counter(executor: ThreadExecutor(name: "hf-assume"))
    #expect(await counter.runs { counter.assumeIsolated { $0.add(3) } } == 3)
    await #expect(processExitsWith: .failure) {
      let counter = Counter(executor: ThreadExecutor(name: "hf-assume"))
      assume(counter)
    }
  }

  @Test func alarmsRingInTheirOrderBetweenJobsOnTheSameThread() async {
    let executor = ThreadExecutor(name: "hf-alarm")
    let counter = Counter(executor: executor)
    let (rung, ring) = AsyncStream.makeStream(of: Int.self)
    executor.ring(afterNanoseconds: 40_000_000) { ring.yield(3) }
    executor.ring(afterNanoseconds: 1_000_000) { ring.yield(counter.assumeIsolated { $0.add(1) }) }
    executor.ring(afterNanoseconds: 20_000_000) { ring.yield(2) }
    #expect(await counter.add(0) <= 1)
    var order: [Int] = []
    for await number in rung {
      order.append(number)
      if order.count == 3 { break }
    }
    #expect(order == [1, 2, 3])
  }

  @Test func anAlarmThatWaitsKeepsNoThreadAndNoExecutor() async {
    let isRung = Locked(false)
    weak var gone: ThreadExecutor?
    do {
      let executor = ThreadExecutor(name: "hf-forgotten")
      gone = executor
      executor.ring(afterNanoseconds: 3_600_000_000_000) { isRung.withLock { $0 = true } }
    }
    #expect(eventually { !threadNames().contains("hf-forgotten") })
    #expect(gone == nil && !isRung.withLock { $0 })
  }

  @Test func shuttingDownRunsWhatWasEnqueuedAndEndsTheThread() async throws {
    let executor = ThreadExecutor(name: "hf-shutdown")
    let counter = Counter(executor: executor)
    let tasks = await counter.noteAll(0..<100)
    try together([{ executor.shutdown() }])
    #expect(eventually { !threadNames().contains("hf-shutdown") })
    #expect(await counter.order == Array(0..<100))
    for task in tasks { await task.value }
  }

  @Test("a job that comes after the shutdown still runs, one at a time and in order")
  func afterShutdown() async throws {
    let executor = ThreadExecutor(name: "hf-after")
    let counter = Counter(executor: executor)
    executor.shutdown()
    executor.shutdown()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<200 { group.addTask { _ = await counter.add(1) } }
    }
    #expect(await counter.total == 200)
    for task in await counter.noteAll(0..<100) { await task.value }
    #expect(await counter.order == Array(0..<100))
    try together([{ executor.shutdown() }])
    #expect(eventually { !threadNames().contains("hf-after") })
  }

  @Test func aJobMayShutItsOwnExecutorDown() async {
    let executor = ThreadExecutor(name: "hf-own")
    let counter = Counter(executor: executor)
    await counter.runs { executor.shutdown() }
    #expect(await counter.add(1) == 1)
  }

  @Test("an executor that is let go by its own last job ends its thread", arguments: 1...20)
  func letGo(round: Int) async {
    weak var watched: ThreadExecutor?
    do {
      let executor = ThreadExecutor(name: "hf-let-go-\(round)")
      watched = executor
      let counter = Counter(executor: executor)
      let task = Task { [counter] in await counter.add(1) }
      #expect(await task.value == 1)
    }
    #expect(eventually { watched == nil && !threadNames().contains("hf-let-go-\(round)") })
  }
}

/// Assumes to be on the actor.
private func assume(_ counter: Counter) { _ = counter.assumeIsolated { $0.add(3) } }

extension Counter {
  /// Runs the body on this actor.
  func runs<R: Sendable>(_ body: @Sendable () -> R) -> R { body() }
}
