import HoldfastModel
import HoldfastTasks
import Testing

/// Long runs of a queue by the scheduler's answers alone, with seeded chance.
@Suite struct SchedulerPropertyTests {
  private let kinds: [TaskKind] = [.transcribe, .diarize, .summarize]

  private func scheduler() -> Scheduler {
    Scheduler(
      handlers: kinds.map {
        var handler = HandlerTraits($0, version: 1, unitMilliseconds: 1_000)
        handler.follows = true
        return handler
      })
  }

  private func ask(_ recording: Set<RecordingID> = []) -> Scheduler.Moment {
    Scheduler.Moment(device: DeviceState(recording: recording), wallMilliseconds: 0)
  }

  @Test(arguments: UInt64(1)...20)
  func `no task starves, though others arrive and streams are put ahead`(_ seed: UInt64) throws {
    var dice = Dice(seed: seed)
    let scheduler = scheduler()
    var tasks = (0..<10).map { made($0, kind: kinds[$0 % 3], turn: UInt64($0), available: 5_000) }
    var waited: [TaskID: Int] = [:]
    let live: Set = [tasks[0].recording, tasks[1].recording]
    for turn in UInt64(10)..<600 {
      if dice.below(10) == 0, tasks.count < 40 {
        tasks.append(made(Int(turn), kind: kinds[dice.below(3)], turn: turn, available: 5_000))
      }
      let chosen = try #require(scheduler.decide(tasks, at: ask(live)).run)
      for index in tasks.indices {
        if tasks[index].id == chosen {
          tasks[index].lastTurn = turn
          waited[chosen] = 0
        } else {
          waited[tasks[index].id, default: 0] += 1
        }
      }
      // Two streams take at most half of the turns; 40 tasks share the rest.
      #expect(try #require(waited.values.max()) <= 2 * 40 + 4)
    }
  }

  @Test func `T1: a crash loop cannot keep other tasks from running`() throws {
    let scheduler = scheduler()
    var waiting = (0..<20).map { made($0, turn: UInt64($0)) }
    let bad = Set([waiting[0].id, waiting[1].id, waiting[2].id])
    var (deaths, launches, turn) = (0, 0, UInt64(100))
    // Each launch runs until it dies. What is kept between them was committed before the work.
    while let chosen = scheduler.decide(waiting, at: ask()).run {
      let index = try #require(waiting.firstIndex { $0.id == chosen })
      waiting[index].counters.begin()
      waiting[index].lastTurn = turn
      turn += 1
      launches += 1
      if bad.contains(chosen) {
        waiting[index].counters.launchEnded(.silentDeath)
        deaths += 1
      } else {
        waiting.remove(at: index)
      }
      try #require(launches < 1_000)
    }
    #expect(Set(waiting.map(\.id)) == bad, "all others are done")
    #expect(waiting.allSatisfy { $0.counters.isDeadly })
    #expect(deaths == 9, "three each, and not one more")
  }

  @Test func `one bad file at the head holds no other`() throws {
    let scheduler = scheduler()
    var waiting = (0..<10).map { made($0, turn: UInt64($0)) }
    let bad = waiting[0].id
    var turn: UInt64 = 50
    var done = 0
    while done < 9 {
      let chosen = try #require(scheduler.decide(waiting, at: ask()).run)
      let index = try #require(waiting.firstIndex { $0.id == chosen })
      if chosen == bad {
        // It fails at once, and for free: nothing but its turn puts it behind the others.
        waiting[index].counters.fail(.busy)
        waiting[index].lastTurn = turn
      } else {
        waiting.remove(at: index)
        done += 1
      }
      turn += 1
      try #require(turn < 60 + 2)
    }
    #expect(waiting.map(\.id) == [bad])
  }

  @Test(arguments: UInt64(1)...20)
  func `every task is answered, and what runs has no obstacle`(_ seed: UInt64) {
    var dice = Dice(seed: seed)
    let scheduler = scheduler()
    for _ in 0..<200 {
      let tasks = (0..<dice.below(30)).map { index in
        var task = made(
          index, kind: (kinds + [TaskKind(rawValue: "other")])[dice.below(4)],
          turn: UInt64(dice.below(5)), available: Int64(dice.below(3_000)))
        task.counters = TaskCounters(
          failures: UInt32(dice.below(7)), interruptions: UInt32(dice.below(60)),
          deaths: UInt32(dice.below(5)))
        task.lacksInput = dice.below(4) == 0
        return task
      }
      let live = Set(tasks.prefix(dice.below(4)).map(\.recording))
      let decision = scheduler.decide(tasks, at: ask(live))
      let answered = Set(decision.obstacles.keys).union(decision.run.map { [$0] } ?? [])
      #expect(answered == Set(tasks.map(\.id)))
      let free = tasks.filter { scheduler.obstacle(to: $0, at: ask(live)) == nil }
      #expect((decision.run == nil) == free.isEmpty)
      #expect(decision.run.map { run in free.contains { $0.id == run } } ?? true)
    }
  }
}
