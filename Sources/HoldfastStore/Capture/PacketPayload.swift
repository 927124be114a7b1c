/// The payload of a chunk of packets: what a codec made, with the lengths that its container kept.
///
/// Plain PCM is journaled as its sample bytes. A codec's packets have lengths of their own, which
/// the container tells and the packets do not, so the payload begins with a table: the number of
/// packets, then length and sample frames of each (all UInt32, little-endian), then the packets as
/// they came.
package struct PacketPayload: Hashable, Sendable {
  /// One packet in the payload.
  package struct Packet: Hashable, Sendable {
    /// Bytes as they came.
    package var bytes: [UInt8]
    /// Sample frames that it decodes to; 0 when only the codec could tell.
    package var frames: UInt32

    package init(bytes: [UInt8], frames: UInt32) {
      self.bytes = bytes
      self.frames = frames
    }
  }

  package var packets: [Packet]

  package init(_ packets: [Packet] = []) { self.packets = packets }

  /// Sample frames of all packets.
  package var frames: UInt64 { packets.reduce(0) { $0 + UInt64($1.frames) } }

  /// The payload's bytes.
  package var encoded: [UInt8] {
    var bytes: [UInt8] = []
    Self.put(UInt32(packets.count), &bytes)
    for packet in packets {
      Self.put(UInt32(packet.bytes.count), &bytes)
      Self.put(packet.frames, &bytes)
    }
    for packet in packets { bytes += packet.bytes }
    return bytes
  }

  /// Reads a payload; nil when the table does not fit the bytes.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count >= 4 else { return nil }
    let count = UInt64(Self.get(bytes, 0))
    let table = 4 + count * 8
    guard table <= UInt64(bytes.count) else { return nil }
    var packets: [Packet] = []
    var position = table
    for index in 0..<count {
      let entry = Int(4 + index * 8)
      let length = UInt64(Self.get(bytes, entry))
      guard length <= UInt64(bytes.count) - position else { return nil }
      packets.append(
        Packet(
          bytes: Array(bytes[Int(position)..<Int(position + length)]),
          frames: Self.get(bytes, entry + 4)))
      position += length
    }
    guard position == UInt64(bytes.count) else { return nil }
    self.packets = packets
  }

  private static func put(_ number: UInt32, _ bytes: inout [UInt8]) {
    for shift in stride(from: 0, to: 32, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: number >> UInt32(shift)))
    }
  }

  private static func get(_ bytes: [UInt8], _ offset: Int) -> UInt32 {
    (0..<4).reversed().reduce(0) { $0 << 8 | UInt32(bytes[offset + $1]) }
  }
}
