import HoldfastModel
import HoldfastSQLite
import HoldfastStore
import Testing

/// S8: whatever waits names its cause and what ends the wait.
@Suite("Where a task stands")
struct TaskStandingTests {
  let kept: KeptStore
  let writer: StoreWriter
  let recording: RecordingID

  init() throws { (kept, writer, recording) = try KeptStore.recorded() }

  private func make(
    _ kind: TaskKind = .summarize, after: [TaskKind] = [], on other: RecordingID? = nil
  ) throws -> TaskRow {
    try writer.database.commit {
      try writer.tasks.enqueue(kind, on: other ?? recording, after: after, $0).task
    }
  }

  private func claim(_ task: TaskRow) throws -> TaskClaim {
    try #require(try writer.database.commit { try writer.tasks.claim(task.id, $0) })
  }

  private func standing(_ task: TaskRow) throws -> TaskStanding {
    try writer.database.read { db in
      try TaskStanding(try #require(try TaskRows.one(task.id, db)), db)
    }
  }

  private func fail(_ task: TaskRow, _ failure: FailureClass, _ cause: String) throws {
    let held = try claim(task)
    _ = try writer.database.commit {
      try writer.tasks.fail(held, failure, cause: cause, delayMilliseconds: { _ in 60_000 }, $0)
    }
  }

  /// A runner looks for work and says which kinds do not run here.
  private func look(_ obstacles: [TaskKind: KindObstacle], kinds: [TaskKind]) throws -> WorkTurn {
    let search = WorkSearch(
      kinds: Dictionary(uniqueKeysWithValues: kinds.map { ($0, []) }), conditions: "",
      obstacles: KindObstacles(obstacles)
    ) { _, _ in nil }
    return try writer.workTurn(nil, next: search)
  }

  private static let power = KindObstacle(cause: "needs power", wake: "there is external power")

  @Test("other tasks, audio, a time, the trash, a handler, the user: each says what ends it (S8)")
  func waits() throws {
    let first = try make(.transcribe)
    let second = try make(after: [.transcribe])
    #expect(try standing(second).cause == "waits for transcribe")
    #expect(try standing(second).wake == "those tasks are done")
    #expect(try standing(first) == standing(first) && (try standing(first).wake).isEmpty)
    try fail(first, .transient, "no answer")
    #expect(try standing(first).wake.contains("the time has passed"))
    #expect(try writer.change(tasks: [first.id.description], .retry).first?.isChanged == true)
    try fail(first, .missingInput, "audio is elsewhere")
    #expect(try standing(first).wake == "the audio arrives")
    try writer.trash(recording)
    #expect(try standing(second).wake == "the recording is restored")
    try writer.restore(recording)
    let other = try make(.diarize)
    _ = try look([:], kinds: [.summarize])
    #expect(try standing(other).phase == .parked && !standing(other).cause.isEmpty)
    #expect(try standing(other).wake == "work runs with a handler for the kind")
    try fail(other, .permanentInput, "no speech")
    #expect(try standing(other).phase == .failed && standing(other).wake == "it is retried")
  }

  @Test("interruptions wait for other conditions, deaths for the user (T1, S8)")
  func counted() throws {
    let task = try make()
    for _ in 0..<TaskCounters.interruptionBound {
      let held = try claim(task)
      _ = try writer.database.commit {
        try writer.tasks.interrupt(held, cause: "deadline", conditions: "same", $0)
      }
    }
    #expect(try standing(task).wake.contains("conditions change"))
    _ = try writer.database.commit { db in
      try db.run(
        "UPDATE task SET phase = 'quarantined', wait = '' WHERE key = ?1", [.integer(task.key)])
    }
    #expect(try standing(task).wake == "it is released")
  }

  @Test("a kind that may not run here waits, said once, whatever the number of tasks (S8)")
  func kinds() throws {
    let task = try make()
    let before = try writer.database.read { try Settings.unsigned(Settings.commitNumber, $0) }
    #expect(try look([.summarize: Self.power], kinds: [.summarize]).hasNews)
    #expect(
      try standing(task)
        == TaskStanding(phase: .waiting, cause: "needs power", wake: "there is external power"))
    let told = try writer.database.read { try Settings.unsigned(Settings.commitNumber, $0) }
    #expect(told == before.map { $0 + 1 })
    // The same again is no news, and writes nothing.
    #expect(try !look([.summarize: Self.power], kinds: [.summarize]).hasNews)
    #expect(
      try writer.database.read { try Settings.unsigned(Settings.commitNumber, $0) } == told)
    // One that is made later waits for the same.
    let later = try make(on: try kept.record(writer, title: "Later", chunks: 2).recording)
    #expect(try standing(later).phase == .waiting)
    #expect(try look([:], kinds: [.summarize]).hasNews)
    #expect(try standing(task).phase == .ready && (try standing(task).wake).isEmpty)
  }

  @Test("a handler that comes and may not run says so in the place of one that was not there")
  func unparked() throws {
    let task = try make(.diarize)
    _ = try look([:], kinds: [.summarize])
    #expect(try standing(task).phase == .parked)
    _ = try look([.diarize: Self.power], kinds: [.diarize])
    #expect(try standing(task).phase == .waiting && standing(task).cause == "needs power")
    _ = try look([:], kinds: [.summarize])
    #expect(try standing(task).phase == .parked)
  }

  @Test("a task whose recording goes on says so (S8)")
  func running() throws {
    let id = try writer.startRecording(RecordingSeed(title: "Now"))
    let task = try make(.transcribe, on: id)
    #expect(try standing(task).phase == .ready && standing(task).cause == "the recording goes on")
    #expect(try standing(task).wake == "more sound arrives, or the recording stops")
    try writer.setPhase(.stopped, of: id, reason: .stop)
    #expect(try standing(task).cause.isEmpty)
  }
}
