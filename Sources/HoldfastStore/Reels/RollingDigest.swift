package import HoldfastModel

/// The digest of an extent: of chunks 0…n of a take, folded over their hashes.
///
/// D₀ is 32 zero bytes; Dₙ = SHA-256(Dₙ₋₁ ‖ SHA-256 of the chunk ‖ first sample frame ‖ sample
/// frames), integers most significant byte first. So two replicas that name the same digest hold
/// the same sound at the same places, and a longer extent is computed from a shorter one.
package struct RollingDigest: Sendable {
  /// The digest of the chunks taken so far.
  package private(set) var value: Digest
  /// How many chunks were taken: the sequence that the next must have.
  package private(set) var chunks: UInt64
  private let hashing: any Hashing

  /// The digest of no chunk, or of an extent computed before.
  package init(hashing: any Hashing, value: Digest = .zero, chunks: UInt64 = 0) {
    self.hashing = hashing
    self.value = value
    self.chunks = chunks
  }

  /// Takes the next chunk. False, and nothing changes, when the chunk is not the next one.
  package mutating func append(_ record: ChunkRecord) -> Bool {
    guard record.sequence == chunks else { return false }
    var folded = value.bytes
    folded.reserveCapacity(2 * Digest.byteCount + 12)
    folded += record.sha256.bytes
    folded.append(bigEndian: record.firstFrame)
    folded.append(bigEndian: record.frames)
    value = hashing.sha256(folded)
    chunks += 1
    return true
  }
}
