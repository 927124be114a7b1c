import HoldfastAudio
import HoldfastModel
import Testing

/// What is not read is refused by the name of what it is.
@Suite struct RefusalTests {
  /// Bytes, the code of the refusal, and a word of its message.
  struct Case: Sendable, CustomStringConvertible {
    var head: [UInt8]
    var code: String
    var word: String
    /// Whether zero bytes follow, as in a file of that kind.
    var isFilled = true
    var description: String { word }
    var bytes: [UInt8] { isFilled ? head + Array(repeating: 0, count: 700) : head }
  }

  private static func media(_ text: String, _ word: String) -> Case {
    Case(head: .text(text), code: "unsupportedContainer", word: word)
  }

  static let cases: [Case] = [
    media("RIFX\u{0}\u{0}\u{0}\u{24}WAVEfmt ", "big-endian WAV (RIFX)"),
    media("RIFF\u{24}\u{0}\u{0}\u{0}AVI LIST", "AVI"),
    media("fLaC\u{0}\u{0}\u{0}\u{22}", "FLAC"),
    media("FORM\u{0}\u{0}\u{0}\u{40}AIFFCOMM", "AIFF"),
    media("FORM\u{0}\u{0}\u{0}\u{40}AIFCFVER", "AIFF-C"),
    media("\u{0}\u{0}\u{0}\u{1C}ftypM4A ", "M4A"),
    media("\u{0}\u{0}\u{0}\u{1C}ftypisom", "MPEG-4"),
    media("\u{0}\u{0}\u{0}\u{14}ftypqt  ", "QuickTime"),
    media("OggS" + String(repeating: "\u{0}", count: 22) + "\u{1}\u{13}OpusHead", "Ogg Opus"),
    media("OggS" + String(repeating: "\u{0}", count: 22) + "\u{1}\u{1E}\u{1}vorbis", "Ogg Vorbis"),
    media(".snd\u{0}\u{0}\u{0}\u{18}", "AU"),
    media("#!AMR\n\u{0}", "AMR"),
    media("MThd\u{0}", "MIDI"),
    Case(head: [0xFF, 0xFB, 0x90, 0x64], code: "unsupportedContainer", word: "MP3"),
    Case(
      head: .text("ID3") + [3, 0, 0, 0, 0, 0, 10] + Array(repeating: 1, count: 10)
        + [0xFF, 0xFB, 0x90, 0x64], code: "unsupportedContainer", word: "MP3"),
    Case(
      head: .text("riff") + [
        0x2E, 0x91, 0xCF, 0x11, 0xA5, 0xD6, 0x28, 0xDB, 0x04, 0xC1, 0, 0,
      ], code: "unsupportedContainer", word: "Wave64"),
    Case(head: [0x1A, 0x45, 0xDF, 0xA3], code: "unsupportedContainer", word: "Matroska"),
    Case(head: .text("RIFF\u{24}\u{0}\u{0}\u{0}WEBPVP8 "), code: "notAudio", word: "WebP"),
    Case(head: .text("%PDF-1.7\n"), code: "notAudio", word: "PDF"),
    Case(head: .text("SQLite format 3\u{0}"), code: "notAudio", word: "SQLite"),
    Case(head: [0xFF, 0xD8, 0xFF, 0xE0], code: "notAudio", word: "JPEG"),
    Case(head: [0], code: "notAudio", word: "zero bytes"),
    Case(head: .text("{\"a\": 1}\n"), code: "notAudio", word: "a text file", isFilled: false),
    Case(head: .text("Grüße, 会議\n"), code: "notAudio", word: "a text file", isFilled: false),
    Case(head: .text("MAC addresses\n"), code: "notAudio", word: "a text file", isFilled: false),
    Case(head: [], code: "empty", word: "empty", isFilled: false),
    Case(head: .text("RIF"), code: "truncatedHeader", word: "WAV", isFilled: false),
    Case(head: .text("caff\u{0}"), code: "truncatedHeader", word: "CAF", isFilled: false),
    Case(head: [1, 2, 3, 250, 7], code: "notAudio", word: "that we know"),
  ]

  @Test("A foreign file is refused by name, from disk and from a pipe", arguments: cases)
  func foreign(_ example: Case) {
    #expect(throws: AudioError.self) { try probe(example.bytes) }
    for refused in [refusal { try probe(example.bytes) }, piped(example)] {
      // Tags in front are looked behind in files only.
      guard let refused, !example.head.starts(with: Array("ID3".utf8)) else { continue }
      #expect(refused.code.rawValue == example.code, "\(refused)")
      #expect(refused.message.contains(example.word), "\(refused)")
    }
    #expect(refusal { try probe(example.bytes) }?.message.contains(example.word) == true)
  }

  private func piped(_ example: Case) -> AudioError? {
    refusal { try Piped(example.bytes, piece: 50) }
  }

  private func refusal(_ body: () throws -> Any) -> AudioError? {
    do { _ = try body() } catch { return error as? AudioError }
    return nil
  }

  @Test(
    "A codec in WAV is refused by name",
    arguments: [
      (0x0002, "Microsoft ADPCM"), (0x0011, "IMA ADPCM"), (0x0031, "GSM 6.10"), (0x0055, "MP3"),
      (0x0161, "Windows Media"), (0x00FF, "AAC"), (0x704F, "Opus"), (0x1234, "0x1234"),
      (0x0000, "unknown codec"),
    ])
  func codec(_ tag: UInt64, _ name: String) {
    for length in [16, 18, 40] {
      var builder = WAVBuilder(formatLength: length, audio: [1, 2, 3, 4])
      builder.kind.tag = tag
      let refused = refusal { try probe(builder.bytes) }
      #expect(refused?.code == .unsupportedCodec)
      #expect(refused?.message.contains(name) == true)
    }
  }

  @Test("Half floats are refused by name")
  func halfFloat() {
    var builder = WAVBuilder(audio: [1, 2, 3, 4])
    builder.kind.tag = 3
    #expect(refusal { try probe(builder.bytes) }?.message.contains("16 bits") == true)
  }

  @Test("Chunks without end before the audio are refused, not walked for ever")
  func endlessChunks() {
    let chunks = Array(repeating: [UInt8].text("JUNK") + [0, 0, 0, 0], count: 66_000)
    let bytes = .text("RIFF") + [0, 0, 0, 0] + .text("WAVE") + chunks.flatMap { $0 }
    #expect(refusal { try probe(bytes) }?.code == .damagedHeader)
  }
}
