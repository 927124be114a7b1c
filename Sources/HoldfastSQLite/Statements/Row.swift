// Columns count from 0. A getter asks for one type and never converts: what is not of that type
// (NULL included, unless the getter is optional) reads as zero or empty and is remembered, and the
// query or the step that follows throws `mismatch`. So a map may use getters without `try`, and
// still no wrong value leaves a query.
import CHoldfastSQLite

/// One row of a query, lent to the body that reads it.
///
/// A getter asks for one type and never converts. What is not of that type (NULL included, unless
/// the getter is optional) reads as zero or empty, and the query throws ``ResultCode/mismatch``
/// once the body returned; so no getter needs a `try`, and no wrong value leaves a query.
package struct Row: ~Copyable {
  /// The statement that stands on the row.
  let statement: StatementHandle

  init(_ statement: StatementHandle) { self.statement = statement }
}

extension Row {
  /// How many columns the row has.
  package var count: Int32 { unsafe sqlite3_column_count(statement.pointer) }

  /// The name of a column; empty when there is no such column.
  package func name(_ column: Int32) -> String { statement.columnName(column) }

  /// Whether the column is NULL. One that is not there counts as NULL, and as unreadable.
  package func isNull(_ column: Int32) -> Bool {
    guard unsafe sqlite3_column_type(statement.pointer, column) == SQLITE_NULL else { return false }
    return (0..<count).contains(column) || refuse(column, SQLITE_NULL, "a column", true)
  }

  /// An integer.
  package func int64(_ column: Int32) -> Int64 {
    let type = unsafe sqlite3_column_type(statement.pointer, column)
    guard type == SQLITE_INTEGER else { return refuse(column, type, "an integer", 0) }
    return unsafe sqlite3_column_int64(statement.pointer, column)
  }

  /// An integer that is not negative.
  package func uint64(_ column: Int32) -> UInt64 { narrow(column, "an integer from 0") }

  /// An integer of 32 bits.
  package func int32(_ column: Int32) -> Int32 { narrow(column, "an integer of 32 bits") }

  /// An integer of 32 bits that is not negative.
  package func uint32(_ column: Int32) -> UInt32 { narrow(column, "an integer of 32 bits from 0") }

  /// An integer as a truth: false for 0, else true.
  package func bool(_ column: Int32) -> Bool { int64(column) != 0 }

  /// A real, or an integer as one.
  package func double(_ column: Int32) -> Double {
    let type = unsafe sqlite3_column_type(statement.pointer, column)
    guard type == SQLITE_FLOAT || type == SQLITE_INTEGER else {
      return refuse(column, type, "a real", 0)
    }
    return unsafe sqlite3_column_double(statement.pointer, column)
  }

  /// A text with every NUL in it; bytes that are not UTF-8 read as U+FFFD.
  package func text(_ column: Int32) -> String {
    let type = unsafe sqlite3_column_type(statement.pointer, column)
    guard type == SQLITE_TEXT else { return refuse(column, type, "text", "") }
    // The pointer first: it settles the encoding, which the length then goes by.
    guard let bytes = unsafe sqlite3_column_text(statement.pointer, column) else {
      return note(column, "text", "text that there is no memory for", "")
    }
    let count = unsafe sqlite3_column_bytes(statement.pointer, column)
    return unsafe String(
      decoding: UnsafeBufferPointer(start: bytes, count: Int(count)), as: UTF8.self)
  }

  /// A blob; empty when it has no bytes.
  package func blob(_ column: Int32) -> [UInt8] {
    let type = unsafe sqlite3_column_type(statement.pointer, column)
    guard type == SQLITE_BLOB else { return refuse(column, type, "a blob", []) }
    let bytes = unsafe sqlite3_column_blob(statement.pointer, column)
    let count = unsafe sqlite3_column_bytes(statement.pointer, column)
    guard let bytes = unsafe bytes else {
      return count == 0 ? [] : note(column, "a blob", "a blob that there is no memory for", [])
    }
    return unsafe [UInt8](UnsafeRawBufferPointer(start: bytes, count: Int(count)))
  }

  /// The value in its own class.
  package func value(_ column: Int32) -> SQLiteValue {
    switch unsafe sqlite3_column_type(statement.pointer, column) {
    case SQLITE_INTEGER: .integer(int64(column))
    case SQLITE_FLOAT: .real(double(column))
    case SQLITE_TEXT: .text(text(column))
    case SQLITE_BLOB: .blob(blob(column))
    default: isNull(column) ? .null : .null
    }
  }

  private func narrow<Number: FixedWidthInteger>(
    _ column: Int32, _ wanted: StaticString
  ) -> Number {
    let type = unsafe sqlite3_column_type(statement.pointer, column)
    guard type == SQLITE_INTEGER else { return refuse(column, type, wanted, 0) }
    guard let number = Number(exactly: unsafe sqlite3_column_int64(statement.pointer, column))
    else {
      return note(column, wanted, "an integer out of its range", 0)
    }
    return number
  }

  private func refuse<Value>(
    _ column: Int32, _ type: Int32, _ wanted: StaticString, _ empty: Value
  ) -> Value {
    let found: StaticString =
      switch type {
      case SQLITE_INTEGER: "an integer"
      case SQLITE_FLOAT: "a real"
      case SQLITE_TEXT: "text"
      case SQLITE_BLOB: "a blob"
      default: (0..<count).contains(column) ? "NULL" : "absent"
      }
    return note(column, wanted, found, empty)
  }

  private func note<Value>(
    _ column: Int32, _ wanted: StaticString, _ found: StaticString, _ empty: Value
  ) -> Value {
    statement.note(UnreadableColumn(column: column, wanted: wanted, found: found))
    return empty
  }
}

// NULL as nil.
extension Row {
  /// An integer, or nil for NULL.
  package func optionalInt64(_ column: Int32) -> Int64? { isNull(column) ? nil : int64(column) }
  /// An integer that is not negative, or nil for NULL.
  package func optionalUInt64(_ column: Int32) -> UInt64? { isNull(column) ? nil : uint64(column) }
  /// A real, or nil for NULL.
  package func optionalDouble(_ column: Int32) -> Double? { isNull(column) ? nil : double(column) }
  /// A text, or nil for NULL.
  package func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }
  /// A blob, or nil for NULL.
  package func optionalBlob(_ column: Int32) -> [UInt8]? { isNull(column) ? nil : blob(column) }
}
