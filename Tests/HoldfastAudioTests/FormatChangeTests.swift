import HoldfastAudio
import HoldfastModel
import Testing

/// Files in which the format changes: every run of audio is found (a route change makes them).
@Suite struct FormatChangeTests {
  private func run(
    _ count: Int, rate: UInt8, channels: UInt8 = 1, seed: UInt64
  ) -> [UInt8] {
    var dice = Dice(seed)
    return (0..<count).flatMap { _ in
      ADTSBuilder.frame(&dice, rate: rate, channels: channels, payload: dice.number(1...700))
    }
  }

  @Test("An AAC stream is cut into runs where its configuration changes, and back")
  func runs() throws {
    let parts = [
      run(40, rate: 8, seed: 1), run(30, rate: 3, seed: 2), run(1, rate: 4, channels: 2, seed: 3),
    ]
    let bytes = parts[0] + parts[1] + parts[0] + parts[2]
    let info = try probe(bytes)
    #expect(info.runs.map { $0.audio(of: bytes) } == [parts[0], parts[1], parts[0], parts[2]])
    #expect(info.runs.map(\.format.sampleRate) == [16_000, 48_000, 16_000, 44_100])
    #expect(info.runs.map(\.format.channels) == [1, 1, 1, 2])
    #expect(info.runs.map(\.frames) == [40, 30, 40, 1].map { $0 * 1_024 })
    #expect(info.codes == ["formatChange"] && info.unusedTail == 0)
    for run in info.runs {
      #expect(try packets(run, bytes).reduce(0) { $0 + $1.length } == run.dataLength)
    }
  }

  @Test("Damage between runs and a cut end are named as such")
  func damaged() throws {
    let (first, second) = (run(20, rate: 8, seed: 4), run(20, rate: 3, seed: 5))
    let bytes = first + [UInt8](repeating: 0, count: 90_000) + second + second.prefix(50)
    let info = try probe(bytes)
    #expect(info.runs.map { $0.audio(of: bytes) }.first == first)
    #expect(info.further.map(\.dataOffset) == [UInt64(first.count + 90_000)])
    #expect(info.codes == ["damagedPackets", "formatChange", "partialFrame"])
    #expect(
      info.oddities.contains {
        $0.message.hasSuffix("skipped because they are no AAC frame: 90000.")
      })
  }

  @Test("One frame whose header was damaged is no change of format")
  func oneDamagedHeader() throws {
    var dice = Dice(6)
    var frames = (0..<30).map { _ in ADTSBuilder.frame(&dice, payload: 200) }
    frames[10][2] ^= 4 << 2
    let info = try probe(frames.flatMap { $0 })
    #expect(info.further.isEmpty && info.codes == ["damagedPackets"])
    #expect(info.frames == 29 * 1_024)
  }

  @Test("A further chunk of a WAV file has the format that stands before it")
  func wave() throws {
    var builder = WAVBuilder(audio: [1, 2, 3, 4])
    builder.last = [
      .init(id: "fmt ", body: WAVBuilder(channels: 2, rate: 8_000).formatBody),
      .init(id: "data", body: [5, 6, 7, 8, 9]),
    ]
    let info = try probe(builder.bytes)
    #expect(info.further.map { $0.audio(of: builder.bytes) } == [[5, 6, 7, 8]])
    #expect(info.further.map(\.format.channels) == [2])
    #expect(
      info.codes == ["formatChange", "partialFrame", "repeatedFormat", "severalDataChunks"])
    builder.last[0].body[0] = 0x55
    #expect(refusal(builder.bytes) == "unsupportedCodec")
  }
}
