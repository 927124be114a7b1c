import HoldfastSQLite
import Testing

private struct Stop: Error {}

@Suite("Statements")
struct StatementTests {
  let scratch: Scratch
  init() throws { scratch = try Scratch() }

  @Test(
    "a text without exactly one statement is an error, not a crash",
    arguments: [
      "", "  \n", "-- only a comment", "/* open comment", ";", ";;", "SELECT 1; SELECT 2",
      "SELECT 1\0", "SELECT 1;\0 DROP TABLE pair", "\0",
    ])
  func notOneStatement(sql: String) throws {
    let store = try makeStore(scratch.file("s.sqlite"))
    #expect(code { _ = try store.prepare(sql) } == .misuse)
    #expect(code { try store.run(sql) } == .misuse)
    #expect(code { try store.query(sql) { _ in } } == .misuse)
  }

  @Test("blanks, comments and a semicolon around one statement are fine")
  func surroundings() throws {
    let store = try makeStore(scratch.file("s.sqlite"))
    #expect(try store.integer(" -- a\n/* b */ SELECT 1 ; -- c\n ; /* d */ ") == 1)
    try store.execute("-- nothing\n")
    try store.execute("")
  }

  @Test("execute runs every statement, stops at a fault, and refuses a NUL")
  func execute() throws {
    let store = try makeStore(scratch.file("s.sqlite"))
    #expect(
      code {
        try store.execute(
          "INSERT INTO pair VALUES (1, 'a'); SELECT * FROM pair; INSERT INTO nowhere VALUES (1)")
      } == .error)
    #expect(try store.integer("SELECT count(*) FROM pair") == 1)
    #expect(code { try store.execute("SELECT 1;\0 DROP TABLE pair") } == .misuse)
  }

  @Test("run answers the rows that this statement changed")
  func changedRows() throws {
    let store = try makeStore(scratch.file("s.sqlite"))
    #expect(try store.run("INSERT INTO pair VALUES (1, 'a'), (2, 'b'), (3, 'c')") == 3)
    #expect(try store.run("UPDATE pair SET text = 'z' WHERE id > 9") == 0)
    #expect(try store.run("CREATE TABLE other(a)") == 0)
    #expect(try store.run("SELECT * FROM pair") == 0)
    #expect(try store.run("DELETE FROM pair WHERE id > 1") == 2)
    #expect(try store.run("INSERT INTO pair VALUES (7, 'q') RETURNING id") == 1)
    #expect(store.changes == 1 && store.totalChanges == 6 && store.lastInsertRowID == 7)
  }

  @Test("a statement is at its beginning after every use, also when its body throws")
  func resetAfterUse() throws {
    let store = try makeStore(scratch.file("s.sqlite"))
    try store.run("INSERT INTO pair VALUES (1, 'a'), (2, 'b')")
    let sql = "SELECT id FROM pair ORDER BY id"
    #expect(throws: Stop.self) { try store.query(sql) { _ in throw Stop() } }
    #expect(store.hasOpenStatements == false)
    #expect(throws: Stop.self) { _ = try store.first(sql) { _ in throw Stop() } }
    #expect(throws: Stop.self) { _ = try store.all(sql) { _ in throw Stop() } }
    #expect(try store.first(sql) { $0.int64(0) } == 1)
    #expect(code { try store.run("INSERT INTO pair VALUES (1, 'x')") } == .constraintPrimaryKey)
    #expect(store.hasOpenStatements == false)
    #expect(try store.all(sql) { $0.int64(0) } == [1, 2])
    #expect(try store.checkpoint(.truncate).isComplete)
  }

  @Test("a value does not stay bound for the next use")
  func bindingsCleared() throws {
    let store = try makeStore(scratch.file("s.sqlite"))
    for text in ["a", "b"] {
      try store.run("INSERT INTO pair(text) VALUES (?)", [.text(text)])
    }
    #expect(
      code { try store.run("INSERT INTO pair(text) VALUES (?)", [nil]) } == .constraintNotNull)
    #expect(try store.all("SELECT text FROM pair") { $0.text(0) } == ["a", "b"])
  }

  @Test("the same query may run inside itself")
  func reentrant() throws {
    let store = try makeStore(scratch.file("s.sqlite"))
    try store.run("INSERT INTO pair VALUES (1, 'a'), (2, 'b'), (3, 'c')")
    let sql = "SELECT id FROM pair ORDER BY id"
    var seen: [Int64] = []
    try store.query(sql) { outer in
      let inner = try store.all(sql) { $0.int64(0) }
      seen.append(outer.int64(0) * 10 + Int64(inner.count))
    }
    #expect(seen == [13, 23, 33])
    #expect(store.hasOpenStatements == false)
  }

  @Test("a cached statement sees a changed schema")
  func schemaChange() throws {
    let store = try makeStore(scratch.file("s.sqlite"))
    try store.run("INSERT INTO pair VALUES (1, 'a')")
    #expect(try store.first("SELECT * FROM pair") { $0.count } == 2)
    try store.execute("ALTER TABLE pair ADD COLUMN note TEXT")
    #expect(try store.first("SELECT * FROM pair") { $0.count } == 3)
  }

  @Test("a PRAGMA reads the present value each time, in any spelling")
  func pragmas() throws {
    let store = try makeStore(scratch.file("s.sqlite"))
    for sql in ["PRAGMA synchronous", "\n pragma synchronous", "--\n/* */Pragma synchronous"] {
      try store.setSynchronous(.full)
      #expect(try store.integer(sql) == 2)
      try store.setSynchronous(.normal)
      #expect(try store.integer(sql) == 1)
    }
  }

  @Test("any number of different texts can be run, and emptying the cache harms none in use")
  func cacheBound() throws {
    let store = try makeStore(scratch.file("s.sqlite"))
    try store.run("INSERT INTO pair VALUES (1, 'a'), (2, 'b')")
    var rows = 0
    try store.query("SELECT id FROM pair") { _ in
      rows += 1
      for number in 0..<Int64(700) {
        let found = try store.integer("SELECT \(number)")
        #expect(found == number)
      }
      store.resetAll()
    }
    #expect(rows == 2)
    #expect(store.hasOpenStatements == false)
    try store.close()
  }

  @Test("a prepared statement runs a loop with every kind of binding")
  func preparedLoop() throws {
    let store = try Connection(path: scratch.file("s.sqlite"), .creating)
    try store.execute("CREATE TABLE t(a INTEGER, b REAL, c TEXT, d BLOB, e ANY) STRICT")
    let insert = try store.prepare("INSERT INTO t VALUES (?, ?, ?, ?, ?)")
    #expect(insert.parameterCount == 5)
    let bytes: [UInt8] = [9, 0, 8]
    for number in Int64(0)..<50 {
      try insert.bind(1, number)
      try insert.bind(2, Double(number) / 2)
      try insert.bind(3, "n\(number)")
      try insert.bind(4, bytes.span.extracting(0..<Int(number % 4)))
      try insert.bind(5, .null)
      try insert.run()
    }
    #expect(code { try insert.bind(6, Int64(1)) } == .range)
    #expect(code { try insert.bind(0, Int64(1)) } == .range)
    let select = try store.prepare("SELECT * FROM t WHERE a = ?")
    try select.bind([.integer(46)])
    #expect(try select.step())
    #expect(select.int64(0) == 46 && select.double(1) == 23 && select.text(2) == "n46")
    #expect(select.blob(3) == [9, 0] && select.isNull(4) && select.row.count == 5)
    #expect(store.hasOpenStatements == true)
    #expect(code { try select.bind(1, Int64(1)) } == .misuse)
    select.reset()
    #expect(store.hasOpenStatements == false)
    #expect(try select.step(), "values stay bound over a reset")
  }

  @Test("an error tells code, words, statement and operation")
  func errorContents() throws {
    let store = try makeStore(scratch.file("s.sqlite"))
    do {
      try store.run("INSERT INTO pair VALUES (1, ?)", [.blob([1])])
      Issue.record("a STRICT table took a blob as text")
    } catch {
      #expect(error.code == .constraintDatatype && error.operation == "step")
      #expect(error.sql == "INSERT INTO pair VALUES (1, ?)" && error.systemErrno == 0)
    }
    do {
      _ = try store.prepare("SELEC 1")
      Issue.record("nonsense was prepared")
    } catch {
      #expect(error.code == .error && error.operation == "prepare" && error.sql == "SELEC 1")
      #expect(error.description.contains("syntax error"))
    }
  }
}
