import HoldfastModel
import HoldfastPlatform
import Testing

/// The words of deferred work: names, counters, progress, results.
@Suite struct TaskValueTests {
  private let recording = RecordingID(high: 1, low: 2)

  private func name(_ kind: TaskKind, _ generation: UInt64) -> TaskID {
    TaskID(kind: kind, recording: recording, generation: generation, hashing: SystemHashing())
  }

  @Test func `T9: work created apart has one name, other work another`() {
    #expect(name(.transcribe, 0) == name(.transcribe, 0))
    let names = [
      name(.transcribe, 0), name(.transcribe, 1), name(.summarize, 0),
      TaskID(
        kind: .transcribe, recording: RecordingID(high: 2, low: 2), generation: 0,
        hashing: SystemHashing()),
    ]
    #expect(Set(names).count == 4)
    #expect(name(.transcribe, 0).description.count == 64)
  }

  @Test func `T9: the name never changes between versions`() {
    #expect(
      name(.transcribe, 0).description
        == "95b30f6fc810158c4f33b4d682087c0479344ecd7515b009cfab7a3beed1d123")
  }

  @Test func `T1: three silent deaths in a row quarantine, progress begins the row anew`() {
    var counters = TaskCounters()
    for _ in 0..<2 {
      counters.begin()
      counters.launchEnded(.silentDeath)
    }
    #expect(!counters.isDeadly)
    counters.begin()
    #expect(counters.isDeadly, "counted before the work starts")
    counters.progress()
    counters.launchEnded(.silentDeath)
    #expect(counters.deaths == 1)
    counters.begin()
    counters.endCleanly()
    #expect(counters.deaths == 0)
  }

  @Test func `T1: ends while suspended do not count, whatever their number`() {
    var counters = TaskCounters()
    counters.begin()
    counters.launchEnded(.silentDeath)
    for _ in 0..<10 {
      counters.begin()
      counters.launchEnded(.innocent)
    }
    #expect(counters.deaths == 1, "the death before them stays")
    #expect(counters.failures == 0)
    #expect(counters.interruptions == 10)
  }

  @Test func `T1: interruptions are never punished, and after 50 wait for a change`() {
    var counters = TaskCounters()
    for _ in 0..<60 {
      counters.begin()
      counters.interrupt()
    }
    #expect(counters.needsChange && !counters.isSpent && !counters.isDeadly)
    #expect(counters.interruptions == TaskCounters.interruptionBound)
    counters.conditionsChanged()
    #expect(!counters.needsChange)
  }

  @Test(arguments: FailureClass.allCases)
  func `T4: only permanent input and a crashed handler spend the budget`(_ failure: FailureClass) {
    var counters = TaskCounters()
    for _ in 0..<100 {
      counters.begin()
      counters.fail(failure)
    }
    #expect(counters.isSpent == (failure == .permanentInput || failure == .crashed))
    #expect(counters.deaths == 0)
    var once = TaskCounters()
    once.fail(failure)
    #expect(once.isSpent == (failure == .permanentInput))
  }

  @Test func `T1: stored counters are held to their bounds`() {
    let counters = TaskCounters(failures: .max, interruptions: .max, deaths: .max)
    #expect(counters.failures == TaskCounters.failureBound)
    #expect(counters.interruptions == TaskCounters.interruptionBound)
    #expect(counters.deaths == TaskCounters.deathBound)
  }

  @Test func `T5: progress never decreases and stays within its range`() {
    var progress = TaskProgress()
    var last = progress
    var dice = Dice(seed: 5)
    for _ in 0..<1000 {
      progress.advance(to: Double(dice.below(1500)) / 1000 - 0.25)
      #expect(progress >= last && progress.units <= TaskProgress.whole)
      last = progress
    }
    for odd in [Double.nan, -Double.infinity, -0.0] { progress.advance(to: odd) }
    #expect(progress == last)
    progress.advance(to: .infinity)
    #expect(progress.units == TaskProgress.whole)
  }

  @Test func `T9: what is shown follows from the set, in any order of arrival`() {
    func result(_ hash: UInt64, _ quality: Int32) -> TaskResult {
      TaskResult(hash: Digest(words: hash, 0, 0, 0), quality: quality, version: 1, inputRevision: 0)
    }
    let made = [result(3, 20), result(9, 40), result(4, 40), result(1, 10)]
    for order in [[0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1]] {
      var results = TaskResults()
      for index in order { results.add(made[index]) }
      results.add(made[order[0]])
      #expect(results.all.count == 4)
      #expect(results.shown == made[2])
      results.choice = made[3].hash
      #expect(results.shown == made[3])
      results.choice = Digest(words: 77, 0, 0, 0)
      #expect(results.shown == made[2], "a choice counts once its result is here")
    }
  }

  @Test func `S1: merging results is commutative, associative and idempotent`() {
    func set(_ hashes: UInt64...) -> TaskResults {
      var results = TaskResults()
      for hash in hashes {
        results.add(
          TaskResult(hash: Digest(words: hash, 0, 0, 0), quality: 0, version: 0, inputRevision: 0))
      }
      return results
    }
    func merged(_ sets: TaskResults...) -> TaskResults {
      sets.dropFirst().reduce(into: sets[0]) { $0.merge($1) }
    }
    let (a, b, c) = (set(1, 2), set(2, 3), set(4))
    #expect(merged(a, b) == merged(b, a))
    #expect(merged(merged(a, b), c) == merged(a, merged(b, c)))
    #expect(merged(a, a) == a)
  }
}
