/// A tree of simple values, which the command writes as JSON.
package indirect enum InspectValue: Hashable, Sendable {
  /// Nothing, or not known.
  case null
  /// True or false.
  case bool(Bool)
  /// A whole number.
  case integer(Int64)
  /// A number with a fraction.
  case double(Double)
  /// Text.
  case string(String)
  /// Values in an order.
  case array([InspectValue])
  /// Values by name; whoever writes them sorts the names.
  case object([String: InspectValue])

  /// A number that is not negative; beyond what a signed one holds, the largest.
  package static func count(_ number: UInt64) -> InspectValue {
    .integer(Int64(clamping: number))
  }

  /// Seconds to the millisecond, the same wherever they came from.
  package static func seconds(_ seconds: Double) -> InspectValue {
    seconds.isFinite ? .double((seconds * 1_000).rounded() / 1_000) : .null
  }

  /// The value at a path of names; nil when a part of it is absent.
  package func value(at path: String...) -> InspectValue? {
    path.reduce(self) { value, name in
      if case .object(let fields)? = value { fields[name] } else { nil }
    }
  }

  /// Every text in the tree, names included.
  package var allTexts: [String] {
    switch self {
    case .string(let text): [text]
    case .array(let items): items.flatMap(\.allTexts)
    case .object(let fields): fields.flatMap { [$0.key] + $0.value.allTexts }
    default: []
    }
  }
}
