import HoldfastModel

/// Integers in reels: most significant byte first, as everywhere in Holdfast's own formats.
enum ReelBytes {
  /// The integer whose first byte is `offset` bytes after the slice's start.
  static func integer<Value: FixedWidthInteger & UnsignedInteger>(
    in bytes: ArraySlice<UInt8>, at offset: Int
  ) -> Value {
    let start = bytes.startIndex + offset
    var value: Value = 0
    for index in start..<start + Value.bitWidth / 8 { value = value << 8 | Value(bytes[index]) }
    return value
  }

  /// The part of the slice that begins `offset` bytes after its start.
  static func part(of bytes: ArraySlice<UInt8>, at offset: Int, count: Int) -> ArraySlice<UInt8> {
    let start = bytes.startIndex + offset
    return bytes[start..<start + count]
  }
}
