import HoldfastSQLite
import Testing

private struct Stop: Error {}

@Suite("Transactions")
struct TransactionTests {
  let scratch: Scratch
  init() throws { scratch = try Scratch() }
  private var path: String { scratch.file("t.sqlite") }

  @Test("a transaction commits as a whole, and a throw in its body rolls it back")
  func wholeOrNothing() throws {
    let store = try makeStore(path)
    let answer = try store.transaction(.write) {
      try store.run("INSERT INTO pair VALUES (1, 'a')")
      #expect(store.isInTransaction == true)
      return "done"
    }
    #expect(answer == "done")
    #expect(throws: Stop.self) {
      try store.transaction(.write) {
        try store.run("INSERT INTO pair VALUES (2, 'b')")
        throw Stop()
      }
    }
    #expect(store.isInTransaction == false)
    #expect(try store.all("SELECT id FROM pair") { $0.int64(0) } == [1])
  }

  @Test("a second writer is told busy before its body runs, after a bounded wait")
  func secondWriter() throws {
    let first = try makeStore(path)
    let second = try Connection(path: path, OpenOptions(busyTimeoutMilliseconds: 40))
    var ran = false
    let clock = ContinuousClock()
    try first.transaction(.write) {
      let time = clock.measure {
        #expect(code { try second.transaction(.write) { ran = true } } == .busy)
      }
      #expect(time >= .milliseconds(30) && time < .seconds(10))
    }
    #expect(ran == false && second.isInTransaction == false)
    try second.transaction(.write) { ran = true }
    #expect(ran)
  }

  @Test("a reader keeps its snapshot over another's commit, and cannot write from it")
  func snapshot() throws {
    let writer = try makeStore(path)
    let reader = try Connection(path: path, .creating)
    let found = code {
      try reader.transaction(.read) {
        #expect(try reader.integer("SELECT count(*) FROM pair") == 0)
        try writer.run("INSERT INTO pair VALUES (1, 'a')")
        #expect(try reader.integer("SELECT count(*) FROM pair") == 0)
        try reader.run("INSERT INTO pair VALUES (2, 'b')")
      }
    }
    #expect(found == .busySnapshot)
    #expect(try reader.integer("SELECT count(*) FROM pair") == 1)
  }

  @Test("transactions do not nest, and the outer one goes on")
  func nested() throws {
    let store = try makeStore(path)
    try store.transaction(.write) {
      try store.run("INSERT INTO pair VALUES (1, 'a')")
      #expect(code { try store.transaction(.write) {} } == .error)
      try store.run("INSERT INTO pair VALUES (2, 'b')")
    }
    #expect(try store.integer("SELECT count(*) FROM pair") == 2)
  }

  @Test("synchronous is never switched inside a transaction (J3), and the pragma is run once")
  func synchronous() throws {
    let store = try makeStore(path)
    try store.setSynchronous(.full)
    try store.transaction(.write) {
      #expect(code { try store.setSynchronous(.normal) } == .misuse)
      #expect(code { try store.setSynchronous(.full) } == .misuse)
    }
    #expect(try store.integer("PRAGMA synchronous") == 2)
    try store.setSynchronous(.normal)
    #expect(try store.integer("PRAGMA synchronous") == 1)
    try store.execute("PRAGMA synchronous = OFF")
    try store.setSynchronous(.normal)
    #expect(try store.integer("PRAGMA synchronous") == 0, "an unchanged level runs nothing")
    try store.setSynchronous(.off)
    try store.setSynchronous(.full)
    #expect(try store.integer("PRAGMA synchronous") == 2)
  }

  @Test("a full disk rolls the transaction back, and the store works on when there is room (J8)")
  func fullDisk() throws {
    let store = try makeStore(path)
    try store.run("INSERT INTO pair VALUES (0, 'kept')")
    try store.execute("PRAGMA max_page_count = 20")
    let text = String(repeating: "x", count: 3_000)
    #expect(
      code {
        try store.transaction(.write) {
          for _ in 0..<100 { try store.run("INSERT INTO pair(text) VALUES (?)", [.text(text)]) }
        }
      } == .full)
    #expect(store.isInTransaction == false && store.hasOpenStatements == false)
    #expect(try store.integer("SELECT count(*) FROM pair") == 1)
    #expect(try store.integrityProblems(limit: 10, quick: false).isEmpty)
    try store.execute("PRAGMA max_page_count = 100000")
    try store.transaction(.write) {
      for _ in 0..<100 { try store.run("INSERT INTO pair(text) VALUES (?)", [.text(text)]) }
    }
    #expect(try store.integer("SELECT count(*) FROM pair") == 101)
  }

  @Test("nothing is committed alone after SQLite rolled back and the body went on")
  func bodyGoesOn() throws {
    let store = try makeStore(path)
    try store.execute("PRAGMA max_page_count = 20")
    let text = String(repeating: "x", count: 200_000)
    let found = code {
      try store.transaction(.write) {
        #expect(code { try store.run("INSERT INTO pair VALUES (1, ?)", [.text(text)]) } == .full)
        #expect(store.isInTransaction == false, "SQLite rolled back by itself")
        #expect(
          code { try store.run("INSERT INTO pair VALUES (2, 'alone')") } == .abortRollback)
        #expect(code { try store.execute("DELETE FROM pair") } == .abortRollback)
      }
    }
    #expect(found == .abortRollback)
    #expect(try store.integer("SELECT count(*) FROM pair") == 0)
  }

  @Test("what cannot be committed is rolled back")
  func failingCommit() throws {
    let store = try makeStore(path)
    try store.execute(
      "CREATE TABLE child(id REFERENCES pair(id) DEFERRABLE INITIALLY DEFERRED)")
    #expect(
      code {
        try store.transaction(.write) { try store.run("INSERT INTO child VALUES (5)") }
      } == .constraintForeignKey)
    #expect(store.isInTransaction == false)
    #expect(try store.integer("SELECT count(*) FROM child") == 0)
  }
}
