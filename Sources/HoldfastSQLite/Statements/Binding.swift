import CHoldfastSQLite

// Parameters count from 1. Every call fails with `range` for an index that the statement has not,
// and with `misuse` while the statement stands on a row.
extension StatementHandle {
  /// Binds all parameters in order; their number must be the statement's.
  func bindAll(_ values: [SQLiteValue]) throws(SQLiteError) {
    guard values.count == Int(parameterCount) else {
      throw SQLiteError(
        code: .range, message: "\(values.count) values for \(parameterCount) parameters",
        sql: sql, operation: "bind")
    }
    var index: Int32 = 0
    for value in values {
      index += 1
      try bind(index, value)
    }
  }

  /// Binds a value of any class.
  func bind(_ index: Int32, _ value: SQLiteValue) throws(SQLiteError) {
    switch value {
    case .null: try check(unsafe sqlite3_bind_null(pointer, index))
    case .integer(let value): try bind(index, value)
    case .real(let value): try bind(index, value)
    case .text(let value): try bind(index, value)
    case .blob(let value): try bind(index, value.span)
    }
  }

  /// Binds an integer.
  func bind(_ index: Int32, _ value: Int64) throws(SQLiteError) {
    try check(unsafe sqlite3_bind_int64(pointer, index, value))
  }

  /// Binds a real. NaN is refused: SQLite would store NULL in its place.
  func bind(_ index: Int32, _ value: Double) throws(SQLiteError) {
    guard !value.isNaN else {
      throw SQLiteError(
        code: .range, message: "NaN for parameter \(index) cannot be stored", sql: sql,
        operation: "bind")
    }
    try check(unsafe sqlite3_bind_double(pointer, index, value))
  }

  /// Binds a text.
  func bind(_ index: Int32, _ value: String) throws(SQLiteError) {
    let direct = unsafe value.utf8.withContiguousStorageIfAvailable { bytes in
      unsafe holdfast_sqlite_bind_text(pointer, index, bytes.baseAddress, UInt64(bytes.count))
    }
    if let direct { return try check(direct) }
    // Strings bridged from Objective-C need not be contiguous.
    let bytes = Array(value.utf8)
    try check(
      unsafe bytes.withUnsafeBytes { bytes in
        unsafe holdfast_sqlite_bind_text(pointer, index, bytes.baseAddress, UInt64(bytes.count))
      })
  }

  /// Binds a blob.
  func bind(_ index: Int32, _ bytes: Span<UInt8>) throws(SQLiteError) {
    try check(
      unsafe bytes.withUnsafeBytes { bytes in
        unsafe holdfast_sqlite_bind_blob(pointer, index, bytes.baseAddress, UInt64(bytes.count))
      })
  }

  private func check(_ code: Int32) throws(SQLiteError) {
    guard code == SQLITE_OK else { throw fault(code, "bind") }
  }
}
