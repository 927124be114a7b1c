/// CRC-32C (Castagnoli), the check of small headers: it finds every single-bit flip and every burst
/// of up to 32 bits. Not a proof against intent; payloads carry a SHA-256.
///
/// Reflected polynomial 0x82F63B78, start and final value 0xFFFFFFFF (RFC 3720, appendix B.4).
package enum CRC32C {
  /// The check value of the bytes.
  package static func checksum(_ bytes: Span<UInt8>) -> UInt32 {
    let table = table
    var remainder = UInt32.max
    for index in bytes.indices {
      remainder = table[Int((remainder ^ UInt32(bytes[index])) & 0xFF)] ^ (remainder >> 8)
    }
    return ~remainder
  }

  /// The check value of an array's bytes.
  package static func checksum(_ bytes: [UInt8]) -> UInt32 { checksum(bytes.span) }

  /// What eight shifts make of each byte value.
  private static let table: [UInt32] = (0..<256).map { (value: UInt32) in
    (0..<8).reduce(value) { rest, _ in rest & 1 == 1 ? 0x82F6_3B78 ^ (rest >> 1) : rest >> 1 }
  }
}
