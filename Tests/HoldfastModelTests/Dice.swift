import HoldfastModel

/// A seeded source for property tests (SplitMix64).
struct Dice: RandomSource {
  private final class Box: @unchecked Sendable {
    var state: UInt64
    init(_ state: UInt64) { self.state = state }
  }
  private let box: Box

  init(_ seed: UInt64) { box = Box(seed) }

  func next() -> UInt64 {
    box.state &+= 0x9E37_79B9_7F4A_7C15
    var value = box.state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }

  func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

  func bytes(_ count: Int64) -> [UInt8] {
    (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
  }

  func shuffled<T>(_ items: [T]) -> [T] {
    var items = items
    for index in items.indices.reversed() where index > 0 { items.swapAt(index, below(index + 1)) }
    return items
  }

  /// A value of the canonical encoding, nested a few levels.
  func value(depth: Int = 0) -> CanonicalValue {
    switch below(depth < 3 ? 9 : 7) {
    case 0: .unsigned(next() >> UInt64(below(64)))
    case 1: .negative(next() >> UInt64(below(64)))
    case 2: .bytes(bytes(Int64(below(40))))
    case 3: .text(String(["a", "é", "語", "\u{0}", "😀", "Z"][below(6)]) + "\(below(100))")
    case 4: .bool(below(2) == 0)
    case 5: .null
    case 6: .double(Double(bitPattern: next()))
    case 7: .array((0..<below(5)).map { _ in value(depth: depth + 1) })
    default:
      .map(
        Dictionary(
          (0..<below(5)).map { ("k\(below(50))\($0)", value(depth: depth + 1)) },
          uniquingKeysWith: { first, _ in first }))
    }
  }
}
