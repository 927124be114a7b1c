import HoldfastAudio

/// Writes CAF files, right and wrong.
struct CAFBuilder {
  var rate = 48_000.0
  var codec = "lpcm"
  var flags: UInt64 = 2
  var packetLength: UInt64 = 4
  var packetFrames: UInt64 = 1
  var channels: UInt64 = 2
  var bits: UInt64 = 16
  var cookie: [UInt8] = []
  /// Sizes and frames of packets; nil writes no table.
  var packets: [(length: UInt64, frames: UInt64)]?
  var tableCount: UInt64?
  var priming: UInt64 = 0
  var audio: [UInt8] = []
  /// The size of the audio chunk as declared; nil is the true one, −1 "to the end".
  var declared: Int64?
  /// Whether table and cookie stand behind the audio.
  var isTableLast = false
  var last: [UInt8] = []

  static func chunk(_ id: String, _ body: [UInt8]) -> [UInt8] {
    .text(id) + .big(UInt64(body.count), 8) + body
  }

  static func number(_ value: UInt64) -> [UInt8] {
    var bytes: [UInt8] = [UInt8(value & 0x7F)]
    var rest = value >> 7
    while rest > 0 {
      bytes.insert(UInt8(rest & 0x7F) | 0x80, at: 0)
      rest >>= 7
    }
    return bytes
  }

  var bytes: [UInt8] {
    var file: [UInt8] = .text("caff") + [0, 1, 0, 0]
    var description: [UInt8] = .big(rate.bitPattern, 8) + .text(codec) + .big(flags, 4)
    description += .big(packetLength, 4) + .big(packetFrames, 4)
    description += .big(channels, 4) + .big(bits, 4)
    file += Self.chunk("desc", description)
    let extra = (cookie.isEmpty ? [] : Self.chunk("kuki", cookie)) + table
    file += isTableLast ? Self.chunk("free", [0, 0, 0]) : extra
    file += .text("data")
    file += .big(UInt64(bitPattern: declared ?? Int64(audio.count + 4)), 8) + [0, 0, 0, 0] + audio
    return file + (isTableLast ? extra : []) + last
  }

  private var table: [UInt8] {
    guard let packets else { return [] }
    let total = packets.reduce(0) { $0 + $1.frames }
    var body: [UInt8] =
      .big(tableCount ?? UInt64(packets.count), 8) + .big(total - min(total, priming), 8)
    body += .big(priming, 4) + .big(0, 4)
    for packet in packets {
      if packetLength == 0 { body += Self.number(packet.length) }
      if packetFrames == 0 { body += Self.number(packet.frames) }
    }
    return Self.chunk("pakt", body)
  }
}

/// All packets of a probed file.
func packets(_ info: AudioFileInfo, _ bytes: [UInt8]) throws -> [AudioPacket] {
  var reader = try PacketReader(info, in: ArrayByteSource(bytes))
  var packets: [AudioPacket] = []
  while let packet = try reader.next() { packets.append(packet) }
  return packets
}
