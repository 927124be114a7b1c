// swift-format-ignore-file: NeverForceUnwrap, NeverUseImplicitlyUnwrappedOptionals
import HoldfastAudio
import HoldfastModel
import Testing

/// Core Audio Format: what Apple's recorders write, finished and killed.
@Suite struct CAFReadingTests {
  private func pcm() -> CAFBuilder {
    var dice = Dice(1)
    return CAFBuilder(audio: dice.bytes(4_000))
  }

  private func aac() -> CAFBuilder {
    var dice = Dice(2)
    var builder = CAFBuilder(codec: "aac ", flags: 0, packetLength: 0, packetFrames: 1_024, bits: 0)
    builder.cookie = dice.bytes(39)
    builder.packets = (0..<300).map { _ in (UInt64(dice.number(1...400)), 1_024) }
    builder.priming = 2_112
    builder.audio = dice.bytes(Int(builder.packets!.reduce(0) { $0 + $1.length }))
    return builder
  }

  @Test("Little-endian PCM of every width is read")
  func widths() throws {
    let widths: [(UInt64, UInt64, String)] = [
      (2, 16, "s16le"), (2, 24, "s24le"), (2, 32, "s32le"), (3, 32, "f32le"), (3, 64, "f64le"),
    ]
    for (flags, bits, name) in widths {
      var builder = pcm()
      builder.flags = flags
      builder.bits = bits
      builder.packetLength = bits / 4
      let info = try probe(builder.bytes)
      #expect(info.container == .caf)
      #expect(info.format.encoding.rawValue == name)
      #expect(info.format.sampleRate == 48_000)
      #expect(info.frames == 4_000 / (bits / 4))
      #expect(info.unusedTail == 4_000 % (bits / 4))
    }
  }

  @Test("G.711 in CAF is PCM", arguments: [("alaw", "alaw"), ("ulaw", "mulaw")])
  func companded(_ codec: String, _ name: String) throws {
    let builder = CAFBuilder(codec: codec, flags: 0, packetLength: 2, bits: 8, audio: [1, 2, 3, 4])
    let info = try probe(builder.bytes)
    #expect(info.format.encoding.rawValue == name)
    #expect(info.frames == 2)
  }

  @Test("Big-endian, signed 8-bit and loosely packed PCM is refused by name")
  func refused() {
    var builder = pcm()
    builder.flags = 0
    #expect(throws: AudioError.self) { try probe(builder.bytes) }
    #expect(message(builder).contains("big-endian 16-bit signed integer PCM"))
    builder = pcm()
    builder.bits = 8
    #expect(message(builder).contains("8-bit"))
    builder = pcm()
    builder.packetLength = 8
    #expect(message(builder).contains("packed"))
    #expect(refusal(builder.bytes) == "unsupportedCodec")
  }

  private func message(_ builder: CAFBuilder) -> String {
    do throws(AudioError) {
      _ = try probe(builder.bytes)
      return ""
    } catch {
      return error.message
    }
  }

  @Test("An unfinished recording, size −1 or stale, reads to the end", arguments: [-1, 0, 4, 404])
  func unfinished(_ declared: Int64) throws {
    var builder = pcm()
    builder.declared = declared
    builder.audio = Array(builder.audio.dropLast())
    let info = try probe(builder.bytes)
    #expect(info.frames == 999)
    #expect(info.unusedTail == 3)
    let size = declared < 0 ? "streamedHeader" : "lengthFromBytes"
    #expect(Set(info.codes) == ["partialFrame", size])
    #expect(info.audio(of: builder.bytes) == Array(builder.audio.prefix(3_996)))
  }

  @Test("A finished file has no oddity, wherever its table stands", arguments: [true, false])
  func table(_ isTableLast: Bool) throws {
    var builder = aac()
    builder.isTableLast = isTableLast
    let info = try probe(builder.bytes)
    #expect(info.oddities.isEmpty)
    #expect(info.format.encoding == .aac)
    #expect(!info.format.isADTS)
    #expect(info.format.configuration == builder.cookie)
    #expect(info.format.framesPerPacket == 1_024)
    #expect(info.frames == 300 * 1_024)
    #expect(info.primingFrames == 2_112)
    let found = try packets(info, builder.bytes)
    #expect(found.map(\.length) == builder.packets?.map(\.length))
    #expect(found.allSatisfy { $0.frames == 1_024 })
    #expect(found.first?.offset == info.dataOffset)
    #expect(found.reduce(0) { $0 + $1.length } == info.dataLength)
  }

  @Test("Packets of varying frames, and of one length with varying frames")
  func varying() throws {
    var builder = aac()
    builder.codec = "opus"
    builder.packetFrames = 0
    builder.packets = [(3, 480), (200, 960), (0, 0), (7, 2_880)]
    builder.audio = Array(repeating: 5, count: 210)
    #expect(try probe(builder.bytes).oddities.isEmpty)
    #expect(try packets(probe(builder.bytes), builder.bytes).map(\.frames) == [480, 960, 0, 2_880])
    builder.packetLength = 10
    builder.packets = (1...21).map { (10, $0) }
    let info = try probe(builder.bytes)
    #expect(info.frames == 231)
    #expect(try packets(info, builder.bytes).count == 21)
  }

  @Test("Packets all alike need no table")
  func constant() throws {
    var builder = CAFBuilder(codec: "ima4", flags: 0, packetLength: 34, packetFrames: 64, bits: 0)
    builder.channels = 1
    builder.audio = Array(repeating: 5, count: 350)
    builder.declared = -1
    let info = try probe(builder.bytes)
    #expect(info.frames == 640)
    #expect(info.unusedTail == 10)
    #expect(try packets(info, builder.bytes).count == 10)
  }

  @Test("Without its table an unfinished compressed file is kept whole as it is")
  func missingTable() throws {
    var builder = aac()
    builder.declared = -1
    builder.packets = nil
    for count in [nil, []] as [[(length: UInt64, frames: UInt64)]?] {
      builder.packets = count
      builder.priming = 0
      let info = try probe(builder.bytes)
      #expect(info.codes.contains("packetTableMissing"))
      #expect(info.frames == nil)
      #expect(info.dataLength == UInt64(builder.audio.count))
      let whole = AudioPacket(offset: info.dataOffset, length: info.dataLength, frames: 0)
      #expect(try packets(info, builder.bytes) == [whole])
    }
  }

  @Test("A table that says more, or less, than there is loses no whole packet")
  func wrongTable() throws {
    var builder = aac()
    builder.tableCount = UInt64(Int64.max)
    #expect(try probe(builder.bytes).codes == ["packetTable"])
    #expect(try probe(builder.bytes).frames == 300 * 1_024)
    builder.tableCount = 10
    #expect(try packets(probe(builder.bytes), builder.bytes).count == 10)
    #expect(try probe(builder.bytes).codes == ["packetTable"])
    builder.tableCount = nil
    builder.audio = Array(builder.audio.dropLast(1_000))
    let info = try probe(builder.bytes)
    #expect(info.codes == ["packetTable"])
    let left = try packets(info, builder.bytes)
    #expect(left.map(\.length) == Array(builder.packets!.map(\.length).prefix(left.count)))
    #expect(left.count > 280)
  }

  @Test("A CAF cut at any byte gives what is left, or says that the header is cut")
  func cut() throws {
    let builder = pcm()
    let bytes = builder.bytes
    for length in 1..<bytes.count {
      let cut = Array(bytes.prefix(length))
      // 8 + 12 + 32 + 12 bytes of header; of the edit count any part may be there.
      guard length >= 64 else {
        #expect(refusal(cut) == "truncatedHeader", "\(length)")
        continue
      }
      let info = try probe(cut)
      #expect(info.frames == UInt64(max(0, length - 68) / 4))
      #expect(info.codes.contains("truncated"))
    }
  }

  @Test("Numbers that no audio has are refused", arguments: [0, -1, .nan, .infinity, 1e12])
  func absurd(_ rate: Double) {
    var builder = pcm()
    builder.rate = rate
    #expect(refusal(builder.bytes) == "invalidFormat")
    builder.rate = 8_000
    for channels in [0, 65_536, 0xFFFF_FFFF] as [UInt64] {
      builder.channels = channels
      #expect(refusal(builder.bytes) == "invalidFormat")
    }
  }

  @Test("A pad byte that some writers add is not audio")
  func padded() throws {
    let builder = CAFBuilder(codec: "alaw", packetLength: 1, channels: 1, audio: [7, 8, 9])
    let info = try probe(builder.bytes + [0])
    #expect(info.frames == 3)
    #expect(info.codes == ["trailingBytes"])
    #expect(try probe(builder.bytes + [1]).frames == 4)
  }

  @Test("The first of several descriptions is used, audio chunks are runs; newer is refused")
  func others() throws {
    var builder = pcm()
    builder.last =
      CAFBuilder.chunk("data", [0, 0, 0, 0, 9, 8, 7, 6]) + CAFBuilder.chunk("desc", [1])
    let info = try probe(builder.bytes)
    #expect(info.codes == ["repeatedFormat", "severalDataChunks"])
    #expect(info.frames == 1_000)
    #expect(info.further.map { $0.audio(of: builder.bytes) } == [[9, 8, 7, 6]])
    var bytes = builder.bytes
    bytes[5] = 2
    #expect(refusal(bytes) == "unsupportedContainer")
  }
}
