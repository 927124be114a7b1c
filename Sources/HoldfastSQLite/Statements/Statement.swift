/// A prepared statement that its holder drives: for loops that would look it up again and again.
///
/// Bind, step until false, reset. Finalized when it goes out of scope; until then it keeps the
/// connection's file open. It is used where its connection is: one thread at a time.
package struct Statement: ~Copyable {
  private let core: ConnectionCore
  private let handle: StatementHandle
  /// The row that the statement stands on, after ``step()`` answered true. What it could not give
  /// as asked is thrown by the next step.
  package let row: Row

  init(_ handle: StatementHandle, of core: ConnectionCore) {
    self.handle = handle
    row = Row(handle)
    self.core = core
  }

  /// How many parameters it has.
  package var parameterCount: Int32 { handle.parameterCount }

  /// Binds all parameters in order.
  package func bind(_ values: [SQLiteValue]) throws(SQLiteError) { try handle.bindAll(values) }
  /// Binds the parameter of that index, which counts from 1.
  package func bind(_ index: Int32, _ value: SQLiteValue) throws(SQLiteError) {
    try handle.bind(index, value)
  }
  /// Binds an integer.
  package func bind(_ index: Int32, _ value: Int64) throws(SQLiteError) {
    try handle.bind(index, value)
  }
  /// Binds a real; NaN is refused.
  package func bind(_ index: Int32, _ value: Double) throws(SQLiteError) {
    try handle.bind(index, value)
  }
  /// Binds a text.
  package func bind(_ index: Int32, _ value: String) throws(SQLiteError) {
    try handle.bind(index, value)
  }
  /// Binds a blob, copied once, into SQLite.
  package func bind(_ index: Int32, _ bytes: Span<UInt8>) throws(SQLiteError) {
    try handle.bind(index, bytes)
  }

  /// Goes on to the next row; false at the end. Also throws ``ResultCode/mismatch`` for a column
  /// of the row before that was not what a getter asked for.
  package func step() throws(SQLiteError) -> Bool {
    try core.assertTransactionStands()
    return try handle.step()
  }

  /// Back to the beginning, ready for other values; the old ones stay bound.
  package func reset() { handle.reset() }

  /// One execution of a statement that gives no rows: step to the end, reset.
  package func run() throws(SQLiteError) {
    defer { handle.reset() }
    while try step() {}
  }
}

// The columns of the row, as ``Row`` reads them.
extension Statement {
  /// How many columns a row has.
  package var count: Int32 { row.count }
  /// The name of a column.
  package func name(_ column: Int32) -> String { row.name(column) }
  /// Whether the column is NULL.
  package func isNull(_ column: Int32) -> Bool { row.isNull(column) }
  /// The value in its own class.
  package func value(_ column: Int32) -> SQLiteValue { row.value(column) }
  /// An integer.
  package func int64(_ column: Int32) -> Int64 { row.int64(column) }
  /// An integer that is not negative.
  package func uint64(_ column: Int32) -> UInt64 { row.uint64(column) }
  /// An integer of 32 bits.
  package func int32(_ column: Int32) -> Int32 { row.int32(column) }
  /// An integer of 32 bits that is not negative.
  package func uint32(_ column: Int32) -> UInt32 { row.uint32(column) }
  /// An integer as a truth.
  package func bool(_ column: Int32) -> Bool { row.bool(column) }
  /// A real, or an integer as one.
  package func double(_ column: Int32) -> Double { row.double(column) }
  /// A text.
  package func text(_ column: Int32) -> String { row.text(column) }
  /// A blob.
  package func blob(_ column: Int32) -> [UInt8] { row.blob(column) }
  /// An integer, or nil for NULL.
  package func optionalInt64(_ column: Int32) -> Int64? { row.optionalInt64(column) }
  /// An integer that is not negative, or nil for NULL.
  package func optionalUInt64(_ column: Int32) -> UInt64? { row.optionalUInt64(column) }
  /// A real, or nil for NULL.
  package func optionalDouble(_ column: Int32) -> Double? { row.optionalDouble(column) }
  /// A text, or nil for NULL.
  package func optionalText(_ column: Int32) -> String? { row.optionalText(column) }
  /// A blob, or nil for NULL.
  package func optionalBlob(_ column: Int32) -> [UInt8]? { row.optionalBlob(column) }
}
