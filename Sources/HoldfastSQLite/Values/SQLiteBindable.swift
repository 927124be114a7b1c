/// A Swift value that has one form as an SQLite value.
package protocol SQLiteBindable {
  /// What the conversion throws: `Never` for every type but `UInt64`, so that no `try` is needed.
  associatedtype Refusal: Error = Never
  /// The value as SQLite stores it.
  var sqliteValue: SQLiteValue { get throws(Refusal) }
}

extension Int64: SQLiteBindable {
  /// The integer.
  package var sqliteValue: SQLiteValue { .integer(self) }
}

extension Int32: SQLiteBindable {
  /// The integer.
  package var sqliteValue: SQLiteValue { .integer(Int64(self)) }
}

extension UInt32: SQLiteBindable {
  /// The integer.
  package var sqliteValue: SQLiteValue { .integer(Int64(self)) }
}

extension UInt64: SQLiteBindable {
  /// The integer; throws ``ResultCode/range`` above `Int64.max`, since order and arithmetic in SQL
  /// would be wrong for a wrapped number.
  package var sqliteValue: SQLiteValue {
    get throws(SQLiteError) {
      guard let value = Int64(exactly: self) else {
        throw SQLiteError(
          code: .range, message: "\(self) does not fit a signed 64-bit integer",
          operation: "bind")
      }
      return .integer(value)
    }
  }
}

extension Double: SQLiteBindable {
  /// The real.
  package var sqliteValue: SQLiteValue { .real(self) }
}

extension String: SQLiteBindable {
  /// The text.
  package var sqliteValue: SQLiteValue { .text(self) }
}

extension [UInt8]: SQLiteBindable {
  /// The blob.
  package var sqliteValue: SQLiteValue { .blob(self) }
}

extension Bool: SQLiteBindable {
  /// 1 or 0.
  package var sqliteValue: SQLiteValue { .integer(self ? 1 : 0) }
}

extension Optional: SQLiteBindable where Wrapped: SQLiteBindable {
  /// The value, or NULL.
  package var sqliteValue: SQLiteValue {
    get throws(Wrapped.Refusal) {
      switch self {
      case .none: .null
      case .some(let wrapped): try wrapped.sqliteValue
      }
    }
  }
}

extension SQLiteValue: SQLiteBindable {
  /// Itself.
  package var sqliteValue: SQLiteValue { self }
}
