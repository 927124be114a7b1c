/// A value of the canonical encoding: a subset of CBOR (RFC 8949) in its core deterministic form.
///
/// One value has exactly one encoding: shortest heads, definite lengths, map keys are text and
/// sorted bytewise by their encoding, floating-point numbers always take 64 bits. Decoding refuses
/// every other spelling, so that equal facts are equal bytes (S1).
package enum CanonicalValue: Hashable, Sendable {
  /// A whole number from 0.
  case unsigned(UInt64)
  /// The number −1 − n.
  case negative(UInt64)
  /// A byte string.
  case bytes([UInt8])
  /// A text string (UTF-8).
  case text(String)
  /// A sequence of values.
  case array([CanonicalValue])
  /// Values by text keys.
  case map([String: CanonicalValue])
  /// True or false.
  case bool(Bool)
  /// Nothing.
  case null
  /// A binary64 number; NaN has one spelling.
  case double(Double)

  /// A signed number in whichever case holds it.
  package static func integer(_ value: Int64) -> CanonicalValue {
    value < 0 ? .negative(UInt64(bitPattern: ~value)) : .unsigned(UInt64(value))
  }

  /// The number when it is one from 0 to 2⁶⁴ − 1.
  package var unsigned: UInt64? { if case .unsigned(let value) = self { value } else { nil } }

  /// The number when it fits a signed 64-bit one.
  package var integer: Int64? {
    switch self {
    case .unsigned(let value): Int64(exactly: value)
    case .negative(let value): value <= UInt64(Int64.max) ? ~Int64(value) : nil
    default: nil
    }
  }

  /// The text when it is one.
  package var text: String? { if case .text(let value) = self { value } else { nil } }
  /// The byte string when it is one.
  package var bytes: [UInt8]? { if case .bytes(let value) = self { value } else { nil } }
  /// The sequence when it is one.
  package var array: [CanonicalValue]? { if case .array(let value) = self { value } else { nil } }
  /// The map when it is one.
  package var map: [String: CanonicalValue]? {
    if case .map(let value) = self { value } else { nil }
  }
  /// The truth value when it is one.
  package var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
  /// The floating-point number when it is one.
  package var double: Double? { if case .double(let value) = self { value } else { nil } }
}
