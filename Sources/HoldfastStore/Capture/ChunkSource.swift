package import HoldfastAudio
import HoldfastModel

/// Cuts a file of audio into payloads of chunks, in bounded memory.
package struct ChunkSource {
  /// A payload to be journaled.
  package struct Piece: Sendable {
    package var payload: [UInt8]
    package var frames: UInt32
  }

  private let info: AudioFileInfo
  private let source: any ByteSource
  private let chunkFrames: UInt64
  private var position: UInt64
  private var packets: PacketReader?
  /// What is left of a packet that did not fit into the last payload.
  private var begun: AudioPacket?
  /// A packet larger than this is journaled in parts of it: an opaque payload may be one packet.
  static let largestPacket: UInt64 = 1 << 20
  /// Packets of a payload at most, whatever a file declares.
  private static let mostPackets = 65_536

  /// Begins at the audio's begin; a full chunk has `chunkFrames` sample frames.
  package init(
    _ info: AudioFileInfo, in source: any ByteSource, chunkFrames: UInt64
  ) throws(AudioError) {
    self.info = info
    self.source = source
    self.chunkFrames = max(chunkFrames, 1)
    position = info.dataOffset
    packets = info.format.isPCM ? nil : try PacketReader(info, in: source)
  }

  /// Bytes of the file that were taken so far, of ``AudioFileInfo/dataLength``.
  package var takenBytes: UInt64 { position - info.dataOffset }

  /// Passes over sample frames that are journaled already (plain PCM only).
  package mutating func skip(frames: UInt64) {
    position += min(frames * UInt64(info.format.bytesPerFrame), info.dataLength - takenBytes)
  }

  /// The next payload; nil after the last. Of plain PCM `frames` may be taken instead of a full
  /// chunk; packets are cut as always.
  package mutating func next(frames: UInt64? = nil) throws(AudioError) -> Piece? {
    if var reader = packets {
      let piece = try packetPiece(&reader)
      packets = reader
      return piece
    }
    let frameBytes = UInt64(info.format.bytesPerFrame)
    let left = info.dataLength - takenBytes
    let wanted = min((frames ?? chunkFrames) * frameBytes, left)
    guard wanted >= frameBytes else { return nil }
    let bytes = try source.read(at: position, count: Int64(wanted))
    let whole = UInt64(bytes.count) / frameBytes * frameBytes
    // A file that became shorter while it was read: what is there is taken.
    guard whole > 0 else { return nil }
    position += whole
    let payload = whole == UInt64(bytes.count) ? bytes : Array(bytes.prefix(Int(whole)))
    return Piece(payload: payload, frames: UInt32(whole / frameBytes))
  }

  private mutating func packetPiece(
    _ reader: inout PacketReader
  ) throws(AudioError) -> Piece? {
    var payload = PacketPayload()
    var bytes: UInt64 = 0
    while payload.frames < chunkFrames && bytes < Self.largestPacket
      && payload.packets.count < Self.mostPackets
    {
      let found: AudioPacket?
      if let begun { found = begun } else { found = try reader.next() }
      guard var packet = found else { break }
      let length = min(packet.length, Self.largestPacket)
      let part = try source.read(at: packet.offset, count: Int64(length))
      // A file that became shorter while it was read: what is there is taken.
      guard UInt64(part.count) == length else { break }
      packet.offset += length
      packet.length -= length
      begun = packet.length > 0 ? packet : nil
      payload.packets.append(
        .init(bytes: part, frames: begun == nil ? UInt32(clamping: packet.frames) : 0))
      bytes += length
      position = max(position, packet.offset)
    }
    guard !payload.packets.isEmpty else { return nil }
    return Piece(payload: payload.encoded, frames: UInt32(clamping: payload.frames))
  }
}
