import HoldfastModel
import HoldfastSQLite
import HoldfastStore
import Testing

/// Tasks in the database, without a runner.
@Suite("The queue of deferred work")
struct TaskBookTests {
  let kept: KeptStore
  let writer: StoreWriter
  let recording: RecordingID

  init() throws { (kept, writer, recording) = try KeptStore.recorded() }

  func make(_ kind: String, after: [String] = []) throws -> TaskRow {
    try writer.database.commit {
      try writer.tasks.enqueue(
        TaskKind(rawValue: kind), on: recording, after: after.map { TaskKind(rawValue: $0) }, $0
      ).task
    }
  }

  func claim(_ task: TaskRow) throws -> TaskClaim {
    try #require(try writer.database.commit { try writer.tasks.claim(task.id, $0) })
  }

  func row(_ task: TaskRow, _ store: StoreWriter? = nil) throws -> TaskRow {
    try #require(try (store ?? writer).database.read { try TaskRows.one(task.id, $0) })
  }

  func result(_ task: TaskRow, _ text: String) -> ResultFact {
    ResultFact(
      task: task.id, artefact: Artefact(kind: "summary", text: text), quality: 1, version: 2,
      inputRevision: 3)
  }

  @Test("makes one task of a kind until it is settled, then the next generation (T9)")
  func generations() throws {
    let first = try make("summarize")
    #expect(try make("summarize").id == first.id)
    let held = try claim(first)
    #expect(
      try writer.database.commit { try writer.tasks.complete(held, [result(first, "a")], $0) })
    let second = try make("summarize")
    #expect(second.generation == 2 && second.id != first.id)
  }

  @Test("the same work made apart is the same task (T9)")
  func sameName() throws {
    let task = try make("summarize")
    #expect(
      task.id
        == TaskID(
          kind: .summarize, recording: recording, generation: 1,
          hashing: kept.environment.hashing))
  }

  @Test(
    "refuses kinds that are no names",
    arguments: ["", "a b", "é", String(repeating: "k", count: 65)])
  func names(_ kind: String) throws {
    #expect(throws: HoldfastError.self) { try make(kind) }
  }

  @Test("a task waits for those before it, says so, and is woken by their end (S8)")
  func dependencies() throws {
    let before = try make("transcribe")
    let after = try make("summarize", after: ["transcribe"])
    #expect(after.phase == .waiting && after.cause == "waits for transcribe")
    #expect(try writer.database.commit { try writer.tasks.claim(after.id, $0) } == nil)
    let held = try claim(before)
    _ = try writer.database.commit {
      try writer.tasks.complete(held, [result(before, "words")], $0)
    }
    #expect(try row(after).phase == .ready)
  }

  @Test("one claim at a time; a claim counts the death that it may be (T1, T2)")
  func claiming() throws {
    let task = try make("summarize")
    let held = try claim(task)
    #expect(held.counter == 1 && held.epoch == writer.epoch && held.epoch > 0)
    #expect(try row(task).counters.deaths == 1)
    #expect(try writer.database.commit { try writer.tasks.claim(task.id, $0) } == nil)
  }

  @Test("a stale worker's result is kept as a late one and completes nothing (T2)")
  func stale() throws {
    let task = try make("summarize")
    let old = try claim(task)
    try writer.database.commit {
      _ = try writer.tasks.interrupt(old, cause: "suspended", conditions: "x", $0)
    }
    let new = try claim(task)
    #expect(
      try !writer.database.commit { try writer.tasks.complete(old, [result(task, "old")], $0) })
    #expect(try row(task).phase == .running)
    #expect(
      try writer.database.commit { try writer.tasks.complete(new, [result(task, "new")], $0) })
    let results = try writer.database.read { db in
      try db.all("SELECT text, late FROM result ORDER BY key", []) { ($0.text(0), $0.int64(1)) }
    }
    #expect(results.map(\.0) == ["old", "new"] && results.map(\.1) == [1, 0])
  }

  @Test("an empty artefact is no completion (T2)", arguments: ["", " \n\t"])
  func empty(_ text: String) throws {
    let task = try make("summarize")
    let held = try claim(task)
    #expect(throws: HoldfastError.self) {
      try writer.database.commit {
        _ = try writer.tasks.complete(held, [result(task, text)], $0)
      }
    }
    #expect(try row(task).phase == .running)
  }

  @Test("a unit moves cursor, checkpoint and progress in one commit, and never back (T3, T5)")
  func units() throws {
    let task = try make("transcribe")
    let held = try claim(task)
    let track = TrackID(random: kept.environment.random)
    var cursor = WorkCursor()
    cursor.advance(track, to: 12)
    let now = try #require(
      try writer.database.commit {
        try writer.tasks.commit(
          UnitCommit(cursor: cursor, checkpoint: [1, 2], progress: TaskProgress(units: 5_000)),
          under: held, $0)
      })
    #expect(now.unit == 1 && now.cursor[track] == 12 && now.checkpoint == [1, 2])
    let later = try #require(
      try writer.database.commit {
        try writer.tasks.commit(
          UnitCommit(cursor: cursor, progress: TaskProgress(units: 100)), under: held, $0)
      })
    #expect(later.progress.units == 5_000 && later.checkpoint == [1, 2])
    #expect(WorkCursor(later.cursor.bytes) == cursor)
  }

  @Test("crashes spend the budget, busy handlers and missing input do not (T4)")
  func failures() throws {
    let task = try make("summarize")
    for round in 0..<8 {
      let held = try claim(task)
      _ = try writer.database.commit {
        try writer.tasks.fail(held, .busy, cause: "later", delayMilliseconds: { _ in 0 }, $0)
      }
      #expect(try row(task).tries == UInt32(round + 1))
      _ = try writer.database.commit { try writer.tasks.wake(conditions: "", $0) }
    }
    #expect(try row(task).counters.failures == 0)
    for _ in 0..<TaskCounters.failureBound {
      let held = try claim(task)
      _ = try writer.database.commit {
        try writer.tasks.fail(held, .crashed, cause: "exit 9", delayMilliseconds: { _ in 0 }, $0)
      }
      _ = try writer.database.commit { try writer.tasks.wake(conditions: "", $0) }
    }
    #expect(try row(task).phase == .failed && (try row(task).cause) == "exit 9")
    let failed = try row(task)
    #expect(try writer.database.commit { try writer.tasks.retry(failed, $0) })
    #expect(try row(task).phase == .ready && (try row(task).counters.failures) == 0)
  }

  @Test("fifty interruptions wait for other conditions (T1, S8)")
  func interruptions() throws {
    let task = try make("summarize")
    for _ in 0..<TaskCounters.interruptionBound {
      let held = try claim(task)
      _ = try writer.database.commit {
        try writer.tasks.interrupt(held, cause: "deadline", conditions: "background", $0)
      }
    }
    #expect(try row(task).wait == .conditions)
    #expect(
      try !writer.database.read { try writer.tasks.hasSleepers(conditions: "background", $0) })
    #expect(try writer.database.commit { try writer.tasks.wake(conditions: "foreground", $0) } == 1)
    #expect(try row(task).phase == .ready && (try row(task).counters.interruptions) == 0)
  }

  @Test("three silent deaths quarantine, the next open frees the claim at once (T1, T8)")
  func deaths() throws {
    let task = try make("summarize")
    var store: StoreWriter? = writer
    for round in 1...3 {
      let id = task.id
      _ = try store?.database.commit { db in _ = try store?.tasks.claim(id, db) }
      store?.launchFile.drop()
      store?.database.close()
      store = try kept.open()
      let now = try row(task, store)
      #expect(now.phase == (round < 3 ? .ready : .quarantined), "round \(round)")
    }
    let last = try #require(store)
    #expect(try last.database.commit { try last.tasks.claim(task.id, $0) } == nil)
    let held = try row(task, last)
    #expect(throws: HoldfastError.self) {
      try last.database.commit { _ = try last.tasks.retry(held, $0) }
    }
    #expect(try last.database.commit { try last.tasks.release(held, $0) })
    #expect(try row(task, last).phase == .ready)
  }

  @Test("ends while suspended are no deaths, however many (T1)")
  func suspended() throws {
    let task = try make("summarize")
    var store = writer
    for _ in 1...4 {
      _ = try store.database.commit { db in _ = try store.tasks.claim(task.id, db) }
      store.suspend()
      store = try kept.open()
    }
    let now = try row(task, store)
    #expect(now.phase == .ready && now.counters.deaths == 0 && now.counters.interruptions == 4)
  }

  @Test("a living launch's claim is never taken (T8)")
  func living() throws {
    let task = try make("summarize")
    let held = try claim(task)
    let other = try kept.open()
    #expect(try row(task, other).phase == .running)
    #expect(try other.database.commit { try other.tasks.claim(task.id, $0) } == nil)
    #expect(
      try writer.database.commit { try writer.tasks.complete(held, [result(task, "x")], $0) })
    other.close()
  }

  @Test("the trash stops a recording's work, its return goes on with it, a purge ends it")
  func trash() throws {
    let task = try make("summarize")
    try writer.trash(recording)
    #expect(try row(task).wait == .trash)
    try writer.restore(recording)
    #expect(try row(task).phase == .ready)
    let held = try claim(task)
    _ = try Removal.purge(recording, writer)
    #expect(try writer.database.read { try TaskRows.one(task.id, $0) } == nil)
    #expect(
      try !writer.database.commit { try writer.tasks.complete(held, [result(task, "x")], $0) })
    #expect(
      try writer.database.read { db in
        try db.first("SELECT count(*) FROM result", []) { $0.int64(0) }
      } == 0)
  }

  @Test("a kind that nobody handles is parked and runs as soon as somebody does (T4)")
  func parking() throws {
    let task = try make("diarize")
    #expect(try writer.database.commit { try writer.tasks.park(except: [.summarize], $0) } == 1)
    #expect(try writer.database.commit { try writer.tasks.park(except: [.summarize], $0) } == 0)
    #expect(try row(task).phase == .parked)
    #expect(try claim(task).task == task.id)
  }

  @Test("a clock that goes back ends waits, one that jumps ahead costs no more than the wait (T8)")
  func clocks() throws {
    let task = try make("summarize")
    let held = try claim(task)
    _ = try writer.database.commit {
      try writer.tasks.fail(
        held, .transient, cause: "offline", delayMilliseconds: { _ in 3_600_000 }, $0)
    }
    #expect(try writer.database.commit { try writer.tasks.wake(conditions: "", $0) } == 0)
    let due = try #require(try writer.database.read { try writer.tasks.nextDue($0) })
    #expect(due > 3_500_000 && due <= 3_600_000)
    try writer.database.commit { db in
      _ = try db.run("UPDATE task SET retry_set_ms = retry_set_ms + 7200000", [])
    }
    #expect(try writer.database.commit { try writer.tasks.wake(conditions: "", $0) } == 1)
    #expect(try row(task).phase == .ready)
  }

  @Test("old settled tasks are pruned to the bound; failed ones and results stay")
  func pruning() throws {
    var tasks: [TaskRow] = []
    for _ in 0..<5 {
      let task = try make("summarize")
      let held = try claim(task)
      _ = try writer.database.commit {
        try writer.tasks.complete(held, [result(task, "text")], $0)
      }
      tasks.append(task)
    }
    #expect(try writer.database.commit { try writer.tasks.prune(keeping: 2, $0) } == 3)
    let left = try writer.database.read { try TaskRows.list(settled: true, $0) }
    #expect(left.map(\.id) == [tasks[4].id, tasks[3].id])
    #expect(
      try writer.database.read { db in
        try db.first("SELECT count(*) FROM result", []) { $0.int64(0) }
      } == 5)
  }

  @Test("a rebuild keeps tasks and results, from the changes alone too (S1)")
  func rebuilt() throws {
    let done = try make("transcribe")
    let open = try make("summarize", after: ["transcribe"])
    let held = try claim(done)
    _ = try writer.database.commit {
      try writer.tasks.complete(held, [result(done, "words")], $0)
    }
    try writer.database.commit { db in
      for table in ["task", "task_after", "result"] { try db.execute("DELETE FROM \(table)") }
    }
    writer.close()
    _ = try StoreRebuild.run(
      from: kept.directory, to: kept.root + "/new", KeptStore.options, kept.environment)
    let rebuilt = try kept.open(kept.root + "/new")
    #expect(try row(done, rebuilt).phase == .done)
    #expect(try row(open, rebuilt).phase == .ready)
    rebuilt.close()
  }
}
