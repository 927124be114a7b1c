import HoldfastAudio
import HoldfastModel
import Testing

/// AAC in ADTS: what a killed recorder leaves is still a stream.
@Suite struct ADTSReadingTests {
  @Test("A stream gives its rate, channels, frames and packets", arguments: [1, 2, 3, 200])
  func whole(_ count: Int) throws {
    let frames = ADTSBuilder.frames(count, seed: UInt64(count), channels: 2)
    let bytes = frames.flatMap { $0 }
    let info = try probe(bytes)
    #expect(info.container == .adts)
    #expect(info.format.encoding == .aac)
    #expect(info.format.isADTS)
    #expect(info.format.sampleRate == 16_000)
    #expect(info.format.channels == 2)
    #expect(info.format.framesPerPacket == 1_024)
    #expect(info.frames == UInt64(count) * 1_024)
    #expect(info.oddities.isEmpty)
    #expect(try packets(info, bytes).map(\.length) == frames.map { UInt64($0.count) })
  }

  @Test("Two streams of one kind have one format, though their frames differ")
  func format() throws {
    let one = try probe(ADTSBuilder.frames(5, seed: 1).flatMap { $0 })
    let other = try probe(ADTSBuilder.frames(9, seed: 2).flatMap { $0 })
    #expect(one.format == other.format)
  }

  @Test("Frames of several blocks and with a check value are counted")
  func blocks() throws {
    var dice = Dice(4)
    let frames = [1, 2, 4].map {
      ADTSBuilder.frame(&dice, payload: 90, blocks: $0, hasCheck: $0 == 2)
    }
    let info = try probe(frames.flatMap { $0 })
    #expect(info.frames == 7 * 1_024)
    #expect(info.format.framesPerPacket == 0)
    #expect(info.oddities.isEmpty)
  }

  @Test("A cut last frame is left out and named, at any byte")
  func cut() throws {
    let frames = ADTSBuilder.frames(4, seed: 11)
    let whole = frames.prefix(3).flatMap { $0 }
    for length in 1..<frames[3].count {
      let bytes = whole + frames[3].prefix(length)
      let info = try probe(bytes)
      #expect(info.frames == 3 * 1_024, "\(length)")
      #expect(info.unusedTail == UInt64(length))
      #expect(info.codes == ["partialFrame"])
      #expect(try packets(info, bytes).count == 3)
    }
    #expect(refusal(Array(frames[0].dropLast())) == "truncatedHeader")
  }

  @Test("After damage the stream is found again", arguments: 0..<40)
  func damage(_ seed: Int) throws {
    var dice = Dice(UInt64(seed))
    var frames = ADTSBuilder.frames(60, seed: UInt64(seed))
    let hit = dice.number(5...40)
    let skipped: Int
    switch seed % 4 {
    case 0:  // overwritten
      frames[hit] = frames[hit].map { _ in 0xAA }
      skipped = frames[hit].count
    case 1:  // the begin of a frame lost
      frames[hit] = Array(frames[hit].dropFirst(3))
      skipped = frames[hit].count
    case 2:  // a hole of zeros between frames
      frames.insert(Array(repeating: 0, count: 150_000), at: hit)
      skipped = 150_000
    default:  // a header that says 96 bytes too many
      let length = frames[hit].count + 96
      frames[hit][3] = frames[hit][3] & 0xFC | UInt8(length >> 11)
      frames[hit][4] = UInt8(length >> 3 & 0xFF)
      skipped = frames[hit].count
    }
    let bytes = frames.flatMap { $0 }
    let info = try probe(bytes)
    let whole = UInt64(seed % 4 == 2 ? 60 : 59)
    #expect(info.frames == whole * 1_024)
    #expect(info.codes == ["damagedPackets"])
    #expect(info.oddities.first?.message.hasSuffix(": \(skipped).") == true)
    #expect(try packets(info, bytes).count == Int(whole))
  }

  @Test("Tags in front and behind are no part of the stream")
  func tags() throws {
    let stream = ADTSBuilder.frames(10, seed: 6).flatMap { $0 }
    let id3: [UInt8] = .text("ID3") + [4, 0, 0, 0, 0, 1, 72] + Array(repeating: 1, count: 200)
    let old: [UInt8] = .text("TAG") + Array(repeating: 32, count: 125)
    let bytes = id3 + stream + old
    let info = try probe(bytes)
    #expect(info.dataOffset == 210)
    #expect(info.audio(of: bytes) == stream)
    #expect(info.oddities.isEmpty)
    #expect(refusal(id3) == "truncatedHeader")
  }

  @Test("A stream that begins inside a frame is found")
  func beginsInside() throws {
    let frames = ADTSBuilder.frames(10, seed: 12)
    let bytes = Array(frames.flatMap { $0 }.dropFirst(20))
    let info = try probe(bytes)
    #expect(info.frames == 9 * 1_024)
    #expect(info.codes == ["damagedPackets"])
    #expect(info.dataOffset == UInt64(frames[0].count - 20))
  }

  @Test("AAC without stated channels is refused by name")
  func noChannels() {
    let bytes = ADTSBuilder.frames(4, seed: 1, channels: 0).flatMap { $0 }
    #expect(refusal(bytes) == "unsupportedCodec")
  }
}
