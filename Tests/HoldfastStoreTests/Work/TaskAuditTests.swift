import HoldfastModel
import HoldfastSQLite
import HoldfastStore
import Testing

/// Rows of tasks and results against the log.
@Suite("Verifying deferred work")
struct TaskAuditTests {
  let kept: KeptStore
  let recording: RecordingID

  /// A store with a task that is done, one that waits for it no more, and one that comes after.
  init() throws {
    let (store, at, id) = try KeptStore.recorded()
    (kept, recording) = (store, id)
    try at.database.commit { db in
      try at.tasks.enqueue(pipeline: [.transcribe, .summarize, .diarize], on: id, db)
    }
    for _ in 0..<2 {
      try at.database.commit { db in
        let task = try #require(try TaskRows.all(of: id, db).first { $0.phase == .ready })
        let held = try #require(try at.tasks.claim(task.id, db))
        let facts = ["one", "two"].map { text in
          ResultFact(
            task: task.id, artefact: Artefact(kind: "summary", text: text), quality: 1,
            version: 2, inputRevision: 3)
        }
        #expect(try at.tasks.complete(held, facts, db))
      }
    }
    at.close()
  }

  static let damage = [
    "UPDATE result SET text = 'other' WHERE text = 'one'",
    "UPDATE result SET quality = 99", "UPDATE result SET version = version + 1",
    "UPDATE result SET hash = zeroblob(32) WHERE key = 1", "UPDATE result SET kind = 'x'",
    "DELETE FROM result WHERE key = 2", "DELETE FROM result",
    "UPDATE task SET kind = 'other' WHERE kind = 'diarize'",
    "UPDATE task SET generation = 7", "UPDATE task SET id = zeroblob(32) WHERE kind = 'diarize'",
    "DELETE FROM task WHERE kind = 'diarize'", "DELETE FROM task_after",
    "UPDATE task SET phase = 'dnoe' WHERE phase = 'done'",
    "UPDATE task SET phase = 'done' WHERE kind = 'diarize'",
    "UPDATE task SET progress = -5", "UPDATE task SET cursor = x'ff' WHERE kind = 'transcribe'",
    "INSERT INTO result SELECT 99, task, recording, zeroblob(32), kind, content_type, 'made up', "
      + "quality, version, input_revision, made_ms, late FROM result LIMIT 1",
  ]

  @Test("a damaged row is found, and a rebuild mends it from the log (S1, T9)", arguments: damage)
  func found(sql: String) throws {
    #expect(try kept.verify().isSound)
    let before = try rows(kept.directory)
    try kept.tamper(sql)
    let problems = try kept.verify().database
    #expect(problems.contains { [.projection, .reference].contains($0.code) }, "\(problems)")
    let target = kept.root + "/new"
    _ = try StoreRebuild.run(
      from: kept.directory, to: target, KeptStore.options, kept.environment)
    #expect(try kept.verify(target).database.isEmpty)
    #expect(try rows(target) == before)
    let digests = try [kept.directory, target].map {
      try StateDump.run($0, temporary: kept.temporary, kept.environment)
    }
    #expect(digests[0] == digests[1])
  }

  /// Tasks with their state, and what came of them.
  private func rows(_ directory: String) throws -> [String] {
    try kept.reader(directory).read { db in
      try TaskRows.all(of: recording, db).flatMap { task in
        ["\(task.kind.rawValue) \(task.generation) \(task.phase)"]
          + (try TaskRows.predecessors(task.key, db).map { "after \($0.rawValue)" })
          + (try ResultRow.all(of: task, db).map { "\($0.artefact.text) \($0.quality)" })
      }
    }.sorted()
  }

  @Test(
    "rows that belong to nothing are found",
    arguments: [
      "INSERT INTO task_after VALUES (99, 'x')",
      "UPDATE task SET recording = zeroblob(16) WHERE kind = 'diarize'",
      "UPDATE result SET recording = zeroblob(16) WHERE key = 1",
    ])
  func strays(sql: String) throws {
    try kept.tamper(sql)
    #expect(try kept.verify().database.contains { $0.code == .reference })
  }

  @Test("what is this store's own is no damage: turns, waits, counters, a handler's predecessors")
  func own() throws {
    try kept.tamper(
      """
      UPDATE task SET turn = 9, cause = 'x', failures = 2, claim = 5;
      INSERT INTO task_after SELECT key, 'own' FROM task;
      UPDATE result SET made_ms = 1, late = 1
      """)
    #expect(try kept.verify().isSound)
  }

  @Test("settled tasks that were removed for their age are no damage")
  func pruned() throws {
    let bound = TaskBook.settledBound
    try kept.tamper("UPDATE task SET key = \(bound + 1) WHERE kind = 'diarize'")
    try kept.tamper("UPDATE task_after SET task_key = \(bound + 1) WHERE task_key = 3")
    let writer = try kept.open()
    #expect(try writer.database.commit { try writer.tasks.prune($0) } == 1)
    writer.close()
    #expect(try kept.verify().isSound)
  }
}
