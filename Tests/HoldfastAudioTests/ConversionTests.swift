import HoldfastAudio
import HoldfastModel
import Testing

/// Samples of every encoding, channels, rounding and clipping.
@Suite struct ConversionTests {
  private typealias S = Signals

  @Test("int16 comes through unchanged, every value of it")
  func exact() throws {
    let all = (0..<65_536).flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
    let short = S.format(.s16le, 16_000)
    let float = S.format(.f32le, 16_000)
    #expect(try S.convert(all, short, short) == all)
    #expect(try S.convert(S.convert(all, short, float), float, short) == all)
  }

  @Test("Known samples of each encoding have their value")
  func values() throws {
    let cases: [(SampleEncoding, [UInt8], Double)] = [
      (.u8, [0x80], 0), (.u8, [0], -1), (.u8, [0xC0], 0.5),
      (.s16le, [0, 0x80], -1), (.s16le, [0, 0x40], 0.5),
      (.s24le, [0, 0, 0x80], -1), (.s24le, [0, 0, 0x40], 0.5),
      (.s24le, [0xFF, 0xFF, 0xFF], -1.0 / 8_388_608),
      (.s32le, [0, 0, 0, 0x80], -1), (.s32le, [0, 0, 0, 0x20], 0.25),
      (.f32le, [0, 0, 0, 0x3F], 0.5), (.f32le, [0, 0, 0xC0, 0x7F], 0),
      (.f64le, [0, 0, 0, 0, 0, 0, 0xE0, 0x3F], 0.5),
      (.f64le, [0, 0, 0, 0, 0, 0, 0xF0, 0x7F], 0),
      // G.711: the ends of the scale and the two zeros, as 16-bit values.
      (.alaw, [0xD5], 8.0 / 32_768), (.alaw, [0x55], -8.0 / 32_768),
      (.alaw, [0xAA], 32_256.0 / 32_768), (.alaw, [0x2A], -32_256.0 / 32_768),
      (.mulaw, [0xFF], 0), (.mulaw, [0x7F], 0),
      (.mulaw, [0x80], 32_124.0 / 32_768), (.mulaw, [0x00], -32_124.0 / 32_768),
    ]
    for (encoding, bytes, value) in cases {
      let out = try S.convert(bytes, S.format(encoding, 8_000), S.format(.f32le, 8_000))
      #expect(S.floats(out) == [value], "\(encoding.rawValue) \(bytes)")
    }
  }

  @Test(
    "G.711 codes rise with their value, and mirror",
    arguments: [
      SampleEncoding.alaw, .mulaw,
    ])
  func companding(_ encoding: SampleEncoding) throws {
    let flip: UInt8 = encoding == .alaw ? 0x55 : 0x7F
    let codes = (0..<128).map { (UInt8($0) ^ flip) | 0x80 }
    let format = S.format(encoding, 8_000)
    let rising = S.floats(try S.convert(codes, format, S.format(.f32le, 8_000)))
    #expect(zip(rising, rising.dropFirst()).allSatisfy { $0 < $1 })
    let mirrored = codes.map { $0 & 0x7F }
    let falling = S.floats(try S.convert(mirrored, format, S.format(.f32le, 8_000)))
    #expect(zip(rising, falling).allSatisfy { $0 == -$1 })
  }

  @Test("Floats are rounded to the nearest and clipped")
  func rounding() throws {
    let values: [(Float, Int16)] = [
      (0.5 / 32_768, 0), (1.5 / 32_768, 2), (0.6 / 32_768, 1), (-0.6 / 32_768, -1), (1, 32_767),
      (-1, -32_768), (1e30, 32_767), (-7, -32_768), (.infinity, 0), (.nan, 0),
    ]
    let bytes = values.flatMap { [UInt8].little(UInt64($0.0.bitPattern), 4) }
    let out = S.shorts(try S.convert(bytes, S.format(.f32le, 8_000), S.format(.s16le, 8_000)))
    #expect(out == values.map(\.1))
  }

  @Test("Channels are mixed by their mean, and mono is copied")
  func channels() throws {
    let stereo = [UInt8].little(100, 2) + .little(300, 2) + .little(0xFFFE, 2) + .little(4, 2)
    let two = S.format(.s16le, 8_000, 2)
    #expect(S.shorts(try S.convert(stereo, two, S.format(.s16le, 8_000))) == [200, 1])
    let three = S.format(.s16le, 8_000, 3)
    let mono = S.format(.s16le, 8_000)
    #expect(
      S.shorts(try S.convert(.little(7, 2) + .little(9, 2), mono, three)) == [7, 7, 7, 9, 9, 9])
    #expect(try S.convert(stereo, two, two) == stereo)
  }

  @Test("A planar block is the same as an interleaved one", arguments: [16_000.0, 48_000])
  func planar(_ rate: Double) throws {
    var dice = Dice(2)
    let frames = 2_500
    let planes = (0..<2).map { _ in
      (0..<frames).map { _ in Float.random(in: -1...1, using: &dice) }
    }
    func bytes(_ values: [Float]) -> [UInt8] {
      values.flatMap { [UInt8].little(UInt64($0.bitPattern), 4) }
    }
    let interleaved = bytes((0..<frames).flatMap { [planes[0][$0], planes[1][$0]] })
    let from = S.format(.f32le, 48_000, 2)
    let to = S.format(.s16le, rate, 1)
    var converter = try SampleConverter(from: from, to: to)
    let block = bytes(planes[0] + planes[1])
    let out = try converter.convert(block.span, layout: .planar) + converter.finish()
    #expect(out == (try S.convert(interleaved, from, to)))
  }

  @Test("What cannot be converted is refused, and a block that ends inside a frame")
  func refused() throws {
    let pairs: [(AudioFormat, AudioFormat)] = [
      (S.format(.s16le, 8_000, 2), S.format(.s16le, 8_000, 3)),
      (S.format(.s16le, 8_000, 257), S.format(.s16le, 8_000)),
      (S.format(.s16le, 8_000), S.format(.s24le, 8_000)),
      (S.format(.s16le, 8_000_000), S.format(.s16le, 8_000)),
      (S.format(.aac, 8_000), S.format(.s16le, 8_000)),
      (S.format(.s16le, 8_000), S.format(.aac, 8_000)),
    ]
    for (from, to) in pairs {
      #expect(throws: AudioError.self) { try SampleConverter(from: from, to: to) }
    }
    var converter = try SampleConverter(
      from: S.format(.s16le, 8_000, 2), to: S.format(.s16le, 8_000, 2))
    let bytes: [UInt8] = [1, 2, 3]
    #expect(throws: AudioError.self) { try converter.convert(bytes.span) }
  }

  @Test("The farthest rates that are converted need little memory and keep the length")
  func extremes() throws {
    for (from, to, frames) in [(192_000.0, 750.0, 2_000), (750, 192_000, 40), (7_919, 101, 500)] {
      let out = try S.convert(
        [UInt8](repeating: 9, count: frames), S.format(.u8, from), S.format(.s16le, to))
      #expect(out.count / 2 == Int((Double(frames) * to / from).rounded(.up)))
    }
  }

  @Test("The peak of a block is its loudest sample, at most 1")
  func peak() throws {
    func peak(_ bytes: [UInt8], _ encoding: SampleEncoding) -> Float? {
      PeakMeter.peak(of: bytes.span, format: S.format(encoding, 8_000))
    }
    #expect(peak([], .s16le) == 0)
    #expect(peak([0, 0, 0, 0x80], .s16le) == 1)
    #expect(peak([0, 0x20, 0, 0xE0, 1, 0], .s16le) == 0.25)
    #expect(peak([0x80, 0x40, 0xA0], .u8) == 0.5)
    #expect(peak([0, 0, 0x40, 0x40], .f32le) == 1)
    #expect(peak([0xFF, 0x80], .mulaw) == Float(32_124) / 32_768)
    #expect(peak([1, 2], .aac) == nil)
  }
}
