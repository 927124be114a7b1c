/// Where the packet table of a CAF file lies.
struct CAFPacketTableChunk: Hashable {
  /// The first entry, behind the 24 bytes of the table's head.
  var offset: UInt64
  /// Bytes of the entries.
  var length: UInt64
  /// Packets, as declared: never more are read, and fewer when the bytes end.
  var count: UInt64
  /// Sample frames that the decoder is to drop at the begin and at the end.
  var priming: UInt32 = 0, remainder: UInt32 = 0
}

/// Walks the entries of a packet table in bounded memory.
struct CAFPacketWalk {
  private var window: SourceWindow
  private var position: UInt64
  private let end: UInt64
  private var left: UInt64
  private let packetLength: UInt32
  private let packetFrames: UInt32

  /// Begins at the first entry. Of `packetLength` and `packetFrames`, what is 0 stands in each
  /// entry.
  init(
    window: SourceWindow, table: CAFPacketTableChunk, packetLength: UInt32, packetFrames: UInt32
  ) {
    self.window = window
    position = table.offset
    end = table.offset.clampedSum(table.length)
    // A packet that takes no bytes of the table would be declared into being.
    left = packetLength > 0 && packetFrames > 0 ? 0 : table.count
    self.packetLength = packetLength
    self.packetFrames = packetFrames
  }

  /// Bytes and frames of the next packet; nil after the last, or where an entry is damaged.
  mutating func next() throws(AudioError) -> (length: UInt64, frames: UInt64)? {
    guard left > 0 else { return nil }
    left -= 1
    var length = UInt64(packetLength)
    var frames = UInt64(packetFrames)
    if packetLength == 0 {
      guard let value = try number() else { return nil }
      length = value
    }
    if packetFrames == 0 {
      guard let value = try number() else { return nil }
      frames = value
    }
    return (length, frames)
  }

  /// A number in groups of seven bits, the most significant first, all but the last with the high
  /// bit set. Longer than five bytes (32 bits) is damage.
  private mutating func number() throws(AudioError) -> UInt64? {
    let bytes = try window.bytes(at: position, count: min(5, end - min(end, position)))
    var value: UInt64 = 0
    for (index, byte) in bytes.enumerated() {
      value = value << 7 | UInt64(byte & 0x7F)
      if byte & 0x80 == 0 {
        position += UInt64(index) + 1
        return value
      }
    }
    left = 0
    return nil
  }
}
