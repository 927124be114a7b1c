import HoldfastModel
import HoldfastPlatform
import HoldfastStore
import Testing

/// The half of a take's engine that cuts and hashes.
@Suite struct ChunkCutterTests {
  private static let format = SoundFiles.format(.s16le, 8_000, 1)
  private let hashing = SystemHashing()

  private func cutter(_ chunkFrames: UInt64) -> ChunkCutter {
    ChunkCutter(Self.format, chunkFrames: chunkFrames, hashing: hashing)
  }

  @Test(
    "pieces of any size give the same chunks, each with the digest of its bytes",
    arguments: UInt64(1)...20)
  func pieces(seed: UInt64) {
    var random = ReelRandom(seed)
    let bytes = random.bytes(2 * 3_333)
    let whole = cutter(500)
    whole.offer(bytes)
    whole.finish()
    let wanted = whole.takeReady()
    #expect(wanted.map(\.frames) == Array(repeating: 500, count: 6) + [333])
    #expect(wanted.flatMap(\.payload) == bytes)
    for chunk in wanted { #expect(chunk.sha256 == hashing.sha256(chunk.payload)) }

    let ring = AudioRing(capacityBytes: 1 << 14)
    let pieces = cutter(500)
    var offset = 0
    while offset < bytes.count {
      let size = min(Int.random(in: 0...400, using: &random) * 2, bytes.count - offset)
      let piece = Array(bytes[offset..<offset + size])
      offset += size
      if Bool.random(using: &random) {
        let isTaken = ring.push(piece.span.bytes, frames: UInt32(size / 2), hostTime: 0)
        #expect(isTaken && pieces.take(from: ring))
      } else {
        pieces.offer(piece)
      }
    }
    #expect(!pieces.take(from: ring))
    pieces.finish()
    #expect(pieces.takeReady() == wanted)
    #expect(pieces.capturedFrames == 3_333 && pieces.pendingFrames == 0)
  }

  @Test("what was dropped before a record ends the chunk under way")
  func drops() {
    let ring = AudioRing(capacityBytes: 64)
    let cutter = cutter(100)
    let piece: [UInt8] = [1, 2, 3, 4]
    _ = ring.push(piece.span.bytes, frames: 2, hostTime: 0)
    #expect(cutter.take(from: ring))
    _ = ring.push([UInt8](repeating: 0, count: 80).span.bytes, frames: 40, hostTime: 0)
    _ = ring.push(piece.span.bytes, frames: 2, hostTime: 0)
    #expect(cutter.take(from: ring))
    cutter.finish()
    let chunks = cutter.takeReady()
    #expect(chunks.map(\.firstFrame) == [0, 42] && chunks.map(\.frames) == [2, 2])
    #expect(cutter.capturedFrames == 44)
  }

  @Test("a chunk that begins with a piece keeps the piece's host time")
  func hostTimes() {
    let ring = AudioRing(capacityBytes: 256)
    let cutter = cutter(4)
    for time in [10, 11, 12, 0] as [UInt64] {
      _ = ring.push([UInt8](repeating: 0, count: 6).span.bytes, frames: 3, hostTime: time)
      #expect(cutter.take(from: ring))
    }
    cutter.finish()
    // Three frames a piece, four a chunk: only the first begins with a piece.
    #expect(cutter.takeReady().map(\.hostTime) == [10, nil, nil])
  }

  @Test("a resampled take ends with what the resampler held, before frames that were dropped")
  func resampled() throws {
    let cutter = cutter(8_000)
    try cutter.convert(from: SoundFiles.format(.s16le, 16_000, 1))
    cutter.offer([UInt8](repeating: 0, count: 32_000))
    cutter.finish()
    cutter.skip(input: 1_600)
    let chunks = cutter.takeReady()
    #expect(chunks.map(\.frames).reduce(0, +) == 8_000)
    #expect(cutter.capturedFrames == 8_800)
  }
}
