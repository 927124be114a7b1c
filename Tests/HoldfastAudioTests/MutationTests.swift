import HoldfastAudio
import HoldfastModel
import Testing

/// No input of any kind crashes, hangs, or makes memory grow by what it declares.
@Suite struct MutationTests {
  /// Files of every kind that is read, none longer than a few kilobytes.
  private static let originals: [[UInt8]] = {
    var dice = Dice(77)
    var files = CaseFiles.names.compactMap { try? Array(CaseFiles.bytes($0).prefix(700)) }
    for kind in WAVBuilder.Kind.all {
      var builder = WAVBuilder(kind: kind, channels: 2, formatLength: 40)
      builder.first = [.init(id: "JUNK", body: dice.bytes(9), isPadded: false)]
      builder.last = [.init(id: "LIST", body: dice.bytes(20)), .init(id: "data", body: [1])]
      builder.audio = dice.bytes(320)
      files.append(builder.bytes)
    }
    var long = WAVBuilder(head: "BW64", audio: dice.bytes(200), declared: 0xFFFF_FFFF)
    long.ds64 = (400, 200)
    files.append(long.bytes)
    for length in [0, 34] as [UInt64] {
      var caf = CAFBuilder(codec: "aac ", packetLength: length, packetFrames: length * 2)
      caf.packets = (0..<20).map { (UInt64($0 * 9), 1_024) }
      caf.audio = dice.bytes(20 * 19 / 2 * 9)
      caf.cookie = dice.bytes(20)
      files += [caf.bytes, CAFBuilder(audio: dice.bytes(300), isTableLast: true).bytes]
    }
    let stream = ADTSBuilder.frames(12, seed: 3).flatMap { $0 }
    files += [stream, .text("ID3") + [4, 0, 0, 0, 0, 0, 5, 1, 2, 3, 4, 5] + stream]
    return files
  }()

  @Test("A mutated file is read within its bounds or refused", arguments: 0..<25)
  func mutated(_ seed: Int) throws {
    var dice = Dice(UInt64(1_000 + seed))
    for _ in 0..<200 {
      var bytes = dice.pick(Self.originals)
      for _ in 0..<dice.number(1...6) { mutate(&bytes, &dice) }
      try check(bytes)
      try checkPipe(bytes, piece: dice.pick([13, 100, 5_000]))
    }
  }

  /// Numbers on which size arithmetic breaks, and bits, cuts, repeats.
  private func mutate(_ bytes: inout [UInt8], _ dice: inout Dice) {
    guard !bytes.isEmpty else { return }
    // Headers are where the damage matters.
    let place = dice.number(0...min(bytes.count, dice.pick([64, 100, 5_000])) - 1)
    switch dice.number(0...6) {
    case 0: bytes[place] ^= 1 << UInt8(dice.number(0...7))
    case 1: bytes[place] = dice.pick([0, 0x7F, 0x80, 0xFF])
    case 2: bytes = Array(bytes.prefix(place))
    case 3: bytes.removeSubrange(place..<min(bytes.count, place + dice.number(1...9)))
    case 4: bytes.insert(contentsOf: dice.bytes(dice.number(1...9)), at: place)
    case 5:
      let number = dice.pick([0, 1, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, 0xFFFF_FFF7])
      for index in 0..<min(4, bytes.count - place) {
        bytes[place + index] = UInt8(truncatingIfNeeded: number >> (8 * index))
      }
    default:
      for index in place..<min(place + 8, bytes.count) { bytes[index] = dice.pick([0xFF, 0x7F]) }
    }
  }

  private func check(_ bytes: [UInt8]) throws {
    let info: AudioFileInfo
    do throws(AudioError) {
      info = try probe(bytes)
    } catch {
      #expect(error.code != .source)
      return
    }
    #expect(info.dataOffset + info.dataLength + info.unusedTail <= UInt64(bytes.count))
    #expect(info.format.channels > 0)
    #expect(info.format.sampleRate > 0)
    if info.format.isPCM {
      #expect(info.frames == info.dataLength / UInt64(info.format.bytesPerFrame))
      #expect(info.packets == nil)
      return
    }
    var reader = try PacketReader(info, in: ArrayByteSource(bytes))
    var (last, frames, count) = (info.dataOffset, UInt64(0), 0)
    while let packet = try reader.next() {
      #expect(packet.offset >= last)
      last = packet.offset + packet.length
      frames += packet.frames
      count += 1
      #expect(count <= bytes.count)
    }
    #expect(last <= info.dataOffset + info.dataLength)
    #expect(info.frames == nil || info.frames == frames)
  }

  private func checkPipe(_ bytes: [UInt8], piece: Int) throws {
    let info = try? probe(bytes)
    do {
      let piped = try Piped(bytes, piece: piece)
      #expect(piped.audio == info?.audio(of: bytes))
      #expect(piped.parser.format == info?.format)
    } catch {
      #expect(error is AudioError)
      let needsSeeking = info?.codes.contains("dataBeforeFormat") ?? true
      #expect(needsSeeking || info?.container == .caf || info?.container == .adts)
    }
  }
}
