/// Numbers as they lie in file headers. Callers check the count first; nothing reads past the end.
extension Array where Element == UInt8 {
  /// The unsigned number of `width` bytes (at most 8) at `offset`, least significant first.
  func little(_ offset: Int, _ width: Int) -> UInt64 {
    self[offset..<offset + width].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// The unsigned number of `width` bytes (at most 8) at `offset`, most significant first.
  func big(_ offset: Int, _ width: Int) -> UInt64 {
    self[offset..<offset + width].reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Appends a number, least significant byte first.
  mutating func appendLittle(_ value: some FixedWidthInteger) {
    for index in 0..<value.bitWidth / 8 {
      append(UInt8(truncatingIfNeeded: value >> (index * 8)))
    }
  }

  /// Appends a number, most significant byte first.
  mutating func appendBig(_ value: some FixedWidthInteger) {
    for index in (0..<value.bitWidth / 8).reversed() {
      append(UInt8(truncatingIfNeeded: value >> (index * 8)))
    }
  }
}

/// A four-character code: the name of a chunk, a codec, a file brand.
struct FourCharacters: Hashable, Sendable, ExpressibleByStringLiteral {
  /// The four bytes, the first one most significant.
  let code: UInt32

  /// The code at `offset`, where four bytes are.
  init(_ bytes: [UInt8], at offset: Int = 0) {
    code = UInt32(truncatingIfNeeded: bytes.big(offset, 4))
  }

  /// The first four bytes of the text, filled up with spaces.
  init(text: String) {
    self.init(Array((Array(text.utf8.prefix(4)) + [0x20, 0x20, 0x20, 0x20]).prefix(4)))
  }

  init(stringLiteral text: String) { self.init(text: text) }

  /// The four bytes in order.
  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendBig(code)
    return bytes
  }

  /// Whether every byte is printable ASCII, as every registered name of a chunk is.
  var isPrintable: Bool { bytes.allSatisfy { (0x20...0x7E).contains($0) } }

  /// The characters, or the bytes in hexadecimal when they cannot be printed.
  var text: String {
    guard isPrintable else { return "0x" + String(code, radix: 16) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The characters without spaces at the end.
  var trimmed: String {
    guard isPrintable else { return text }
    var bytes = bytes
    while bytes.last == 0x20 { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }
}
