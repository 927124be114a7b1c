import HoldfastAudio
import HoldfastModel
import Testing

/// Single departures from the WAV format, each with its right reading.
@Suite struct WAVHeaderReadingTests {
  private func builder(_ frames: Int = 500) -> WAVBuilder {
    var dice = Dice(3)
    var builder = WAVBuilder()
    builder.audio = dice.bytes(frames * 2)
    return builder
  }

  @Test("CASES 1: a header that says 3,200 bytes does not hide the 300,844 on disk")
  func killedWriter() throws {
    var builder = builder(150_422)
    builder.declared = 3_200
    builder.riffSize = 3_236
    let info = try probe(builder.bytes)
    #expect(info.dataLength == 300_844)
    #expect(info.codes == ["lengthFromBytes"])
    #expect(try Piped(builder.bytes, piece: 4_096).audio == builder.audio)
  }

  @Test("A file without any audio is accepted with no frames")
  func noAudio() throws {
    let info = try probe(builder(0).bytes)
    #expect(info.frames == 0)
    #expect(info.oddities.isEmpty)
    #expect(try Piped(builder(0).bytes, piece: 10).audio.isEmpty)
  }

  @Test("No audio and a tag behind it is still no audio")
  func onlyTag() throws {
    var builder = builder(0)
    builder.last = [.init(id: "LIST", body: .text("INFOISFT") + .little(4, 4) + .text("abcd"))]
    let info = try probe(builder.bytes)
    #expect(info.frames == 0)
    #expect(info.oddities.isEmpty)
  }

  @Test(
    "Wrong block size and byte rate follow from the rest", arguments: [0, 1, 4, 255] as [UInt64])
  func wrongNumbers(_ wrong: UInt64) throws {
    var builder = builder()
    builder.blockAlign = wrong
    #expect(try probe(builder.bytes).codes == ["blockAlign"])
    builder.byteRate = wrong * 16_000
    let info = try probe(builder.bytes)
    #expect(info.codes == ["blockAlign", "byteRate"])
    #expect(info.format.bytesPerFrame == 2)
    #expect(info.audio(of: builder.bytes) == builder.audio)
  }

  @Test("The 14-byte format, which says no bits, gets them from the block size")
  func shortFormat() throws {
    for kind in WAVBuilder.Kind.all where kind.bits <= 32 || kind.tag == 3 {
      var builder = builder()
      builder.kind = kind
      builder.formatLength = 14
      let info = try probe(builder.bytes)
      #expect(info.format.encoding.rawValue == kind.encoding)
      #expect(info.codes.contains("bitsPerSample"))
    }
  }

  @Test("24 bits in frames of four bytes are samples of 32 bits, when block and byte rate agree")
  func wideContainer() throws {
    var builder = builder()
    builder.kind = WAVBuilder.Kind.all[3]
    builder.bits = 24
    let info = try probe(builder.bytes)
    #expect(info.format.encoding == .s32le)
    #expect(info.codes == ["bitsPerSample"])
  }

  @Test(
    "Valid bits are an oddity only when they make no sense", arguments: [0, 12, 16, 17] as [UInt64])
  func validBits(_ bits: UInt64) throws {
    var builder = builder()
    builder.formatLength = 40
    builder.validBits = bits
    let info = try probe(builder.bytes)
    #expect(info.codes == (bits == 0 || bits == 17 ? ["validBits"] : []))
    #expect(info.format.configuration.count == (bits == 12 || bits == 17 ? 22 : 0))
  }

  @Test("Ambisonic B-format is PCM")
  func ambisonic() throws {
    var builder = builder()
    builder.formatLength = 40
    var bytes = builder.bytes
    bytes.replaceSubrange(
      46..<60, with: [0, 0, 0x21, 0x07, 0xD3, 0x11, 0x86, 0x44, 0xC8, 0xC1, 0xCA, 0, 0, 0])
    #expect(try probe(bytes).format.encoding == .s16le)
    bytes[50] = 1
    #expect(refusal(bytes) == "unsupportedCodec")
  }

  @Test("The first of several formats is used; further audio chunks are runs, left out of a pipe")
  func repeated() throws {
    var builder = builder()
    builder.middle = [.init(id: "fmt ", body: WAVBuilder(channels: 2).formatBody)]
    builder.last = [.init(id: "data", body: [1, 2, 3, 4]), .init(id: "data", body: [5, 6])]
    let info = try probe(builder.bytes)
    #expect(info.codes == ["repeatedFormat", "severalDataChunks"])
    #expect(info.audio(of: builder.bytes) == builder.audio)
    #expect(info.further.map { $0.audio(of: builder.bytes) } == [[1, 2, 3, 4], [5, 6]])
    #expect(info.further.allSatisfy { $0.format == info.format })
    let piped = try Piped(builder.bytes, piece: 64)
    #expect(piped.audio == builder.audio)
    #expect(
      piped.parser.oddities.contains { $0.message.contains("left out: 2 with 6 bytes") })
  }

  @Test("Audio before its format is read from a file and refused from a pipe")
  func audioFirst() throws {
    let builder = builder()
    let chunk = WAVBuilder.Chunk(id: "data", body: builder.audio).bytes
    let format = WAVBuilder.Chunk(id: "fmt ", body: builder.formatBody).bytes
    let tag = WAVBuilder.Chunk(id: "LIST", body: [1, 2, 3]).bytes
    let body = .text("WAVE") + chunk + tag + format
    let bytes = .text("RIFF") + .little(UInt64(body.count), 4) + body
    let info = try probe(bytes)
    #expect(info.audio(of: bytes) == builder.audio)
    #expect(info.codes == ["dataBeforeFormat"])
    #expect(throws: AudioError.self) { try Piped(bytes, piece: 100) }
  }

  @Test("Tags outside of chunks are not audio")
  func bareTags() throws {
    let builder = builder()
    let tags: [[UInt8]] = [
      .text("ID3") + [3, 0, 0, 0, 0, 0, 20] + Array(repeating: 7, count: 20),
      .text("TAG") + Array(repeating: 65, count: 125),
      .text("APETAGEX") + Array(repeating: 9, count: 60),
    ]
    for tag in tags {
      let info = try probe(builder.bytes + tag)
      #expect(info.audio(of: builder.bytes) == builder.audio)
      #expect(info.codes == ["bareTag", "fileSize"])
      #expect(try Piped(builder.bytes + tag, piece: 50).audio == builder.audio)
    }
  }

  @Test("A cut tag and rubbish behind a tag are not audio")
  func brokenTags() throws {
    var builder = builder()
    builder.last = [.init(id: "LIST", body: Array(repeating: 1, count: 300))]
    let cut = Array(builder.bytes.dropLast(100))
    #expect(try probe(cut).codes == ["cutChunk", "fileSize"])
    #expect(try probe(cut).audio(of: cut) == builder.audio)
    #expect(
      try probe(builder.bytes + Array(repeating: 0, count: 64)).codes.contains("trailingBytes"))
    #expect(try Piped(cut, piece: 333).audio == builder.audio)
  }

  @Test("A tag of a megabyte behind piped audio is not held in memory, and is not audio")
  func longTag() throws {
    var builder = builder()
    builder.last = [.init(id: "id3 ", body: Array(repeating: 1, count: 1_000_000))]
    let piped = try Piped(builder.bytes, piece: 10_000)
    #expect(piped.audio == builder.audio)
    #expect(piped.parser.oddities.isEmpty)
  }

  @Test("Numbers that no audio has are refused")
  func absurd() throws {
    var builder = builder()
    builder.channels = 0
    builder.blockAlign = 2
    #expect(refusal(builder.bytes) == "invalidFormat")
    builder.channels = 65_535
    #expect(refusal(builder.bytes) == "invalidFormat")
    builder.channels = 1
    for rate in [0, 10_000_001, 0x7FFF_FFFF, 0xFFFF_FFFF] as [UInt64] {
      builder.rate = rate
      #expect(refusal(builder.bytes) == "invalidFormat")
    }
    builder.rate = 1_000_000
    #expect(try probe(builder.bytes).codes.contains("implausibleRate"))
    builder.rate = 16_000
    for bits in [0, 40, 64, 65_535] as [UInt64] {
      builder.bits = bits
      builder.blockAlign = 7
      #expect(refusal(builder.bytes) == (bits == 0 ? "invalidFormat" : "unsupportedCodec"))
    }
    builder.formatLength = 12
    #expect(refusal(builder.bytes) == "damagedHeader")
  }
}
