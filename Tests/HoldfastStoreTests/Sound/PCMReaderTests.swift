import HoldfastAudio
import HoldfastModel
import HoldfastStore
import Testing

@Suite("Reading samples by recording time")
struct PCMReaderTests {
  static func pcm(_ values: [Int16]) -> [UInt8] {
    values.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
  }

  /// A slow wave that any resampler keeps.
  static func wave(_ frames: Int, rate: Double) -> [Int16] {
    (0..<frames).map { frame in
      // A triangle of 100 Hz.
      let turn = (Double(frame) * 100 / rate).truncatingRemainder(dividingBy: 1)
      return Int16((abs(turn - 0.5) * 4 - 1) * 16_000)
    }
  }

  @Test("gives the samples themselves at the take's own rate, and silence in gaps")
  func sameRate() throws {
    let store = try SoundStore()
    let values = (0..<16_000).map { Int16(truncatingIfNeeded: $0 &* 31) }
    let id = try store.record([
      .init(
        at: 0, reason: .pause,
        [Self.pcm(Array(values[..<5_000])), Self.pcm(Array(values[5_000..<8_000]))]),
      .init(at: 2, [Self.pcm(Array(values[8_000...]))]),
    ])
    let reader = try PCMReader(store.writer, id)
    #expect(reader.endSeconds == 3)
    let floats = values.map { Float($0) / 32_768 }
    let all = try reader.samples(0..<3.5, sampleRate: 8_000)
    var expected = [Float](floats[..<8_000])
    expected += [Float](repeating: 0, count: 8_000)
    expected += floats[8_000...]
    expected += [Float](repeating: 0, count: 4_000)
    #expect(all == expected)
    for range in [0.25..<0.9, 0.5..<0.75, 0.9..<2.1, 2.2..<2.2, 1.2..<1.4, 5..<6] {
      let part = try reader.samples(range, sampleRate: 8_000)
      let first = Int(range.lowerBound * 8_000)
      let wanted = (first..<Int((range.upperBound * 8_000).rounded())).map {
        $0 < all.count ? all[$0] : 0
      }
      #expect(part == wanted, "\(range)")
    }
  }

  @Test("finds a stretch in the middle of many chunks", arguments: [0, 1, 37, 98, 99])
  func manyChunks(_ chunk: Int) throws {
    let store = try SoundStore()
    let chunks = (0..<100).map { index in [Int16](repeating: Int16(index), count: 80) }
    let id = try store.record([.init(at: 0, chunks.map { Self.pcm($0) })])
    let begin = Double(chunk) / 100
    let samples = try PCMReader(store.writer, id).samples(
      begin..<begin + 0.01, sampleRate: 8_000)
    #expect(samples == Array(repeating: Float(chunk) / 32_768, count: 80))
  }

  @Test(
    "resamples alike whether a range is read whole or in pieces",
    arguments: [
      8_000.0, 16_000, 44_100, 48_000,
    ])
  func pieces(_ rate: Double) throws {
    let store = try SoundStore()
    var take = TakeScript(at: 0, [Self.pcm(Self.wave(Int(rate) * 3 / 2, rate: rate))])
    take.format = SoundFiles.format(.s16le, rate, 1)
    let id = try store.record([take])
    let reader = try PCMReader(store.writer, id)
    let whole = try reader.samples(0..<1.5, sampleRate: 16_000)
    #expect(whole.count == 24_000)
    var joined: [Float] = []
    for begin in [0, 0.5, 1] {
      joined += try reader.samples(begin..<begin + 0.5, sampleRate: 16_000)
    }
    #expect(joined.count == whole.count)
    let worst = zip(whole, joined).map { abs($0 - $1) }.max() ?? 1
    #expect(worst < 1e-6, "pieces differ by \(worst)")
    let expected = Self.wave(24_000, rate: 16_000).map { Float($0) / 32_768 }
    let error = zip(whole, expected).dropFirst(200).dropLast(200).map { abs($0 - $1) }.max() ?? 1
    #expect(error < 0.02, "off by \(error)")
  }

  @Test("mixes channels to one, and copies one to several")
  func channels() throws {
    let store = try SoundStore()
    var stereo = TakeScript(at: 0, [Self.pcm((0..<800).flatMap { _ in [Int16(1_000), 3_000] })])
    stereo.format = SoundFiles.format(.s16le, 8_000, 2)
    let id = try store.record([stereo])
    let reader = try PCMReader(store.writer, id)
    let mean = Float(2_000) / 32_768
    #expect(try reader.samples(0..<0.1, sampleRate: 8_000) == Array(repeating: mean, count: 800))
    let both = try reader.samples(0..<0.1, sampleRate: 8_000, channels: 2)
    #expect(both.prefix(2) == [1_000 / 32_768, 3_000 / 32_768] && both.count == 1_600)
    let three = try reader.samples(0..<0.1, sampleRate: 8_000, channels: 3)
    #expect(three == Array(repeating: mean, count: 2_400))
  }

  @Test("reads damage as silence, and refuses what cannot be")
  func damage() throws {
    let store = try SoundStore()
    let id = try store.record([
      .init(at: 0, [Self.pcm(Array(repeating: 100, count: 800)), Self.pcm([1, 2])])
    ])
    try store.flip(try store.reels(id)[0], at: try store.rows(id)[0].payloadOffset)
    let reader = try PCMReader(store.writer, id)
    let samples = try reader.samples(0..<802 / 8_000, sampleRate: 8_000)
    let expected = [Float](repeating: 0, count: 800) + [1 / 32_768, 2 / 32_768]
    #expect(samples == expected)
    for rate in [0, -1, Double.nan, 1] {
      let error = #expect(throws: HoldfastError.self) {
        try reader.samples(0..<1, sampleRate: rate)
      }
      #expect(error?.code == .invalidArgument)
    }
  }
}
