package import HoldfastModel

/// A chunk to be written: an immutable piece of a take.
package struct ChunkInput: Hashable, Sendable {
  /// The chunk's number within its take, from 0.
  package var sequence: UInt64
  /// The first sample frame, counted within the take.
  package var firstFrame: UInt64
  /// Sample frames of the payload; 0 is allowed.
  package var frames: UInt32
  /// The bytes as they came from the codec; may be empty.
  package var payload: [UInt8]
  /// The payload's SHA-256 when the caller has it already (hashed while an earlier chunk was being
  /// synced, or verified on receipt); nil lets the writer compute it.
  package var sha256: Digest?
  /// The audio system's own clock at the first sample frame, in its ticks; nil when it gives none.
  package var hostTime: UInt64?

  /// A chunk to be written.
  package init(
    sequence: UInt64, firstFrame: UInt64, frames: UInt32, payload: [UInt8],
    sha256: Digest? = nil, hostTime: UInt64? = nil
  ) {
    self.sequence = sequence
    self.firstFrame = firstFrame
    self.frames = frames
    self.payload = payload
    self.sha256 = sha256
    self.hostTime = hostTime
  }
}

/// Where a chunk lies, and what it is: one row of the index.
package struct ChunkRecord: Hashable, Sendable {
  /// The take it belongs to.
  package var take: TakeID
  /// Its number within the take.
  package var sequence: UInt64
  /// The reel that holds it.
  package var reel: UInt32
  /// Where its frame (header first) begins in the reel, in bytes.
  package var offset: UInt64
  /// Bytes of the payload.
  package var length: UInt32
  /// The first sample frame, counted within the take.
  package var firstFrame: UInt64
  /// Sample frames.
  package var frames: UInt32
  /// SHA-256 of the payload.
  package var sha256: Digest

  /// A row of the index.
  package init(
    take: TakeID, sequence: UInt64, reel: UInt32, offset: UInt64, length: UInt32,
    firstFrame: UInt64, frames: UInt32, sha256: Digest
  ) {
    self.take = take
    self.sequence = sequence
    self.reel = reel
    self.offset = offset
    self.length = length
    self.firstFrame = firstFrame
    self.frames = frames
    self.sha256 = sha256
  }

  /// The row of the chunk whose header stands at `offset`.
  init(_ header: ChunkHeader, at offset: UInt64) {
    self.init(
      take: header.take, sequence: header.sequence, reel: header.reel, offset: offset,
      length: header.length, firstFrame: header.firstFrame, frames: header.frames,
      sha256: header.sha256)
  }

  /// Where its payload begins in the reel, in bytes.
  package var payloadOffset: UInt64 { offset + ChunkHeader.byteCount }
  /// Where its frame ends and the next may begin, in bytes.
  package var end: UInt64 { payloadOffset + UInt64(length) }
}
