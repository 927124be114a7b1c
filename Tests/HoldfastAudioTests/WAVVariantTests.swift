import HoldfastAudio
import HoldfastModel
import Testing

/// Combinations of everything that is right or wrong in WAV files: the true audio is found in each.
@Suite struct WAVVariantTests {
  /// How the declared size stands to the true one.
  enum Size: CaseIterable, Sendable {
    case right, zero, streamed, halfRange, short, long, shortRIFF
  }

  @Test("Any mixture of format, chunks and sizes gives the true audio", arguments: 0..<60)
  func mixture(_ seed: Int) throws {
    var dice = Dice(UInt64(seed))
    for _ in 0..<20 {
      var (builder, codes) = variant(&dice)
      codes = codes.union(size(&builder, &dice))
      try check(builder, codes)
    }
  }

  private func check(_ builder: WAVBuilder, _ codes: Set<String>) throws {
    let bytes = builder.bytes
    let info = try probe(bytes)
    let whole = builder.audio.count - builder.audio.count % builder.frameBytes
    #expect(info.codes == codes.sorted(), "\(builder)")
    #expect(info.audio(of: bytes) == Array(builder.audio.prefix(whole)), "\(builder)")
    #expect(info.frames == UInt64(whole / builder.frameBytes))
    #expect(info.unusedTail == UInt64(builder.audio.count - whole))
    #expect(info.format.encoding.rawValue == builder.kind.encoding)
    #expect(info.format.channels == UInt32(builder.channels))
    #expect(info.format.sampleRate == Double(builder.rate))
    #expect(info.format.bytesPerFrame == UInt32(builder.frameBytes))
    let piped = try Piped(bytes, piece: 1_000)
    #expect(piped.audio == info.audio(of: bytes), "\(builder)")
    #expect(piped.parser.format == info.format)
    #expect(piped.parser.unusedTail == info.unusedTail)
    let pipedCodes = Set(piped.parser.oddities.map(\.code.rawValue))
    #expect(pipedCodes == codes.subtracting(["fileSize"]), "\(builder)")
  }

  /// A file whose header tells the truth, with chunks all around, some of them without their pad.
  private func variant(_ dice: inout Dice) -> (WAVBuilder, Set<String>) {
    var builder = WAVBuilder()
    var codes: Set<String> = []
    builder.kind = dice.pick(WAVBuilder.Kind.all)
    builder.channels = dice.pick([1, 1, 2, 3, 6])
    builder.rate = dice.pick([8_000, 11_025, 16_000, 44_100, 48_000, 96_000])
    builder.formatLength = dice.pick([16, 18, 20, 40, 40, 42])
    builder.validBits = dice.pick([nil, nil, builder.kind.bits - 2])
    builder.mask = dice.pick([0, 3, 0x3F])
    builder.first = chunks(&dice, &codes)
    builder.middle = chunks(&dice, &codes)
    let frames = dice.number(0...400)
    let extra = dice.pick([0, 0, 0, dice.number(0...builder.frameBytes - 1)])
    builder.audio = dice.bytes(frames * builder.frameBytes + extra)
    if builder.audio.count % builder.frameBytes > 0 { codes.insert("partialFrame") }
    return (builder, codes)
  }

  private func chunks(_ dice: inout Dice, _ codes: inout Set<String>) -> [WAVBuilder.Chunk] {
    (0..<dice.pick([0, 0, 1, 2])).map { _ in
      let id = dice.pick(["LIST", "JUNK", "bext", "fact", "id3 ", "iXML", "abcd", "cue "])
      let chunk = WAVBuilder.Chunk(
        id: id, body: dice.bytes(dice.number(0...90)), isPadded: dice.pick([true, true, false]))
      if chunk.body.count % 2 == 1 && !chunk.isPadded { codes.insert("missingPad") }
      return chunk
    }
  }

  /// Declares some size; the answer are the oddities that follow from it.
  private func size(_ builder: inout WAVBuilder, _ dice: inout Dice) -> Set<String> {
    let count = UInt64(builder.audio.count)
    let isOdd = count % 2 == 1
    switch dice.pick(Size.allCases) {
    case .zero where count > 8:
      builder.declared = 0
      builder.riffSize = dice.pick([0, 36])
      builder.padsAudio = false
      return ["lengthFromBytes"]
    case .streamed:
      builder.declared = 0xFFFF_FFFF
      builder.riffSize = dice.pick([0xFFFF_FFFF, 0])
      builder.padsAudio = false
      return ["streamedHeader"]
    case .halfRange:
      builder.declared = dice.pick([0x7FFF_FFFF, 0x8000_0000, 0x7FFF_F000, 0x7FFF_FFDB])
      builder.padsAudio = false
      return ["streamedHeader"]
    case .short where count > 40:
      builder.declared = UInt64(dice.number(1...Int(count) - 12))
      builder.padsAudio = false
      return ["lengthFromBytes"]
    case .long:
      builder.declared = count + UInt64(dice.number(1...100_000))
      builder.padsAudio = false
      return ["truncated"]
    case .shortRIFF:
      builder.riffSize = dice.pick([0, 4, 0xFFFF_FFFF])
      return ["fileSize"]
    default:
      var codes: Set<String> = []
      builder.last = chunks(&dice, &codes)
      builder.padsAudio = dice.pick([true, false])
      if isOdd && !builder.padsAudio { codes.insert("missingPad") }
      return codes
    }
  }

  @Test(
    "A file cut at any byte gives what is left, or says that the header is cut",
    arguments: WAVBuilder.Kind.all)
  func cut(_ kind: WAVBuilder.Kind) throws {
    var dice = Dice(7)
    var builder = WAVBuilder(kind: kind, channels: 2, formatLength: kind.tag == 1 ? 40 : 18)
    builder.first = [.init(id: "JUNK", body: dice.bytes(5))]
    builder.middle = [.init(id: "LIST", body: dice.bytes(9), isPadded: false)]
    builder.audio = dice.bytes(40 * builder.frameBytes)
    let bytes = builder.bytes
    let header = builder.header.count
    for length in 0..<bytes.count {
      let cut = Array(bytes.prefix(length))
      guard length >= header else {
        #expect(refusal(cut) == (length == 0 ? "empty" : "truncatedHeader"), "\(length)")
        #expect(throws: AudioError.self) { try Piped(cut, piece: 9) }
        continue
      }
      let info = try probe(cut)
      let whole = (length - header) / builder.frameBytes * builder.frameBytes
      #expect(info.audio(of: cut) == Array(builder.audio.prefix(whole)))
      #expect(info.codes.contains("truncated"))
      #expect(info.codes.contains("partialFrame") == (whole < length - header))
      #expect(try Piped(cut, piece: 9).audio == Array(builder.audio.prefix(whole)))
    }
  }
}
