import HoldfastModel
import Testing

@Suite("Canonical bytes")
struct CanonicalTests {
  @Test("decode to what was encoded, and encode to the same bytes (S1)", arguments: 1...300)
  func roundTrip(seed: UInt64) throws {
    let value = Dice(seed).value()
    let bytes = CanonicalEncoder.encode(value)
    let decoded = try CanonicalDecoder.decode(bytes)
    #expect(CanonicalEncoder.encode(decoded) == bytes)
    #expect(decoded == value || containsNaN(value))
  }

  /// NaN is equal to nothing; its bytes are compared instead.
  private func containsNaN(_ value: CanonicalValue) -> Bool {
    switch value {
    case .double(let number): number.isNaN
    case .array(let items): items.contains(where: containsNaN)
    case .map(let items): items.values.contains(where: containsNaN)
    default: false
    }
  }

  @Test(
    "are the only spelling that is read: whatever is accepted encodes to itself", arguments: 1...200
  )
  func noOtherSpelling(seed: UInt64) {
    let dice = Dice(seed)
    for _ in 0..<50 {
      var bytes = CanonicalEncoder.encode(dice.value())
      for _ in 0...dice.below(3) where !bytes.isEmpty {
        bytes[dice.below(bytes.count)] = UInt8(truncatingIfNeeded: dice.next())
      }
      guard let value = try? CanonicalDecoder.decode(bytes) else { continue }
      #expect(CanonicalEncoder.encode(value) == bytes)
    }
  }

  @Test(
    "are refused in longer heads, other orders, indefinite lengths, and when cut",
    arguments: [
      [0x18, 0x17], [0x19, 0x00, 0xFF], [0x1B, 0, 0, 0, 0, 0, 0, 0, 1], [0x9F, 0xFF],
      [0xA2, 0x61, 0x62, 0x01, 0x61, 0x61, 0x01], [0xA2, 0x61, 0x61, 0x01, 0x61, 0x61, 0x01],
      [0x61, 0xFF], [0x62, 0x61], [0x5B, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
      [0x9B, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], [0xF9, 0x3C, 0x00], [], [0x01, 0x01],
      [0xA1, 0x01, 0x01], [0xFB, 0x7F, 0xF8, 0, 0, 0, 0, 0, 1], [0xF7], [0xC0, 0x01],
    ] as [[UInt8]])
  func refused(bytes: [UInt8]) {
    #expect(throws: MalformedBytes.self) { try CanonicalDecoder.decode(bytes) }
  }

  @Test("are bounded in depth: a tower of arrays is refused, not a crash")
  func depth() {
    let bytes = [UInt8](repeating: 0x81, count: 100_000) + [0x00]
    #expect(throws: MalformedBytes.self) { try CanonicalDecoder.decode(bytes) }
  }

  @Test(
    "hold every signed number", arguments: [Int64.min, -25, -24, -1, 0, 23, 24, 255, 256, .max])
  func integers(number: Int64) throws {
    let bytes = CanonicalEncoder.encode(.integer(number))
    #expect(try CanonicalDecoder.decode(bytes).integer == number)
  }
}
