import Foundation
import HoldfastSQLite
import Testing

private struct Stop: Error {}

@Suite("Checkpoints, backups and checks")
struct UpkeepTests {
  let scratch: Scratch
  init() throws { scratch = try Scratch() }
  private var path: String { scratch.file("u.sqlite") }

  private func fill(_ store: borrowing Connection, _ rows: Int64) throws {
    let text = String(repeating: "x", count: 3_000)
    try store.transaction(.write) {
      for _ in 0..<rows { try store.run("INSERT INTO pair(text) VALUES (?)", [.text(text)]) }
    }
  }

  @Test("no commit and no close makes a checkpoint (J7)")
  func noAutomaticCheckpoint() throws {
    let store = try makeStore(path)
    for _ in 0..<30 { try fill(store, 50) }
    #expect(store.walFrames > 1_000, "beyond SQLite's own threshold")
    let size = scratch.size("u.sqlite")
    try store.close()
    #expect(scratch.size("u.sqlite") == size && size < 100_000)
    #expect(scratch.size("u.sqlite-wal") > 4_000_000)
  }

  @Test("a checkpoint without readers is complete, and its numbers are the WAL's (J7)")
  func complete() throws {
    let store = try makeStore(path)
    try fill(store, 20)
    let frames = store.walFrames
    #expect(frames > 20)
    let passive = try store.checkpoint(.passive)
    #expect(
      passive == CheckpointResult(busy: false, logFrames: frames, checkpointedFrames: frames))
    #expect(passive.isComplete)
    let cut = try store.checkpoint(.truncate)
    #expect(cut.isComplete && cut.logFrames == 0)
    #expect(scratch.size("u.sqlite-wal") == 0 && store.walFrames == 0)
  }

  @Test("a checkpoint beside a reader of an old snapshot is incomplete (J7)")
  func withReader() throws {
    let store = try makeStore(path)
    try fill(store, 5)
    let reader = try Connection(path: path, .creating)
    try reader.transaction(.read) {
      #expect(try reader.integer("SELECT count(*) FROM pair") == 5)
      try fill(store, 5)
      let passive = try store.checkpoint(.passive)
      #expect(!passive.isComplete && !passive.busy)
      #expect(passive.checkpointedFrames < passive.logFrames)
      for mode in [CheckpointMode.full, .restart, .truncate] {
        let result = try store.checkpoint(mode)
        #expect(result.busy && !result.isComplete)
      }
    }
    #expect(try store.checkpoint(.truncate).isComplete)
  }

  @Test("a checkpoint inside a transaction is an error")
  func insideTransaction() throws {
    let store = try makeStore(path)
    try store.transaction(.write) {
      try store.run("INSERT INTO pair VALUES (1, 'a')")
      #expect(code { _ = try store.checkpoint(.passive) }?.primary == .locked)
    }
  }

  @Test("a backup of a store that is written at every step is one whole snapshot")
  func hotBackup() throws {
    let store = try makeStore(path)
    try store.execute("CREATE TABLE twin(id INTEGER PRIMARY KEY)")
    func commit(_ writer: borrowing Connection, _ id: Int64) throws {
      try writer.transaction(.write) {
        let text = String(repeating: "y", count: 3_000)
        try writer.run("INSERT INTO pair VALUES (?, ?)", [.integer(id), .text(text)])
        try writer.run("INSERT INTO twin VALUES (?)", [.integer(id)])
      }
    }
    for id in Int64(0)..<40 { try commit(store, id) }
    let writer = try Connection(path: path, .creating)
    var steps: Int64 = 0
    var last = BackupProgress(remainingPages: -1, totalPages: -1)
    let copyPath = scratch.file("copy.sqlite")
    try store.backup(to: copyPath, pagesPerStep: 1) {
      last = $0
      steps += 1
      try commit(writer, 1_000 + steps)
    }
    #expect(steps > 40 && last.remainingPages == 0 && Int64(last.totalPages) <= steps)
    let copy = try Connection(path: copyPath, OpenOptions(access: .readWrite))
    #expect(try copy.integrityProblems(limit: 10, quick: false).isEmpty)
    #expect(try copy.integer("SELECT count(*) FROM pair") == 40)
    #expect(try copy.integer("SELECT count(*) FROM twin") == 40)
    #expect(try store.integer("SELECT count(*) FROM twin") == 40 + steps)
    #expect(store.isInTransaction == false && store.hasOpenStatements == false)
  }

  @Test("a backup overwrites nothing, takes an empty file, and leaves nothing when it fails")
  func backupFile() throws {
    let store = try makeStore(path)
    try fill(store, 10)
    try scratch.write([1, 2, 3], to: "there")
    let there = scratch.file("there")
    #expect(code { try store.backup(to: there) } == .cannotOpen)
    #expect(scratch.size("there") == 3)
    let copy = scratch.file("copy")
    #expect(throws: Stop.self) { try store.backup(to: copy, pagesPerStep: 1) { _ in throw Stop() } }
    #expect(!FileManager.default.fileExists(atPath: copy))
    #expect(!FileManager.default.fileExists(atPath: copy + "-journal"))
    #expect(code { try store.backup(to: scratch.file("no/where")) }?.primary == .cannotOpen)
    try scratch.write([], to: "copy")
    chmod(copy, 0o600)
    chmod(path, 0o444)
    try store.backup(to: copy)
    let attributes = try FileManager.default.attributesOfItem(atPath: copy)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    try store.transaction(.write) {
      #expect(code { try store.backup(to: scratch.file("inside")) } == .misuse)
    }
  }

  @Test("a damaged page is found by the checks, and a missing parent by the other")
  func checks() throws {
    let store = try makeStore(path)
    try store.execute("CREATE INDEX pair_text ON pair(text)")
    try fill(store, 50)
    #expect(try store.integrityProblems(limit: 10, quick: true).isEmpty)
    #expect(try store.foreignKeyProblems().isEmpty)
    try store.execute(
      """
      PRAGMA foreign_keys = OFF;
      CREATE TABLE child(parent REFERENCES pair(id));
      INSERT INTO child VALUES (4711);
      """)
    #expect(try store.foreignKeyProblems() == ["row 1 of child names no row of pair"])
    #expect(try store.checkpoint(.truncate).isComplete)
    try store.close()
    let file = try #require(FileHandle(forUpdatingAtPath: path))
    try file.seek(toOffset: 4_096 * 6)
    try file.write(contentsOf: Data(repeating: 0xee, count: 4_096))
    try file.close()
    let damaged = try Connection(path: path)
    let found = code {
      let problems = try damaged.integrityProblems(limit: 3, quick: false)
      #expect(!problems.isEmpty && problems.count <= 3)
    }
    #expect(found == nil || found?.primary == .corrupt)
  }
}
