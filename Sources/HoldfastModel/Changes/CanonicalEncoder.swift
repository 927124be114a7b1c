/// Writes canonical bytes (RFC 8949, section 4.2.1).
package enum CanonicalEncoder {
  /// The one encoding of the value.
  package static func encode(_ value: CanonicalValue) -> [UInt8] {
    var bytes: [UInt8] = []
    append(value, to: &bytes)
    return bytes
  }

  private static func append(_ value: CanonicalValue, to bytes: inout [UInt8]) {
    switch value {
    case .unsigned(let number): head(0, number, &bytes)
    case .negative(let number): head(1, number, &bytes)
    case .bytes(let content):
      head(2, UInt64(content.count), &bytes)
      bytes += content
    case .text(let content):
      let utf8 = Array(content.utf8)
      head(3, UInt64(utf8.count), &bytes)
      bytes += utf8
    case .array(let items):
      head(4, UInt64(items.count), &bytes)
      for item in items { append(item, to: &bytes) }
    case .map(let items): append(items, to: &bytes)
    case .bool(let flag): bytes.append(flag ? 0xF5 : 0xF4)
    case .null: bytes.append(0xF6)
    case .double(let number):
      bytes.append(0xFB)
      bytes += (number.isNaN ? CanonicalForm.nan : number.bitPattern).bigEndianBytes
    }
  }

  private static func append(_ items: [String: CanonicalValue], to bytes: inout [UInt8]) {
    head(5, UInt64(items.count), &bytes)
    let sorted = items.map { (key: encode(.text($0.key)), value: $0.value) }
      .sorted { $0.key.lexicographicallyPrecedes($1.key) }
    for item in sorted {
      bytes += item.key
      append(item.value, to: &bytes)
    }
  }

  private static func head(_ major: UInt8, _ number: UInt64, _ bytes: inout [UInt8]) {
    let kind = major << 5
    switch number {
    case ..<24: bytes.append(kind | UInt8(number))
    case ...0xFF: bytes += [kind | 24, UInt8(number)]
    case ...0xFFFF: bytes += [kind | 25] + UInt16(number).bigEndianBytes
    case ...0xFFFF_FFFF: bytes += [kind | 26] + UInt32(number).bigEndianBytes
    default: bytes += [kind | 27] + number.bigEndianBytes
    }
  }
}

/// Constants that both directions share.
enum CanonicalForm {
  /// The one NaN: quiet, no payload.
  static let nan: UInt64 = 0x7FF8_0000_0000_0000
  /// Deepest nesting that is read; changes use four levels.
  static let maximumDepth = 16
}
