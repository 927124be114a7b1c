import HoldfastSQLite
import Testing

@Suite("Values and columns")
struct ValueTests {
  let store: MemoryStore
  init() throws { store = try MemoryStore() }

  /// A connection in a class, since a suite is copied.
  final class MemoryStore {
    let connection: Connection
    init() throws { connection = try Connection(path: ":memory:", .creating) }
  }

  @Test(
    "every value comes back as it was bound",
    arguments: [
      .null, .integer(0), .integer(.min), .integer(.max), .integer(-1), .real(0.1),
      .real(-.infinity), .real(.leastNonzeroMagnitude), .text(""), .text("a\0b\0"),
      .text("\u{FEFF}grüß 👩‍👩‍👧"), .blob([]), .blob([0]), .blob([1, 0, 2]),
      .text(String(repeating: "ü", count: 1_000)),
      .blob([UInt8](repeating: 0xfe, count: 1_000)),
    ] as [SQLiteValue])
  func roundTrip(value: SQLiteValue) throws {
    let found = try store.connection.first("SELECT ?1, typeof(?1)", [value]) {
      ($0.value(0), $0.text(1))
    }
    let storage =
      switch value {
      case .null: "null"
      case .integer: "integer"
      case .real: "real"
      case .text: "text"
      case .blob: "blob"
      }
    #expect(found?.0 == value)
    #expect(found?.1 == storage)
  }

  @Test("a megabyte of text and of bytes comes back whole")
  func large() throws {
    let text = String(repeating: "ü", count: 1 << 19)
    let bytes = [UInt8](repeating: 0xfe, count: 1 << 20)
    let isWhole = try store.connection.first("SELECT ?, ?", [.text(text), .blob(bytes)]) {
      $0.text(0) == text && $0.blob(1) == bytes
    }
    #expect(isWhole == true)
  }

  @Test("a NUL neither ends a stored text nor a stored blob")
  func embeddedNUL() throws {
    try store.connection.execute("CREATE TABLE t(a TEXT, b BLOB) STRICT")
    try store.connection.run("INSERT INTO t VALUES (?, ?)", [.text("x\0y"), .blob([0, 1, 0])])
    let lengths = try store.connection.first(
      "SELECT length(CAST(a AS BLOB)), length(b), a, b FROM t"
    ) { ($0.int64(0), $0.int64(1), $0.text(2), $0.blob(3)) }
    #expect(lengths?.0 == 3)
    #expect(lengths?.1 == 3)
    #expect(lengths?.2 == "x\0y")
    #expect(lengths?.3 == [0, 1, 0])
  }

  @Test("bytes that are not UTF-8 read as replacement characters, to their full length")
  func invalidUTF8() throws {
    let text = try store.connection.first("SELECT CAST(x'61ff0062c3' AS TEXT)") { $0.text(0) }
    #expect(text == "a\u{FFFD}\0b\u{FFFD}")
  }

  @Test("Swift values have one form; an unsigned one beyond Int64.max is refused")
  func bindable() throws {
    #expect(Int64.min.sqliteValue == .integer(.min))
    #expect(UInt32.max.sqliteValue == .integer(4_294_967_295))
    #expect(Int32.min.sqliteValue == .integer(-2_147_483_648))
    #expect(true.sqliteValue == 1)
    #expect("x".sqliteValue == "x")
    #expect([UInt8]([1]).sqliteValue == .blob([1]))
    #expect(String?.none.sqliteValue == nil)
    #expect(Double?.some(2).sqliteValue == 2.0)
    #expect(try UInt64(Int64.max).sqliteValue == .integer(.max))
    #expect(try UInt64?.none.sqliteValue == .null)
    #expect(code { _ = try (UInt64(Int64.max) + 1).sqliteValue } == .range)
  }

  @Test("NaN is refused, since SQLite would store NULL in its place")
  func notANumber() {
    #expect(code { try store.connection.run("SELECT ?", [.real(.nan)]) } == .range)
    #expect(store.connection.hasOpenStatements == false)
  }

  @Test("a text over SQLite's limit is too big, not cut")
  func tooBig() throws {
    #expect(
      code {
        _ = try store.connection.first("SELECT zeroblob(2000000000)") { $0.isNull(0) }
      } == .tooBig)
  }

  @Test("the number of values must be the number of parameters", arguments: [0, 1, 3])
  func wrongCount(count: Int) {
    let values = [SQLiteValue](repeating: 1, count: count)
    #expect(code { try store.connection.run("SELECT ?, ?", values) } == .range)
  }

  @Test("optional getters tell NULL from a value")
  func optionals() throws {
    let sql = "SELECT NULL, 5, 0.5, 'x', x'01'"
    try store.connection.query(sql) { row in
      #expect(row.count == 5)
      #expect(row.isNull(0) && !row.isNull(1))
      #expect(row.optionalInt64(0) == nil && row.optionalInt64(1) == 5)
      #expect(row.optionalUInt64(0) == nil && row.optionalUInt64(1) == 5)
      #expect(row.optionalDouble(0) == nil && row.optionalDouble(2) == 0.5)
      #expect(row.optionalText(0) == nil && row.optionalText(3) == "x")
      #expect(row.optionalBlob(0) == nil && row.optionalBlob(4) == [1])
      #expect(row.double(1) == 5.0 && row.bool(1) && row.int32(1) == 5 && row.uint32(1) == 5)
    }
    let name = try store.connection.first("SELECT 1 AS frames") { $0.name(0) + $0.name(9) }
    #expect(name == "frames")
  }

  /// What is read by the wrong getter, and what it is.
  static let wrong: [(String, @Sendable (borrowing Row) -> Void)] = [
    ("NULL", { _ = $0.int64(0) }),
    ("'12'", { _ = $0.int64(0) }),
    ("-1", { _ = $0.uint64(0) }),
    ("4294967296", { _ = $0.uint32(0) }),
    ("-2147483649", { _ = $0.int32(0) }),
    ("NULL", { _ = $0.double(0) }),
    ("NULL", { _ = $0.text(0) }),
    ("12", { _ = $0.text(0) }),
    ("'x'", { _ = $0.blob(0) }),
    ("x'00'", { _ = $0.text(0) }),
    ("1", { _ = $0.int64(1) }),
    ("1", { _ = $0.optionalText(-1) }),
    ("'x'", { _ = $0.optionalInt64(0) }),
  ]

  @Test("a column that is not what was asked for fails the query", arguments: wrong.indices)
  func wrongType(index: Int) {
    let (sql, read) = Self.wrong[index]
    let connection = self.store
    #expect(code { try connection.connection.query("SELECT \(sql)") { read($0) } } == .mismatch)
    #expect(
      code { _ = try connection.connection.all("SELECT \(sql)") { read($0) } } == .mismatch)
    #expect(
      code { _ = try connection.connection.first("SELECT \(sql)") { read($0) } } == .mismatch)
    #expect(code { try connection.connection.query("SELECT \(sql)") { _ in } } == nil)
  }

  @Test("a prepared statement throws what a getter could not read at its next step")
  func wrongTypeOfStatement() throws {
    let statement = try store.connection.prepare("SELECT 'x'")
    #expect(try statement.step())
    #expect(statement.int64(0) == 0)
    do {
      _ = try statement.step()
      Issue.record("a wrong column passed")
    } catch {
      #expect(error.code == .mismatch)
      #expect(error.message.contains("text, not an integer"))
    }
  }
}
