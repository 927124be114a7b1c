/// Writes AAC frames with ADTS headers around random bytes.
enum ADTSBuilder {
  /// One frame; `rate` is the index of the sample rate (3 is 48 kHz, 8 is 16 kHz).
  static func frame(
    _ dice: inout Dice, rate: UInt8 = 8, channels: UInt8 = 1, payload: Int, blocks: UInt8 = 1,
    hasCheck: Bool = false
  ) -> [UInt8] {
    let length = 7 + (hasCheck ? 2 : 0) + payload
    let header: [UInt8] = [
      0xFF, hasCheck ? 0xF0 : 0xF1, 1 << 6 | rate << 2 | channels >> 2,
      (channels & 3) << 6 | UInt8(length >> 11), UInt8(length >> 3 & 0xFF),
      UInt8(length & 7) << 5 | 0x1F, 0xFC | (blocks - 1),
    ]
    // No 0xFF in the payload: what looks like a header by chance is not what is tested here.
    let check: [UInt8] = hasCheck ? [1, 2] : []
    return header + check + dice.bytes(payload).map { $0 == 0xFF ? 0 : $0 }
  }

  /// A stream of frames of different lengths, one array each.
  static func frames(_ count: Int, seed: UInt64, channels: UInt8 = 1) -> [[UInt8]] {
    var dice = Dice(seed)
    return (0..<count).map { _ in
      frame(&dice, channels: channels, payload: dice.number(1...700))
    }
  }
}
