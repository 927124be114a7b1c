import HoldfastModel
import HoldfastStore
import Testing

@Suite("Reel and chunk headers")
struct ReelCodingTests {
  @Test("CRC-32C gives the values of RFC 3720, appendix B.4")
  func crc() {
    #expect(CRC32C.checksum(Array("123456789".utf8)) == 0xE306_9283)
    #expect(CRC32C.checksum([UInt8](repeating: 0, count: 32)) == 0x8A91_36AA)
    #expect(CRC32C.checksum([UInt8](repeating: 0xFF, count: 32)) == 0x62A8_AB43)
    #expect(CRC32C.checksum([]) == 0)
  }

  @Test("a reel header is read as it was written", arguments: UInt64(1)...40)
  func headerIdentity(seed: UInt64) throws {
    var random = ReelRandom(seed)
    let header = random.header()
    let frame = try header.encoded()
    let read = try ReelHeader.decode((frame + random.bytes(50))[...])
    #expect(read.header == header)
    #expect(read.byteCount == UInt64(frame.count))
  }

  @Test("a chunk header is read as it was written, in 96 bytes", arguments: UInt64(1)...40)
  func chunkIdentity(seed: UInt64) {
    var random = ReelRandom(seed)
    let header = random.chunkHeader()
    var bytes: [UInt8] = [1, 2, 3]
    header.encode(into: &bytes)
    #expect(bytes.count == 3 + 96)
    #expect(ChunkHeader(decoding: bytes[3...]) == header)
    #expect(ChunkHeader(decoding: bytes[3...].dropLast()) == nil)
  }

  @Test("every flipped bit of a reel header is noticed", arguments: UInt64(1)...2)
  func headerFlips(seed: UInt64) throws {
    var random = ReelRandom(seed)
    let frame = try random.header().encoded()
    for bit in 0..<frame.count * 8 {
      var flipped = frame
      flipped[bit / 8] ^= 1 << (bit % 8)
      let fault = #expect(throws: ReelFault.self) { try ReelHeader.decode(flipped[...]) }
      #expect([.damaged, .foreign, .cut].contains(fault?.code), "bit \(bit)")
    }
  }

  @Test("every flipped bit of a chunk header is noticed", arguments: UInt64(1)...5)
  func chunkFlips(seed: UInt64) {
    var random = ReelRandom(seed)
    var bytes: [UInt8] = []
    random.chunkHeader().encode(into: &bytes)
    for bit in 0..<bytes.count * 8 {
      var flipped = bytes
      flipped[bit / 8] ^= 1 << (bit % 8)
      #expect(ChunkHeader(decoding: flipped[...]) == nil, "bit \(bit)")
    }
  }

  @Test("a reel header cut at any byte says that it is cut")
  func headerCuts() throws {
    var random = ReelRandom(1)
    let frame = try random.header().encoded()
    for count in 0..<frame.count {
      let fault = #expect(throws: ReelFault.self) { try ReelHeader.decode(frame.prefix(count)) }
      #expect(fault?.code == .cut, "\(count) bytes")
    }
  }

  @Test("unknown fields are skipped, an unknown version is named as such")
  func future() throws {
    var random = ReelRandom(2)
    var header = random.header()
    var frame = try header.encoded().dropLast(4)
    frame += [0x7F, 0xFF, 0, 0, 0, 3, 1, 2, 3]
    let count = UInt32(frame.count + 4)
    frame.replaceSubrange(12..<16, with: count.bigEndianBytes)
    frame += CRC32C.checksum(Array(frame)).bigEndianBytes
    #expect(try ReelHeader.decode(frame).header == header)

    header.formatVersion = 2
    let newer = try header.encoded()
    let fault = #expect(throws: ReelFault.self) { try ReelHeader.decode(newer[...]) }
    #expect(fault?.code == .newerVersion)
  }

  @Test("a header over 64 KiB, or with a format that makes no sense, is refused")
  func bounds() {
    var random = ReelRandom(3)
    var header = random.header()
    header.format.configuration = [UInt8](repeating: 1, count: 65_000)
    #expect(throws: Never.self) { try header.encoded() }
    header.format.configuration = [UInt8](repeating: 1, count: 65_536)
    let large = #expect(throws: ReelFault.self) { try header.encoded() }
    #expect(large?.code == .tooLarge)
    header.format.configuration = []
    for rate in [0, -1, .nan, .infinity, 4_294_967_296] {
      header.format.sampleRate = rate
      let wrong = #expect(throws: ReelFault.self) { try header.encoded() }
      #expect(wrong?.code == .invalid)
    }
  }

  @Test("text and other files are foreign, an empty one is cut")
  func foreign() {
    for bytes: [UInt8] in [Array("RIFF....WAVE".utf8), [0], [UInt8](repeating: 0, count: 500)] {
      let fault = #expect(throws: ReelFault.self) { try ReelHeader.decode(bytes[...]) }
      #expect(fault?.code == .foreign)
    }
    let empty = #expect(throws: ReelFault.self) { try ReelHeader.decode([]) }
    #expect(empty?.code == .cut)
  }

  @Test("a reel's path has one spelling", arguments: [0, 1, 9_999, 10_000, 4_294_967_295])
  func paths(reel: UInt32) {
    var random = ReelRandom(4)
    let path = ReelPath(take: random.name(), reel: reel)
    #expect(ReelPath(path.description) == path)
    let take = path.take.description
    for wrong in [
      "audio/\(take)/1", "audio/\(take)/00001", "audio/\(take)/+0001", "audio/\(take)/4294967296",
      "audio/\(take.uppercased())/0001", "audio/\(take)", "/audio/\(take)/0001", "x/\(take)/0001",
      "audio/\(take)/0001/", "audio/\(take)/٠٠٠١",
    ] { #expect(ReelPath(wrong) == nil, "\(wrong)") }
  }

  @Test("paths are in the order of their numbers, not of their text")
  func order() {
    var random = ReelRandom(5)
    let take: TakeID = random.name()
    #expect(ReelPath(take: take, reel: 9_999) < ReelPath(take: take, reel: 10_000))
    #expect(ReelPath(take: take, reel: 7).fileName == "0007")
  }
}
