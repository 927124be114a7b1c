/// One packet of a codec, as it lies in its file.
package struct AudioPacket: Hashable, Sendable {
  /// Where it begins in the file.
  package var offset: UInt64
  /// Bytes.
  package var length: UInt64
  /// Sample frames that it decodes to; 0 when only the codec could tell.
  package var frames: UInt64

  package init(offset: UInt64, length: UInt64, frames: UInt64) {
    self.offset = offset
    self.length = length
    self.frames = frames
  }
}

/// How the packets of a file are found.
package enum PacketLayout: Hashable, Sendable {
  /// All packets alike: `length` bytes and `frames` sample frames each.
  case constant(length: UInt32, frames: UInt32)
  /// A CAF packet table: `count` entries in `length` bytes at `offset` in the file. What is 0 here
  /// (`packetLength`, `packetFrames`) stands in each entry.
  case table(
    offset: UInt64, length: UInt64, count: UInt64, packetLength: UInt32, packetFrames: UInt32)
  /// AAC frames with their own headers, one packet each.
  case adts
  /// Nobody can tell: the payload is one packet as it came.
  case opaque
}

/// Walks the packets of a probed file in order, in bounded memory.
package struct PacketReader {
  private enum Walk {
    case constant(length: UInt64, frames: UInt64)
    case table(CAFPacketWalk)
    case adts(ADTSWalk)
    case opaque
  }

  private var walk: Walk
  private var position: UInt64
  private let end: UInt64

  /// Begins at the first packet. Plain PCM has no packets: the reader is at its end at once.
  package init(_ info: AudioFileInfo, in source: any ByteSource) throws(AudioError) {
    position = info.dataOffset
    end = info.dataOffset.clampedSum(info.dataLength)
    switch info.packets {
    case .constant(let length, let frames):
      walk = .constant(length: UInt64(length), frames: UInt64(frames))
    case .table(let offset, let length, let count, let packetLength, let packetFrames):
      walk = .table(
        CAFPacketWalk(
          window: try SourceWindow(source, blockSize: SourceWindow.maximum),
          table: CAFPacketTableChunk(offset: offset, length: length, count: count),
          packetLength: packetLength, packetFrames: packetFrames))
    case .adts:
      walk = .adts(
        ADTSWalk(
          window: try SourceWindow(source, blockSize: SourceWindow.maximum),
          position: position, end: end))
    case .opaque:
      walk = .opaque
    case nil:
      walk = .opaque
      position = end
    }
  }

  /// The next packet, or nil after the last.
  package mutating func next() throws(AudioError) -> AudioPacket? {
    switch walk {
    case .constant(let length, let frames):
      guard length > 0 else { return nil }
      return take(length: length, frames: frames)
    case .table(var table):
      let entry = try table.next()
      walk = .table(table)
      guard let entry else { return nil }
      return take(length: entry.length, frames: entry.frames)
    case .adts(var adts):
      let packet = try adts.next()
      walk = .adts(adts)
      return packet
    case .opaque:
      guard position < end else { return nil }
      return take(length: end - position, frames: 0)
    }
  }

  private mutating func take(length: UInt64, frames: UInt64) -> AudioPacket? {
    guard length <= end - position else { return nil }
    defer { position += length }
    return AudioPacket(offset: position, length: length, frames: frames)
  }
}
