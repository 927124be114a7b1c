import HoldfastAudio
import HoldfastModel
import Testing

/// What is written reads back as what it was, without an oddity.
@Suite struct WritingTests {
  private static let encodings: [SampleEncoding] = [
    .u8, .s16le, .s24le, .s32le, .f32le, .f64le, .alaw, .mulaw,
  ]

  @Test("A written WAV reads back as it was", arguments: encodings)
  func wav(_ encoding: SampleEncoding) throws {
    var dice = Dice(8)
    for channels in [1, 2, 3, 8] as [UInt32] {
      let rate = dice.pick([8_000.0, 44_100, 192_000])
      let format = try #require(
        AudioFormat(pcm: encoding, sampleRate: rate, channels: channels))
      for frames in [0, 1, 7, 200] {
        let audio = dice.bytes(frames * Int(format.bytesPerFrame))
        for limit in [WAVHeader.sizeLimit, 0] {
          let header = try WAVHeader(format, limit: limit).bytes(dataLength: UInt64(audio.count))
          let file = header + audio + WAVHeader.padding(after: UInt64(audio.count))
          let info = try probe(file)
          #expect(info.container == (limit == 0 ? .rf64 : .wav))
          #expect(info.oddities.isEmpty, "\(info.oddities)")
          #expect(info.format == format)
          #expect(info.audio(of: file) == audio)
        }
        let piped = try WAVHeader(format).streamingBytes + audio
        #expect(try probe(piped).codes == ["streamedHeader"])
        #expect(try Piped(piped, piece: 100).audio == audio)
        #expect(try Piped(piped, piece: 100).format == format)
      }
    }
  }

  @Test("Short forms where WAV has them, the extended one where it is custom")
  func forms() throws {
    func length(_ encoding: SampleEncoding, _ channels: UInt32) throws -> Int {
      let format = try #require(
        AudioFormat(pcm: encoding, sampleRate: 48_000, channels: channels))
      return try WAVHeader(format).bytes(dataLength: 0).count
    }
    #expect(try length(.s16le, 2) == 44)
    #expect(try length(.u8, 1) == 44)
    #expect(try length(.f32le, 1) == 58)
    #expect(try length(.alaw, 1) == 58)
    #expect(try length(.s24le, 1) == 68)
    #expect(try length(.s16le, 3) == 68)
  }

  @Test("RF64 begins where RIFF's sizes end, to the byte")
  func threshold() throws {
    let format = try #require(AudioFormat(pcm: .u8, sampleRate: 8_000, channels: 1))
    let header = try WAVHeader(format)
    #expect(header.bytes(dataLength: (1 << 32) - 46).count == 44)
    #expect(header.bytes(dataLength: (1 << 32) - 45).count == 80)
    #expect(header.bytes(dataLength: (1 << 32) - 44).starts(with: Array("RF64".utf8)))
    let long = header.bytes(dataLength: 1 << 40)
    #expect(Array(long[20..<28]) == .little(72 + 1 << 40, 8))
    #expect(Array(long[28..<36]) == .little(1 << 40, 8))
  }

  @Test("Valid bits and speakers come through reading and writing")
  func extensionBytes() throws {
    var builder = WAVBuilder(kind: .all[2], channels: 2, formatLength: 40)
    builder.validBits = 20
    builder.mask = 0x3
    builder.audio = Array(repeating: 1, count: 60)
    let format = try probe(builder.bytes).format
    #expect(format.configuration.count == 22)
    let written = try WAVHeader(format).bytes(dataLength: 60)
    #expect(written == builder.header)
  }

  @Test("WAV is not written for packets, nor where its fields do not reach")
  func refused() {
    let codec = AudioFormat(
      encoding: .aac, sampleRate: 44_100, channels: 2, bytesPerFrame: 0, framesPerPacket: 1_024)
    #expect(throws: AudioError.self) { try WAVHeader(codec) }
    for (rate, channels) in [(8_000.0, 65_535), (0.1, 1), (4e9, 2)] as [(Double, UInt32)] {
      let format = AudioFormat(pcm: .s16le, sampleRate: rate, channels: channels)
      #expect(throws: AudioError.self) { try WAVHeader(#require(format)) }
    }
  }

  @Test(
    "Packets written as CAF come back as they were", arguments: ["aac", "alac", "opus", "ima4"])
  func caf(_ codec: String) throws {
    var dice = Dice(9)
    let isConstant = codec == "ima4"
    let format = AudioFormat(
      encoding: SampleEncoding(rawValue: codec), sampleRate: 48_000, channels: 2,
      bytesPerFrame: 0, framesPerPacket: codec == "opus" ? 0 : 1_024,
      configuration: isConstant ? [] : dice.bytes(48))
    #expect(format.exportContainer == .caf)
    var table = CAFPacketTable(for: format)
    var sizes: [UInt64] = []
    var audio: [UInt8] = []
    for _ in 0..<500 {
      let size = isConstant ? 68 : dice.number(0...20_000)
      table.append(length: UInt32(size), frames: codec == "opus" ? UInt32(size) : 1_024)
      sizes.append(UInt64(size))
      audio += Array(repeating: UInt8(size % 251), count: size)
    }
    let file = try CAFHeader(format, table: table, priming: 2_112, remainder: 5).bytes + audio
    let info = try probe(file)
    #expect(info.oddities.isEmpty)
    #expect(info.format == format)
    #expect(info.frames == table.frames)
    #expect(info.primingFrames == 2_112)
    #expect(info.remainderFrames == 5)
    #expect(try packets(info, file).map(\.length) == sizes)
  }

  @Test("CAF is not written for PCM, ADTS or a codec without a name of four characters")
  func cafRefused() throws {
    let pcm = try #require(AudioFormat(pcm: .s16le, sampleRate: 8_000, channels: 1))
    let adts = try probe(ADTSBuilder.frames(2, seed: 1).flatMap { $0 }).format
    let long = AudioFormat(
      encoding: SampleEncoding(rawValue: "vorbis"), sampleRate: 1, channels: 1, bytesPerFrame: 0)
    for format in [pcm, adts, long] {
      #expect(throws: AudioError.self) {
        try CAFHeader(format, table: CAFPacketTable(for: format))
      }
    }
    #expect(pcm.exportContainer == .wav)
    #expect(adts.exportContainer == .adts)
  }

  @Test("Silence is silent in every encoding", arguments: encodings)
  func silence(_ encoding: SampleEncoding) throws {
    let format = try #require(AudioFormat(pcm: encoding, sampleRate: 8_000, channels: 2))
    let bytes = format.silence(frames: 50)
    #expect(bytes.count == 50 * Int(format.bytesPerFrame))
    let peak = PeakMeter.peak(of: bytes.span, format: format) ?? 1
    #expect(peak < 0.000_3)
    #expect(bytes.allSatisfy { $0 == encoding.silenceByte })
  }
}
