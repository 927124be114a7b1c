/// A seeded generator (SplitMix64), so that a failing variant can be made again.
struct Dice: RandomNumberGenerator {
  private var state: UInt64
  init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }

  mutating func pick<Value>(_ values: [Value]) -> Value {
    values[Int(next() % UInt64(values.count))]
  }

  mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }

  mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
  }
}

extension Array where Element == UInt8 {
  /// A number in little-endian bytes, whatever is too large cut off.
  static func little(_ value: UInt64, _ width: Int) -> [UInt8] {
    (0..<width).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
  }

  /// A number in big-endian bytes.
  static func big(_ value: UInt64, _ width: Int) -> [UInt8] { little(value, width).reversed() }

  static func text(_ text: String) -> [UInt8] { Array(text.utf8) }
}
