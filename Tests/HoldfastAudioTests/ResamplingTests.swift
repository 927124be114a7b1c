import HoldfastAudio
import HoldfastModel
import Testing

/// The resampler: what is in the band comes through, what would alias does not, and cutting the
/// stream changes nothing.
@Suite struct ResamplingTests {
  private typealias S = Signals

  /// Input and output rate, and tones that must come through.
  struct Pair: Sendable, CustomStringConvertible {
    var input: Double
    var output: Double
    var tones: [Double]
    var description: String { "\(input) → \(output)" }
  }

  static let pairs = [
    Pair(input: 48_000, output: 16_000, tones: [100, 1_000, 6_500]),
    Pair(input: 44_100, output: 16_000, tones: [440, 6_500]),
    Pair(input: 16_000, output: 48_000, tones: [440, 6_500]),
    Pair(input: 44_100, output: 48_000, tones: [997, 17_000]),
    Pair(input: 8_000, output: 16_000, tones: [300, 3_300]),
    // 5,507 : 2,000 and 44,101 : 16,000 have more steps than rows: the interpolated table.
    Pair(input: 44_056, output: 16_000, tones: [440, 6_500]),
    Pair(input: 44_101, output: 16_000, tones: [440, 6_500]),
    Pair(input: 44_100.5, output: 16_000, tones: [440]),
  ]

  @Test("A tone comes through at its level, 60 dB above everything else", arguments: pairs)
  func passes(_ pair: Pair) throws {
    var converter = try SampleConverter(
      from: S.format(.f32le, pair.input), to: S.format(.f32le, pair.output))
    for hertz in pair.tones {
      let tone = S.tone(hertz, rate: pair.input, frames: Int(pair.input / 25))
      let out = S.floats(try converter.convert(tone.span) + converter.finish())
      let (level, rest) = S.measure(out, hertz: hertz, rate: pair.output, edge: 100)
      #expect(abs(level + 6.02) < 0.05, "\(hertz) Hz: \(level) dB")
      #expect(rest < -6 - 60, "\(hertz) Hz: \(rest) dB")
    }
  }

  @Test(
    "A tone above the half of the lower rate is gone",
    arguments: [
      (48_000.0, 16_000.0, 8_100.0), (48_000, 16_000, 9_000), (48_000, 16_000, 15_000),
      (44_100, 16_000, 12_000), (48_000, 8_000, 4_100), (44_101, 16_000, 9_000),
    ])
  func aliases(_ input: Double, _ output: Double, _ hertz: Double) throws {
    let tone = S.tone(hertz, rate: input, frames: 1_500, level: 1)
    let out = S.floats(try S.convert(tone, S.format(.f32le, input), S.format(.f32le, output)))
    let loudest = out.dropFirst(100).dropLast(100).map(abs).max() ?? 1
    #expect(loudest < 0.001, "\(loudest)")
  }

  @Test("No images above the band when the rate rises")
  func images() throws {
    let tone = S.tone(3_000, rate: 8_000, frames: 800, level: 1)
    let out = S.floats(try S.convert(tone, S.format(.f32le, 8_000), S.format(.f32le, 48_000)))
    #expect(S.measure(out, hertz: 3_000, rate: 48_000, edge: 400).rest < -60)
  }

  @Test("The length is the input's times the ratio, rounded up", arguments: pairs)
  func length(_ pair: Pair) throws {
    var converter = try SampleConverter(
      from: S.format(.s16le, pair.input), to: S.format(.s16le, pair.output))
    for frames in [0, 1, 2, 100, 1_025] {
      let input = [UInt8](repeating: 0, count: frames * 2)
      let out = try converter.convert(input.span) + converter.finish()
      let exact = (Double(frames) * pair.output / pair.input).rounded(.up)
      #expect(out.count / 2 == Int(exact))
    }
  }

  @Test("A stream in pieces gives the same bytes as the whole", arguments: 0..<8)
  func pieces(_ seed: Int) throws {
    var dice = Dice(UInt64(seed))
    let pair = dice.pick(Self.pairs)
    let from = S.format(dice.pick([.s16le, .s24le, .u8]), pair.input, 2)
    let to = S.format(dice.pick([.s16le, .f32le]), pair.output, dice.pick([1, 2]))
    let bytes = dice.bytes(1_500 * Int(from.bytesPerFrame))
    let whole = try S.convert(bytes, from, to)
    var converter = try SampleConverter(from: from, to: to)
    for _ in 0..<2 {
      var out: [UInt8] = []
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = dice.pick([1, 2, 63, 500, 1_024, 1_100]) * Int(from.bytesPerFrame)
        out += try converter.convert(Array(rest.prefix(count)).span)
        rest = rest.dropFirst(count)
      }
      // After the end the converter is at the begin of another stream.
      out += converter.finish()
      #expect(out == whole)
    }
  }

  @Test("A constant stays what it is in the middle of the stream", arguments: pairs)
  func constant(_ pair: Pair) throws {
    let input = [UInt8](repeating: 0x40, count: 2 * 700)
    let out = S.shorts(
      try S.convert(input, S.format(.s16le, pair.input), S.format(.s16le, pair.output)))
    let middle = out.dropFirst(out.count / 4).dropLast(out.count / 4)
    #expect(middle.allSatisfy { $0 == 0x4040 })
  }
}
