/// SHA-256 (FIPS 180-4) for comparing test data; the product takes it from the platform.
enum SHA256 {
  /// The digest as 64 hexadecimal digits.
  static func hex(_ message: [UInt8]) -> String {
    var state: [UInt32] = primes.prefix(8).map { fraction(Double($0).squareRoot()) }
    let keys = primes.map { fraction(cubeRoot(Double($0))) }
    var bytes = message + [0x80]
    while bytes.count % 64 != 56 { bytes.append(0) }
    let bits = UInt64(message.count) * 8
    bytes += (0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - $0 * 8)) }
    for block in stride(from: 0, to: bytes.count, by: 64) {
      compress(&state, bytes[block..<block + 64], keys)
    }
    return state.map { word in
      let digits = String(word, radix: 16)
      return String(repeating: "0", count: 8 - digits.count) + digits
    }.joined()
  }

  private static let primes = (2...311).filter { candidate in
    !(2..<candidate).contains { candidate % $0 == 0 }
  }

  private static func fraction(_ value: Double) -> UInt32 {
    UInt32((value - value.rounded(.down)) * 4_294_967_296)
  }

  private static func cubeRoot(_ value: Double) -> Double {
    var root = value / 3
    for _ in 0..<60 { root -= (root * root * root - value) / (3 * root * root) }
    return root
  }

  private static func compress(
    _ state: inout [UInt32], _ block: ArraySlice<UInt8>, _ keys: [UInt32]
  ) {
    var words: [UInt32] = []
    words.reserveCapacity(64)
    for index in 0..<16 {
      let at = block.startIndex + index * 4
      words.append(block[at..<at + 4].reduce(0) { $0 << 8 | UInt32($1) })
    }
    func turn(_ word: UInt32, _ bits: UInt32) -> UInt32 { word >> bits | word << (32 - bits) }
    for index in 16..<64 {
      let a = words[index - 15]
      let b = words[index - 2]
      let low = turn(a, 7) ^ turn(a, 18) ^ (a >> 3)
      let high = turn(b, 17) ^ turn(b, 19) ^ (b >> 10)
      words.append(words[index - 16] &+ low &+ words[index - 7] &+ high)
    }
    var s = state
    for index in 0..<64 {
      let choice = (s[4] & s[5]) ^ (~s[4] & s[6])
      let high = turn(s[4], 6) ^ turn(s[4], 11) ^ turn(s[4], 25)
      let first = s[7] &+ high &+ choice &+ keys[index] &+ words[index]
      let majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2])
      let second = (turn(s[0], 2) ^ turn(s[0], 13) ^ turn(s[0], 22)) &+ majority
      s = [first &+ second, s[0], s[1], s[2], s[3] &+ first, s[4], s[5], s[6]]
    }
    for index in 0..<8 { state[index] &+= s[index] }
  }
}
