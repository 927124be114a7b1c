import HoldfastModel

/// A chunk that waits to be written.
struct QueuedChunk {
  /// Its header; the reel is set when it is written.
  var header: ChunkHeader
  /// Its bytes.
  var payload: [UInt8]
  /// Whether the caller was told that it is written, in a reel that ended since. Such a chunk is
  /// the writer's to look after; any other is still the caller's when the call fails.
  var reported: Bool
}

/// The chunks that stand in the open reel and are not power-safe yet, oldest first.
///
/// Invariant: after ``report(keeping:)`` the payloads in memory are at most the given bound; the
/// newest are kept, since the oldest had the most time to reach the medium.
struct ChunksAtRisk {
  /// One of them.
  struct Entry {
    /// The header it was written with.
    var header: ChunkHeader
    /// Where it stands.
    var record: ChunkRecord
    /// Its bytes; nil when they were let go to bound memory.
    var payload: [UInt8]?
    /// Whether the caller was told that it is written.
    var reported: Bool
  }

  /// The chunks, oldest first.
  private(set) var entries: [Entry] = []
  private var bytesInMemory: UInt64 = 0
  private var trimmed = 0

  /// Takes a chunk that was just written.
  mutating func add(_ chunk: QueuedChunk, at record: ChunkRecord) {
    entries.append(
      Entry(
        header: chunk.header, record: record, payload: chunk.payload, reported: chunk.reported))
    bytesInMemory += UInt64(chunk.payload.count)
  }

  /// Marks all as told to the caller, and lets the oldest payloads go until the bound is kept.
  mutating func report(keeping bound: UInt64) {
    for index in entries.indices.reversed() {
      if entries[index].reported { break }
      entries[index].reported = true
    }
    while bytesInMemory > bound, trimmed < entries.count {
      bytesInMemory -= UInt64(entries[trimmed].payload?.count ?? 0)
      entries[trimmed].payload = nil
      trimmed += 1
    }
  }

  /// All are power-safe, or are somebody else's care now.
  mutating func removeAll() {
    entries.removeAll(keepingCapacity: true)
    bytesInMemory = 0
    trimmed = 0
  }
}
