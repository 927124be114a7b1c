import HoldfastAudio
import HoldfastModel
import Testing

/// WAVE with 64-bit sizes.
@Suite struct WAV64Tests {
  private func builder(_ head: String) -> WAVBuilder {
    var dice = Dice(5)
    var builder = WAVBuilder(head: head, riffSize: 0xFFFF_FFFF)
    builder.audio = dice.bytes(2_000)
    builder.declared = 0xFFFF_FFFF
    builder.ds64 = (0, 2_000)
    let size = UInt64(builder.bytes.count) - 8
    builder.ds64?.riff = size
    return builder
  }

  @Test("RF64 and BW64 take their sizes from ds64", arguments: ["RF64", "BW64"])
  func sizes(_ head: String) throws {
    var builder = builder(head)
    builder.last = [.init(id: "LIST", body: [1, 2, 3, 4])]
    builder.ds64?.riff += 12
    let info = try probe(builder.bytes)
    #expect(info.container.rawValue == head.lowercased())
    #expect(info.dataLength == 2_000)
    #expect(info.oddities.isEmpty)
    #expect(try Piped(builder.bytes, piece: 77).audio == builder.audio)
  }

  @Test("Where ds64 is wrong or missing the bytes decide")
  func wrong() throws {
    var builder = builder("RF64")
    let audio = builder.audio
    for (size, code) in [
      (0, "lengthFromBytes"), (12, "lengthFromBytes"), (3_000, "truncated"),
      (UInt64.max, "missingSizes"), (UInt64.max - 1, "truncated"),
    ] as [(UInt64, String)] {
      builder.ds64?.data = size
      let info = try probe(builder.bytes)
      #expect(info.audio(of: builder.bytes) == audio, "\(size)")
      #expect(info.codes.contains(code), "\(size) \(info.codes)")
      #expect(try Piped(builder.bytes, piece: 500).audio == audio)
    }
    builder.ds64 = nil
    #expect(try probe(builder.bytes).codes == ["missingSizes", "streamedHeader"])
    #expect(try probe(builder.bytes).audio(of: builder.bytes) == audio)
  }

  @Test("A wrong size of the whole is an oddity and nothing else")
  func wrongWhole() throws {
    var builder = builder("RF64")
    builder.ds64?.riff = 99
    #expect(try probe(builder.bytes).codes == ["fileSize"])
    #expect(try probe(builder.bytes).dataLength == 2_000)
  }
}
