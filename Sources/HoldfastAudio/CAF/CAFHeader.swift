package import HoldfastModel

/// The sizes of a take's packets, gathered in a first pass, as a CAF packet table holds them.
///
/// Two to five bytes a packet: an hour of AAC takes about 350 KB.
package struct CAFPacketTable: Sendable {
  /// Packets so far.
  package private(set) var count: UInt64 = 0
  /// Bytes of all packets.
  package private(set) var dataLength: UInt64 = 0
  /// Sample frames of all packets.
  package private(set) var frames: UInt64 = 0
  /// Bytes of every packet, while they are alike.
  fileprivate var uniformLength: UInt64?
  /// The entries, encoded.
  fileprivate var entries: [UInt8] = []

  private let statesFrames: Bool

  /// An empty table; `format` says whether the sample frames of a packet are the codec's constant.
  package init(for format: AudioFormat) {
    statesFrames = format.framesPerPacket == 0
  }

  /// Takes the next packet: its bytes and its sample frames (below 2^32 both).
  package mutating func append(length: UInt32, frames: UInt32) {
    uniformLength = count == 0 || uniformLength == UInt64(length) ? UInt64(length) : nil
    count += 1
    dataLength += UInt64(length)
    self.frames += UInt64(frames)
    appendNumber(length)
    if statesFrames { appendNumber(frames) }
  }

  /// Groups of seven bits, the most significant first, all but the last with the high bit set.
  private mutating func appendNumber(_ value: UInt32) {
    var shift: UInt32 = 28
    while shift > 0, value >> shift == 0 { shift -= 7 }
    while shift > 0 {
      entries.append(UInt8(truncatingIfNeeded: value >> shift) | 0x80)
      shift -= 7
    }
    entries.append(UInt8(truncatingIfNeeded: value) & 0x7F)
  }
}

/// The bytes that stand before the packets of a codec in a CAF file (Apple, "Core Audio Format
/// Specification 1.0"). The packets follow as they came, and nothing after them.
package struct CAFHeader: Sendable {
  /// The whole header.
  package let bytes: [UInt8]

  /// A header for the packets of `table`; `priming` and `remainder` are the sample frames that the
  /// decoder is to drop at the ends.
  ///
  /// Throws ``AudioError/Code/unsupportedCodec`` for what is not packets of a codec with a name of
  /// at most four characters (plain PCM goes to WAV, an ADTS stream is a file as it is).
  package init(
    _ format: AudioFormat, table: CAFPacketTable, priming: UInt32 = 0, remainder: UInt32 = 0
  ) throws(AudioError) {
    let name = format.encoding.rawValue
    guard !format.isPCM, !format.isADTS, (1...4).contains(name.utf8.count) else {
      throw AudioError(
        .unsupportedCodec, "CAF is not written for '\(name)'. Export it as it came in.")
    }
    let packetLength = Self.constantLength(name, table)
    var bytes = Array("caff".utf8)
    bytes.appendBig(UInt16(1))
    bytes.appendBig(UInt16(0))
    bytes += Self.chunk("desc", Self.description(format, packetLength: packetLength))
    if !format.configuration.isEmpty { bytes += Self.chunk("kuki", format.configuration) }
    var head: [UInt8] = []
    head.appendBig(table.count)
    head.appendBig(table.frames - min(table.frames, UInt64(priming) + UInt64(remainder)))
    head.appendBig(priming)
    head.appendBig(remainder)
    let isConstant = packetLength > 0 && format.framesPerPacket > 0
    bytes += Self.chunk("pakt", head + (isConstant ? [] : table.entries))
    bytes += Array("data".utf8)
    bytes.appendBig(table.dataLength + 4)
    bytes.appendBig(UInt32(0))
    self.bytes = bytes
  }

  private static func chunk(_ id: FourCharacters, _ body: [UInt8]) -> [UInt8] {
    var bytes = id.bytes
    bytes.appendBig(UInt64(body.count))
    return bytes + body
  }

  private static func description(_ format: AudioFormat, packetLength: UInt32) -> [UInt8] {
    var body: [UInt8] = []
    body.appendBig(format.sampleRate.bitPattern)
    body += FourCharacters(text: format.encoding.rawValue).bytes
    body.appendBig(losslessDepth(format))
    body.appendBig(packetLength)
    body.appendBig(format.framesPerPacket)
    body.appendBig(format.channels)
    body.appendBig(UInt32(0))
    return body
  }

  /// Apple Lossless says its bit depth in the format flags too: 1…4 for 16, 20, 24, 32
  /// (`CoreAudioBaseTypes.h`). The depth is the sixth byte of its configuration, which older files
  /// wrap in two atoms of 24 bytes together (Apple's `ALACMagicCookieDescription.txt`).
  private static func losslessDepth(_ format: AudioFormat) -> UInt32 {
    guard format.encoding.rawValue == "alac" else { return 0 }
    let cookie = format.configuration
    let start = cookie.count >= 48 && FourCharacters(cookie, at: 4) == "frma" ? 24 : 0
    guard cookie.count >= start + 24 else { return 0 }
    switch cookie[start + 5] {
    case 16: return 1
    case 20: return 2
    case 24: return 3
    case 32: return 4
    default: return 0
    }
  }

  /// Codecs whose readers expect every packet to have the same stated size; the sizes of the rest
  /// go to the table even when they happen to be alike.
  private static func constantLength(_ name: String, _ table: CAFPacketTable) -> UInt32 {
    let constant: Set<String> = ["ima4", "agsm", "ilbc", "MAC3", "MAC6"]
    guard constant.contains(name), let length = table.uniformLength else { return 0 }
    return UInt32(length)
  }
}
