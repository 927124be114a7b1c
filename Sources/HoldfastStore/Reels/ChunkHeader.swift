package import HoldfastModel

/// The head of a chunk's frame in a reel; the payload follows it at once.
///
/// Ninety-six bytes, integers most significant byte first:
///
/// | at | bytes | field |
/// |---|---|---|
/// | 0 | 4 | magic F7 43 48 4B |
/// | 4 | 16 | take |
/// | 20 | 4 | reel number |
/// | 24 | 8 | sequence |
/// | 32 | 8 | first sample frame |
/// | 40 | 4 | sample frames |
/// | 44 | 4 | bytes of the payload |
/// | 48 | 8 | host time |
/// | 56 | 4 | flags: 1 = the host time is known; the others are 0 and ignored |
/// | 60 | 32 | SHA-256 of the payload |
/// | 92 | 4 | CRC-32C of the 92 bytes before |
///
/// Invariant: the frame names the file that it was written for (take and reel), so stale bytes of
/// another take, or of another reel of this one, are never taken for it.
package struct ChunkHeader: Hashable, Sendable {
  /// Bytes of every chunk header.
  package static let byteCount: UInt64 = 96
  /// The bytes that every frame begins with.
  static let magic: [UInt8] = [0xF7, 0x43, 0x48, 0x4B]
  private static let hostTimeKnown: UInt32 = 1

  /// The take that the chunk belongs to.
  package var take: TakeID
  /// The reel that the frame was written for.
  package var reel: UInt32
  /// The chunk's number within its take.
  package var sequence: UInt64
  /// The first sample frame, counted within the take.
  package var firstFrame: UInt64
  /// Sample frames; 0 is allowed.
  package var frames: UInt32
  /// Bytes of the payload.
  package var length: UInt32
  /// The audio system's own clock at the first sample frame, in its ticks; nil when unknown.
  package var hostTime: UInt64?
  /// SHA-256 of the payload.
  package var sha256: Digest

  /// A chunk's header.
  package init(
    take: TakeID, reel: UInt32, sequence: UInt64, firstFrame: UInt64, frames: UInt32,
    length: UInt32, hostTime: UInt64?, sha256: Digest
  ) {
    self.take = take
    self.reel = reel
    self.sequence = sequence
    self.firstFrame = firstFrame
    self.frames = frames
    self.length = length
    self.hostTime = hostTime
    self.sha256 = sha256
  }

  /// Reads the header that the slice begins with; nil when it is short, is no chunk header, or
  /// fails its CRC.
  package init?(decoding bytes: ArraySlice<UInt8>) {
    let count = Int(Self.byteCount)
    guard bytes.count >= count, bytes.starts(with: Self.magic) else { return nil }
    let checked = ReelBytes.part(of: bytes, at: 0, count: count - 4)
    guard CRC32C.checksum(checked.span) == ReelBytes.integer(in: bytes, at: count - 4) else {
      return nil
    }
    let flags: UInt32 = ReelBytes.integer(in: bytes, at: 56)
    self.init(
      take: TakeID(
        high: ReelBytes.integer(in: bytes, at: 4), low: ReelBytes.integer(in: bytes, at: 12)),
      reel: ReelBytes.integer(in: bytes, at: 20),
      sequence: ReelBytes.integer(in: bytes, at: 24),
      firstFrame: ReelBytes.integer(in: bytes, at: 32),
      frames: ReelBytes.integer(in: bytes, at: 40),
      length: ReelBytes.integer(in: bytes, at: 44),
      hostTime: flags & Self.hostTimeKnown == 0 ? nil : ReelBytes.integer(in: bytes, at: 48),
      sha256: Digest(
        ReelBytes.integer(in: bytes, at: 60), ReelBytes.integer(in: bytes, at: 68),
        ReelBytes.integer(in: bytes, at: 76), ReelBytes.integer(in: bytes, at: 84)))
  }

  /// Reads the header that the slice begins with, in which one bit is flipped; nil when the damage
  /// is another one. Only the payload's hash proves it: other damage can look like it.
  package init?(mending bytes: ArraySlice<UInt8>) {
    let count = Int(Self.byteCount)
    guard bytes.count >= count else { return nil }
    var frame = Array(ReelBytes.part(of: bytes, at: 0, count: count))
    guard let bit = SingleFlip.find(in: frame[...]) else { return nil }
    frame[bit / 8] ^= 1 << (bit % 8)
    self.init(decoding: frame[...])
  }

  /// Puts the header's 96 bytes at the end of the buffer.
  package func encode(into buffer: inout [UInt8]) {
    let start = buffer.count
    buffer.append(contentsOf: Self.magic)
    buffer.append(bigEndian: take.high)
    buffer.append(bigEndian: take.low)
    buffer.append(bigEndian: reel)
    buffer.append(bigEndian: sequence)
    buffer.append(bigEndian: firstFrame)
    buffer.append(bigEndian: frames)
    buffer.append(bigEndian: length)
    buffer.append(bigEndian: hostTime ?? 0)
    buffer.append(bigEndian: hostTime == nil ? 0 : Self.hostTimeKnown)
    let (first, second, third, fourth) = sha256.fourWords
    for word in [first, second, third, fourth] { buffer.append(bigEndian: word) }
    let check = CRC32C.checksum(buffer.span.extracting(start..<buffer.count))
    buffer.append(bigEndian: check)
  }
}
