import HoldfastModel
import HoldfastSQLite
import HoldfastStore
import Testing

/// Claims and completions as the engine makes them, without a handler.
@Suite("A turn of work")
struct WorkTurnTests {
  private static let kind = TaskKind(rawValue: "summarize")
  private static let conditions = "here"
  let kept: KeptStore
  let writer: StoreWriter

  init() throws {
    kept = try KeptStore()
    writer = try kept.open()
  }

  private var search: WorkSearch {
    WorkSearch(kinds: [Self.kind: []], conditions: Self.conditions) { candidates, _ in
      candidates.min { $0.task.turn < $1.task.turn }?.task.id
    }
  }

  private func make(_ count: Int) throws {
    for _ in 0..<count {
      let recording = try kept.record(writer, chunks: 1).recording
      try writer.database.commit { db in
        _ = try writer.tasks.enqueue(Self.kind, on: recording, db)
      }
    }
  }

  private func bring(
    _ order: WorkOrder, _ artefacts: [Artefact], next search: WorkSearch?
  ) throws -> WorkTurn {
    let stamp = HandlerStamp(version: 1, quality: 1)
    let output = UnitOutput(track: nil, covered: 0..<1, fraction: 1, handler: stamp)
    return try writer.workTurn((order.claim, .done(output, artefacts, stamp)), next: search)
  }

  private func next(after order: WorkOrder) throws -> WorkOrder {
    let turn = try bring(order, [Artefact(kind: "summary", text: "so it was")], next: search)
    #expect(turn.fate == .taken)
    return try #require(turn.order)
  }

  /// Tasks of each sort that a claim must not look at one by one: behind the next ones, without a
  /// handler, after another task, until a time, and until other conditions.
  private func crowd(_ count: Int64) throws {
    let now = kept.environment.clock.now().wallMilliseconds
    let sorts: [(kind: String, phase: String, wait: String)] = [
      ("summarize", "ready", ""), ("stranger", "parked", ""), ("summarize", "waiting", "tasks"),
      ("summarize", "waiting", "retry"), ("summarize", "waiting", "conditions"),
      ("summarize", "waiting", "input"), ("summarize", "done", ""),
    ]
    try writer.database.commit { db in
      for sort in sorts {
        try db.run(
          """
          WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
          INSERT INTO task (id, kind, recording, generation, made_ms, phase, wait, turn,
            retry_set_ms, retry_due_ms, held_under)
          SELECT randomblob(32), ?2, randomblob(16), 1, 0, ?3, ?4, 1000000 + i, ?5, ?5 * 2, ?6
          FROM n
          """,
          [
            .integer(count), .text(sort.kind), .text(sort.phase), .text(sort.wait),
            .integer(now), .text(Self.conditions),
          ])
      }
      try db.run(
        "INSERT INTO task_after SELECT key, ?1 FROM task WHERE wait = 'tasks'",
        [.text(Self.kind.rawValue)])
    }
  }

  @Test("T2, S8: a claim costs as many steps of SQLite beside 14,000 other tasks as beside none")
  func flat() throws {
    try make(5)
    let connection = { writer.database.connection.steps }
    var order = try #require(try writer.workTurn(nil, next: search).order)
    order = try next(after: order)
    let start = connection()
    order = try next(after: order)
    let alone = connection() - start
    try crowd(2_000)
    let crowded = connection()
    order = try next(after: order)
    let beside = connection() - crowded
    #expect(alone > 200, "nothing was counted")
    // A kind more is a few steps more; a step a task would be thousands.
    #expect(beside < alone + 300, "\(alone) steps alone, \(beside) beside others")
    let looking = connection()
    #expect(try writer.workTurn(nil, next: search).order?.task.id != order.task.id)
    #expect(connection() - looking < 2 * (alone + 300))
  }

  @Test("tasks that stood parked are claimed when their kind has a handler (T4)")
  func parked() throws {
    try make(1)
    _ = try writer.database.commit { try writer.tasks.park(except: [], $0) }
    let order = try #require(try writer.workTurn(nil, next: search).order)
    #expect(order.task.phase == .running && order.task.claim == 1)
    #expect(try writer.database.read { try TaskRows.one(order.task.id, $0) } == order.task)
  }

  @Test("what a claim answers is what is stored, after each kind of ending (T2)")
  func stored() throws {
    try make(1)
    let stamp = HandlerStamp(version: 1, quality: 1)
    let output = UnitOutput(
      track: nil, covered: 0..<1, checkpoint: [7], fraction: 0.5, handler: stamp)
    var order = try #require(try writer.workTurn(nil, next: search).order)
    #expect(try writer.workTurn((order.claim, .part(output)), next: nil).fate == .taken)
    var row = try #require(try writer.database.read { try TaskRows.one(order.task.id, $0) })
    #expect(row.phase == .running && row.checkpoint == [7] && row.unit == 1)
    #expect(row.counters.deaths == 1 && row.progress.units == 5_000)
    order = try #require(
      try writer.workTurn((order.claim, .unit(output)), next: search).order)
    #expect(try writer.database.read { try TaskRows.one(order.task.id, $0) } == order.task)
    #expect(order.task.unit == 2 && order.task.claim == 2 && order.task.checkpoint == [7])
    let turn = try bring(order, [Artefact(kind: "summary", text: "all")], next: search)
    #expect(turn.fate == .taken && turn.order == nil)
    row = try #require(try writer.database.read { try TaskRows.one(order.task.id, $0) })
    #expect(row.phase == .done && row.checkpoint == nil && row.counters.deaths == 0)
    #expect(row.progress.units == TaskProgress.whole && row.finishedMilliseconds != nil)
  }

  @Test("T2: a worker whose task was called off brings its last unit in vain, which is no error")
  func staleTranscript() throws {
    try make(1)
    let order = try #require(try writer.workTurn(nil, next: search).order)
    _ = try writer.change(tasks: [order.task.id.description], .cancel)
    let turn = try bring(order, [], next: search)
    #expect(turn.fate == .stale && turn.order == nil)
  }

  @Test("waits for other conditions end whichever way they sort", arguments: ["a", "z"])
  func conditions(_ old: String) throws {
    try make(1)
    let order = try #require(try writer.workTurn(nil, next: search).order)
    _ = try writer.database.commit { db in
      try db.run("UPDATE task SET interruptions = 49 WHERE key = ?1", [.integer(order.task.key)])
    }
    let ending = WorkEnding.interrupted(cause: "expired", conditions: old)
    _ = try writer.workTurn((order.claim, ending), next: nil)
    #expect(
      try writer.database.read { try TaskRows.one(order.task.id, $0) }?.wait == .conditions)
    #expect(try writer.workTurn(nil, next: search).order?.task.id == order.task.id)
  }

  @Test("J7: a log that work alone fills is copied into the database when it is over its budget")
  func checkpoints() throws {
    writer.close()
    var options = KeptStore.options
    options.walBudgetBytes = 256 << 10
    let (small, _) = try StoreOpening.open(kept.directory, options, kept.environment)
    defer { small.close() }
    let recording = try kept.record(small, chunks: 1).recording
    var most: Int32 = 0
    for round in 0..<40 {
      try small.database.commit { db in
        _ = try small.tasks.enqueue(Self.kind, on: recording, db)
      }
      let order = try #require(try small.workTurn(nil, next: search).order)
      let stamp = HandlerStamp(version: 1, quality: 1)
      let output = UnitOutput(track: nil, covered: 0..<1, fraction: 1, handler: stamp)
      let result = Artefact(kind: "summary", text: "round \(round)")
      _ = try small.workTurn((order.claim, .done(output, [result], stamp)), next: nil)
      most = max(most, small.database.connection.walFrames)
    }
    #expect(most > 32, "the log was not filled")
    #expect(most < 128, "\(most) frames with a budget of 64")
  }
}
