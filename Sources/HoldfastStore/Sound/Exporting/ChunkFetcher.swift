import HoldfastModel

/// Reads the payloads of chunks and compares each with its hash. One reel is open at a time.
final class ChunkFetcher {
  /// What stands where a chunk should be.
  enum Finding {
    /// Its payload, and whether the header around it is damaged.
    case payload([UInt8], headerIsDamaged: Bool)
    /// Bytes that are not the chunk's.
    case damaged
    /// No bytes.
    case missing
  }

  private let directory: String
  private let environment: StoreEnvironment
  private var reel: (path: ReelPath, reader: ReelReader)?

  init(_ store: any StoreRows) {
    directory = store.layout.directory
    environment = store.environment
  }

  /// Reads a chunk.
  ///
  /// - Throws: when it cannot be said what stands there (a locked device, no descriptors). A medium
  ///   that fails at the chunk is damage.
  func fetch(_ record: ChunkRecord) throws(HoldfastError) -> Finding {
    do {
      switch try reader(record).readChunk(record, verify: true) {
      case .ok(let payload): return .payload(payload, headerIsDamaged: false)
      case .damagedHeader(.some(let payload)): return .payload(payload, headerIsDamaged: true)
      case .damagedHeader, .damagedPayload, .cut: return .damaged
      case .absent: return .missing
      }
    } catch {
      guard error.code == .medium else { throw StoreFaults.error(error) }
      return .damaged
    }
  }

  private func reader(_ record: ChunkRecord) -> ReelReader {
    let path = ReelPath(take: record.take, reel: record.reel)
    if let reel, reel.path == path { return reel.reader }
    let reader = ReelReader(
      directory: directory, reel: path, files: environment.files, hashing: environment.hashing)
    reel = (path, reader)
    return reader
  }
}
