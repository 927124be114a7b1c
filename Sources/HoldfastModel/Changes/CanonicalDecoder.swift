/// Reads canonical bytes and refuses every other spelling of the same value.
///
/// Invariant: `encode(decode(bytes)) == bytes` for all bytes that are accepted (S1). Nothing is
/// allocated by a declared length before that many bytes are known to be there.
package struct CanonicalDecoder {
  private let bytes: [UInt8]
  private var position = 0  // tidy: index

  /// The value that the bytes spell, all of them.
  ///
  /// - Throws: ``MalformedBytes`` when they are cut, not canonical, or followed by more.
  package static func decode(_ bytes: [UInt8]) throws(MalformedBytes) -> CanonicalValue {
    var decoder = CanonicalDecoder(bytes: bytes)
    let value = try decoder.value(depth: 0)
    guard decoder.position == bytes.count else { throw decoder.fault("bytes follow the value") }
    return value
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private func fault(_ reason: String) -> MalformedBytes {
    MalformedBytes(reason: reason, offset: UInt64(position))
  }

  private mutating func value(depth: Int) throws(MalformedBytes) -> CanonicalValue {
    guard depth < CanonicalForm.maximumDepth else { throw fault("nested too deeply") }
    let first = try byte()
    switch first >> 5 {
    case 0: return .unsigned(try number(first))
    case 1: return .negative(try number(first))
    case 2: return .bytes(Array(try take(try number(first))))
    case 3: return .text(try text(first))
    case 4:
      let count = try itemCount(first)
      var items: [CanonicalValue] = []
      for _ in 0..<count { items.append(try value(depth: depth + 1)) }
      return .array(items)
    case 5: return try map(first, depth: depth)
    default: return try simple(first)
    }
  }

  private mutating func map(
    _ first: UInt8, depth: Int
  ) throws(MalformedBytes) -> CanonicalValue {
    let count = try itemCount(first)
    var items: [String: CanonicalValue] = [:]
    var previous: ArraySlice<UInt8> = []
    for index in 0..<count {
      let start = position
      let head = try byte()
      guard head >> 5 == 3 else { throw fault("a map key is not text") }
      let key = try text(head)
      let spelled = bytes[start..<position]
      guard index == 0 || previous.lexicographicallyPrecedes(spelled) else {
        throw fault("map keys are out of order or doubled")
      }
      previous = spelled
      items[key] = try value(depth: depth + 1)
    }
    guard items.count == Int(count) else { throw fault("map keys are equal as text") }
    return .map(items)
  }

  private mutating func simple(_ first: UInt8) throws(MalformedBytes) -> CanonicalValue {
    switch first {
    case 0xF4: return .bool(false)
    case 0xF5: return .bool(true)
    case 0xF6: return .null
    case 0xFB:
      let pattern = try take(8).reduce(0) { UInt64($0) << 8 | UInt64($1) }
      let number = Double(bitPattern: pattern)
      guard !number.isNaN || pattern == CanonicalForm.nan else { throw fault("another NaN") }
      return .double(number)
    default: throw fault("a kind of value that is not used here")
    }
  }

  private mutating func byte() throws(MalformedBytes) -> UInt8 {
    guard position < bytes.count else { throw fault("the bytes are cut") }
    defer { position += 1 }
    return bytes[position]
  }

  private mutating func take(_ count: UInt64) throws(MalformedBytes) -> ArraySlice<UInt8> {
    guard count <= UInt64(bytes.count - position) else { throw fault("the bytes are cut") }
    defer { position += Int(count) }
    return bytes[position..<position + Int(count)]
  }

  /// Every item takes a byte at least, so more items than bytes is a lie.
  private mutating func itemCount(_ first: UInt8) throws(MalformedBytes) -> UInt64 {
    let count = try number(first)
    guard count <= UInt64(bytes.count - position) else { throw fault("the bytes are cut") }
    return count
  }

  private mutating func text(_ first: UInt8) throws(MalformedBytes) -> String {
    let content = try take(try number(first))
    // Repair would change the bytes; `String(validating:as:)` is newer than iOS 17.
    let text = String(decoding: content, as: UTF8.self)
    guard text.utf8.elementsEqual(content) else { throw fault("text is not UTF-8") }
    return text
  }

  private mutating func number(_ first: UInt8) throws(MalformedBytes) -> UInt64 {
    let short = first & 31
    guard short >= 24 else { return UInt64(short) }
    guard short <= 27 else { throw fault("an indefinite or reserved length") }
    let width = UInt64(1) << UInt64(short - 24)
    let value = try take(width).reduce(0) { UInt64($0) << 8 | UInt64($1) }
    let least: UInt64 =
      switch short {
      case 24: 24
      case 25: 0x100
      case 26: 0x1_0000
      default: 0x1_0000_0000
      }
    guard value >= least else { throw fault("a number is not in its shortest form") }
    return value
  }
}

/// Bytes that are not what they should be.
package struct MalformedBytes: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong.
  package var reason: String
  /// Where, in bytes from the start.
  package var offset: UInt64

  package init(reason: String, offset: UInt64) {
    self.reason = reason
    self.offset = offset
  }

  /// The reason and the place.
  package var description: String { "\(reason) (at byte \(offset))" }
}
