/// One value in one of SQLite's five storage classes.
package enum SQLiteValue: Hashable, Sendable {
  /// No value.
  case null
  /// A signed integer of 64 bits.
  case integer(Int64)
  /// A double. SQLite has no NaN: binding one is refused.
  case real(Double)
  /// Text, stored as UTF-8 with every NUL in it.
  case text(String)
  /// Bytes.
  case blob([UInt8])
}

extension SQLiteValue: ExpressibleByNilLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringLiteral
{
  /// NULL.
  package init(nilLiteral: ()) { self = .null }
  /// An integer.
  package init(integerLiteral value: Int64) { self = .integer(value) }
  /// A real.
  package init(floatLiteral value: Double) { self = .real(value) }
  /// A text.
  package init(stringLiteral value: String) { self = .text(value) }
}
