import HoldfastModel

/// One way in which a sample lies in memory.
///
/// Values are Float with full scale ±1; what is not finite counts as 0.
protocol SampleReader {
  /// Bytes of a sample.
  static var width: Int { get }
  /// The sample that begins at the index.
  static func value(_ bytes: Span<UInt8>, at index: Int) -> Float
}

/// Unsigned 8-bit, 128 in the middle.
enum ReadU8: SampleReader {
  static var width: Int { 1 }
  static func value(_ bytes: Span<UInt8>, at index: Int) -> Float {
    Float(Int32(bytes[index]) - 128) / 128
  }
}

/// Signed 16-bit, little-endian.
enum ReadS16: SampleReader {
  static var width: Int { 2 }
  static func value(_ bytes: Span<UInt8>, at index: Int) -> Float {
    let bits = UInt16(bytes[index]) | UInt16(bytes[index + 1]) << 8
    return Float(Int16(bitPattern: bits)) / 32_768
  }
}

/// Signed 24-bit, little-endian, packed.
enum ReadS24: SampleReader {
  static var width: Int { 3 }
  static func value(_ bytes: Span<UInt8>, at index: Int) -> Float {
    let bits =
      UInt32(bytes[index]) << 8 | UInt32(bytes[index + 1]) << 16 | UInt32(bytes[index + 2]) << 24
    return Float(Int32(bitPattern: bits) >> 8) / 8_388_608
  }
}

/// Signed 32-bit, little-endian.
enum ReadS32: SampleReader {
  static var width: Int { 4 }
  static func value(_ bytes: Span<UInt8>, at index: Int) -> Float {
    Float(Int32(bitPattern: bytes.little32(index))) / 2_147_483_648
  }
}

/// IEEE 754 binary32, little-endian.
enum ReadF32: SampleReader {
  static var width: Int { 4 }
  static func value(_ bytes: Span<UInt8>, at index: Int) -> Float {
    Float(bitPattern: bytes.little32(index)).orZero
  }
}

/// IEEE 754 binary64, little-endian.
enum ReadF64: SampleReader {
  static var width: Int { 8 }
  static func value(_ bytes: Span<UInt8>, at index: Int) -> Float {
    let bits = UInt64(bytes.little32(index)) | UInt64(bytes.little32(index + 4)) << 32
    return Float(Double(bitPattern: bits)).orZero
  }
}

/// G.711 A-law (ITU-T G.711, table 1): even bits inverted; sign, three bits of segment, four of
/// step.
enum ReadALaw: SampleReader {
  static var width: Int { 1 }
  static func value(_ bytes: Span<UInt8>, at index: Int) -> Float {
    let code = bytes[index] ^ 0x55
    let segment = Int32(code >> 4 & 7)
    let step = (Int32(code & 15) << 4) + 8
    let size = segment == 0 ? step : (step + 256) << (segment - 1)
    return Float(code & 0x80 == 0 ? -size : size) / 32_768
  }
}

/// G.711 µ-law (ITU-T G.711, table 2): all bits inverted; sign, three bits of segment, four of
/// step.
enum ReadMuLaw: SampleReader {
  static var width: Int { 1 }
  static func value(_ bytes: Span<UInt8>, at index: Int) -> Float {
    let code = ~bytes[index]
    let step = (Int32(code & 15) << 3) + 132
    let size = (step << Int32(code >> 4 & 7)) - 132
    return Float(code & 0x80 == 0 ? size : -size) / 32_768
  }
}

extension Float {
  /// The value, or 0 for what is not finite.
  var orZero: Float { isFinite ? self : 0 }
}

extension Span where Element == UInt8 {
  /// Four bytes, the least significant first.
  func little32(_ index: Int) -> UInt32 {
    UInt32(self[index]) | UInt32(self[index + 1]) << 8 | UInt32(self[index + 2]) << 16
      | UInt32(self[index + 3]) << 24
  }
}
