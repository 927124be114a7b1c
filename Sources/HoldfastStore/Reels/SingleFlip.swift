import HoldfastModel

/// A header as it was written, before a bit of it flipped.
struct MendedHeader: Hashable, Sendable {
  /// Where it stands in the reel.
  var offset: UInt64
  /// Its frame.
  var bytes: [UInt8]

  /// Writes headers into a copy of their reel, durably.
  static func write(
    _ headers: [MendedHeader], to path: String, _ files: any FileSystem
  ) throws(FileFault) {
    if headers.isEmpty { return }
    let file = try files.open(path, .write)
    defer { file.close() }
    for header in headers { try file.write(header.bytes, at: header.offset) }
    try file.sync()
  }
}

/// Finds the one flipped bit of a frame that ends with its CRC-32C, most significant byte first.
///
/// A CRC is linear: the check of the damaged bytes differs from the stored one by a pattern that
/// depends on the place of the flip alone. CRC-32C tells all places of a frame apart, and two or
/// three flips of a frame of up to 2^31 bits from each single one (its distance is 4).
enum SingleFlip {
  /// The reflected polynomial, as in ``CRC32C``.
  private static let polynomial: UInt32 = 0x82F6_3B78

  /// The place of the bit, counted from the lowest bit of the first byte; nil when the damage is
  /// another one.
  ///
  /// - Parameter frame: the checked bytes and their check; more than 4 bytes.
  static func find(in frame: ArraySlice<UInt8>) -> Int? {
    let count = frame.count - 4
    guard count > 0 else { return nil }
    let stored: UInt32 = ReelBytes.integer(in: frame, at: count)
    let computed = CRC32C.checksum(ReelBytes.part(of: frame, at: 0, count: count).span)
    let difference = stored ^ computed
    guard difference != 0 else { return nil }
    if difference.nonzeroBitCount == 1 {
      // The check itself is damaged.
      let bit = difference.trailingZeroBitCount
      return (count + 3 - bit / 8) * 8 + bit % 8
    }
    // The last bit first: each earlier one is shifted once more.
    var pattern = polynomial
    for bit in stride(from: count * 8 - 1, through: 0, by: -1) {
      if pattern == difference { return bit }
      pattern = pattern & 1 == 1 ? polynomial ^ (pattern >> 1) : pattern >> 1
    }
    return nil
  }
}
