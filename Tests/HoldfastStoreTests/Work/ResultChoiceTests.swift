import HoldfastModel
import HoldfastSQLite
import HoldfastStore
import Testing

/// T9: the user's choice, else (declared quality, then smallest hash), is shown; no clock in it.
@Suite("The user's choice of a result")
struct ResultChoiceTests {
  let kept: KeptStore
  let writer: StoreWriter
  let recording: RecordingID
  let task: TaskRow
  let held: TaskClaim

  init() throws {
    let (store, writer, recording) = try KeptStore.recorded()
    kept = store
    task = try writer.database.commit {
      try writer.tasks.enqueue(.summarize, on: recording, $0).task
    }
    (self.writer, self.recording) = (writer, recording)
    let task = task
    held = try #require(try writer.database.commit { try writer.tasks.claim(task.id, $0) })
    try add([("summary", "low", 1), ("summary", "high", 5), ("title", "A", 1), ("title", "B", 1)])
  }

  /// Results that the worker brings: after the first time it is a late one.
  private func add(_ results: [(kind: String, text: String, quality: Int32)]) throws {
    _ = try writer.database.commit { db in
      try writer.tasks.complete(
        held,
        results.map {
          ResultFact(
            task: task.id, artefact: Artefact(kind: $0.kind, text: $0.text), quality: $0.quality,
            version: 1, inputRevision: 1)
        }, db)
    }
  }

  private func rows(_ directory: String? = nil) throws -> [ResultRow] {
    try kept.reader(directory).read { try ResultRow.all(of: task, $0) }
  }

  private func shown(_ directory: String? = nil) throws -> [String: String] {
    let shown = try rows(directory).filter(\.isShown)
    return Dictionary(uniqueKeysWithValues: shown.map { ($0.artefact.kind, $0.artefact.text) })
  }

  private func name(_ text: String) throws -> String {
    try #require(try rows().first { $0.artefact.text == text }).hash.description
  }

  private func choose(_ result: String?) throws -> Bool {
    try writer.choose(result: result, of: task.id.description).isChanged
  }

  @Test("else the best quality, then the smallest hash; each kind by itself (T9)")
  func unchosen() throws {
    let smaller = try [name("A"), name("B")].min()
    #expect(try shown()["summary"] == "high")
    let title = try rows().first { $0.isShown && $0.artefact.kind == "title" }
    #expect(title?.hash.description == smaller)
    #expect(try rows().allSatisfy { !$0.isChosen })
  }

  @Test("the choice stands whatever comes later, and is taken back (T9)")
  func chosen() throws {
    #expect(try choose(String(name("low").prefix(8))))
    #expect(try !choose(name("low")))
    try add([("summary", "best", 100)])
    #expect(try shown()["summary"] == "low")
    #expect(try rows().filter(\.isChosen).map(\.artefact.text) == ["low"])
    #expect(try choose(nil) && shown()["summary"] == "best")
    #expect(try !choose(nil))
  }

  @Test("the choice is a register: it names what it replaces, and the log alone gives it (S1, S5)")
  func log() throws {
    _ = try choose(name("low"))
    _ = try choose(name("high"))
    _ = try choose(name("low"))
    let changes = try writer.database.read { db in
      try db.all(
        "SELECT bytes FROM change WHERE recording = ?1 AND kind = 'set'",
        [.blob(recording.bytes)]
      ) { try Change(bytes: $0.blob(0)) }
    }
    let field = RegisterField.result(of: task.id, kind: "summary")
    let mine = changes.filter { $0.body["f"]?.text == field }
    #expect(mine.count == 3 && mine.last?.replaces == [mine[1].name])
    for order in [changes, changes.reversed(), changes + changes] {
      let state = RecordingState(recording, changes: order)
      #expect(try state.chosenResult(of: task.id, kind: "summary")?.description == name("low"))
      #expect(state.registers[field]?.conflicts.isEmpty == true)
    }
    #expect(Set(mine.map { try? Change(bytes: $0.bytes).bytes }) == Set(mine.map(\.bytes)))
  }

  @Test("a store that is rebuilt shows the same, and dumps the same (S1)")
  func rebuilt() throws {
    _ = try choose(name("low"))
    writer.close()
    let target = kept.root + "/new"
    _ = try StoreRebuild.run(
      from: kept.directory, to: target, KeptStore.options, kept.environment)
    #expect(try shown(target)["summary"] == "low")
    #expect(try kept.verify(target).isSound)
    let digests = try [kept.directory, target].map {
      try StateDump.run($0, temporary: kept.temporary, kept.environment)
    }
    #expect(digests[0] == digests[1])
  }

  @Test("a result that is not there cannot be chosen", arguments: ["0", "", "zzzz"])
  func refused(name: String) throws {
    #expect(throws: HoldfastError.self) { try choose(name) }
  }
}
