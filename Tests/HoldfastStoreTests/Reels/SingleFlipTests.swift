import HoldfastModel
import HoldfastPlatform
import Testing

@testable import HoldfastStore

@Suite("One flipped bit of a reel's header")
struct SingleFlipTests {
  private let files = MemoryFiles(directory: "store")

  private func read(_ bytes: [UInt8]) throws -> ReelHeaderFrame {
    files.put(bytes, at: "store/reel")
    let file = try files.open("store/reel", .read)
    defer { file.close() }
    return try ReelHeader.read(from: file)
  }

  @Test("is mended wherever it stands", arguments: UInt64(1)...2)
  func everyBit(seed: UInt64) throws {
    var random = ReelRandom(seed)
    let header = random.header()
    let frame = try header.encoded()
    let rest = random.bytes(500)
    for bit in 0..<frame.count * 8 {
      var flipped = frame + rest
      flipped[bit / 8] ^= 1 << (bit % 8)
      let found = try read(flipped)
      #expect(found.header == header && found.mended == frame, "bit \(bit)")
      #expect(found.byteCount == UInt64(frame.count))
    }
    #expect(try read(frame + rest).mended == nil)
  }

  @Test("is told from two: nothing is guessed", arguments: UInt64(1)...4)
  func twoBits(seed: UInt64) throws {
    var random = ReelRandom(seed)
    let frame = try random.header().encoded()
    for _ in 0..<200 {
      let bits = [random.next(), random.next()].map { Int($0 % UInt64(frame.count * 8)) }
      guard bits[0] != bits[1] else { continue }
      var flipped = frame + [1, 2, 3]
      for bit in bits { flipped[bit / 8] ^= 1 << (bit % 8) }
      #expect(throws: ReelFault.self) { try read(flipped) }
    }
  }
}
