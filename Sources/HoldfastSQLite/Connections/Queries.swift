// Running statements by their text. Invariant: a cached statement is back at its beginning after
// each use, whatever was thrown.
import CHoldfastSQLite

extension ConnectionCore {
  /// Executes every statement of the text in order; rows are passed over.
  func execute(_ sql: String) throws(SQLiteError) {
    var pieces = SQLPieces(sql)
    while let statement = try next(of: &pieces, lasting: false) {
      try assertTransactionStands()
      while try statement.step() {}
    }
  }

  /// Executes one cached statement; answers how many rows it changed itself.
  func run(_ sql: String, _ values: [SQLiteValue]) throws(SQLiteError) -> Int64 {
    let statement = try borrow(sql)
    defer { giveBack(statement) }
    try statement.bindAll(values)
    let before = unsafe sqlite3_total_changes64(db)
    while try statement.step() {}
    // `sqlite3_changes` keeps the number of an earlier statement when this one changes no rows.
    return unsafe sqlite3_total_changes64(db) == before ? 0 : sqlite3_changes64(db)
  }
}

extension Connection {
  /// Executes one or many statements without parameters; rows are passed over. Outside a
  /// transaction each commits by itself, and those before a fault stay done.
  package func execute(_ sql: String) throws(SQLiteError) { try core.execute(sql) }

  /// Executes one statement and keeps it prepared for the next time; answers how many rows it
  /// changed, without those that triggers changed.
  @discardableResult
  package func run(_ sql: String, _ values: [SQLiteValue] = []) throws(SQLiteError) -> Int64 {
    try core.run(sql, values)
  }

  /// Lends each row of one statement to the body. The statement is kept prepared, and is back at
  /// its beginning afterwards, whatever the body threw.
  package func query(
    _ sql: String, _ values: [SQLiteValue] = [], _ body: (borrowing Row) throws -> Void
  ) throws {
    let statement = try core.borrow(sql)
    defer { core.giveBack(statement) }
    try statement.bindAll(values)
    let row = Row(statement)
    while try statement.step() {
      try body(row)
      if statement.unreadable != nil { try statement.throwUnreadable() }
    }
  }

  /// What the map makes of the first row; nil when there is none.
  package func first<Result>(
    _ sql: String, _ values: [SQLiteValue] = [], _ map: (borrowing Row) throws -> Result
  ) throws -> Result? {
    let statement = try core.borrow(sql)
    defer { core.giveBack(statement) }
    try statement.bindAll(values)
    guard try statement.step() else { return nil }
    let result = try map(Row(statement))
    try statement.throwUnreadable()
    return result
  }

  /// What the map makes of every row, in order.
  package func all<Element>(
    _ sql: String, _ values: [SQLiteValue] = [], _ map: (borrowing Row) throws -> Element
  ) throws -> [Element] {
    var elements: [Element] = []
    try query(sql, values) { elements.append(try map($0)) }
    return elements
  }

  /// Prepares one statement that the caller drives. Fails with ``ResultCode/misuse`` when the text
  /// has no statement, more than one, or a NUL.
  package func prepare(_ sql: String) throws(SQLiteError) -> Statement {
    Statement(try core.prepare(sql, lasting: true), of: core)
  }
}
