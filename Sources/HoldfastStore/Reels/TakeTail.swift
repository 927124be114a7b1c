package import HoldfastModel

/// Where an index ends: everything before it is known.
package struct ReelPosition: Hashable, Sendable {
  /// The reel that holds the last known chunk.
  package var reel: UInt32
  /// Where that chunk's frame ends.
  package var offset: UInt64

  /// A place in a take's reels.
  package init(reel: UInt32, offset: UInt64) {
    self.reel = reel
    self.offset = offset
  }

  /// The place right after a chunk.
  package init(after record: ChunkRecord) { self.init(reel: record.reel, offset: record.end) }
}

/// What a scan found in one reel.
package struct ScannedReel: Hashable, Sendable {
  /// The reel.
  package var path: ReelPath
  /// What the reel says about itself; nil when that cannot be read.
  package var header: ReelHeader?
  /// Whether one bit of the header had to be mended to read it.
  package var headerIsMended = false
  /// Whole chunks found from where the scan began.
  package var chunks: UInt64 = 0
  /// Parts without a whole chunk.
  package var damaged: [DamagedRange] = []
  /// Where the last whole chunk ends.
  package var end: UInt64 = 0
  /// Bytes after `end` that are not zero: a write that did not complete.
  package var tornBytes: UInt64 = 0
  /// Bytes of the file. Less than where the scan began, when the file was cut.
  package var size: UInt64 = 0
  /// Why the header is missing, or why the scan stopped early; nil when neither.
  package var fault: ReelFault?

  /// Nothing found yet.
  package init(path: ReelPath) { self.path = path }

  /// Chunks that were written to their end, as what follows them or their last bytes show, and
  /// whose payload is damaged.
  package var damagedChunks: [ChunkRecord] {
    damaged.filter { $0.reason == .payload && ($0.offset < end || !$0.isTorn) }
      .compactMap(\.chunk)
  }
}

/// Finds the chunks of a take that stand in its reels and not in the index yet: what a dead process
/// recorded after its last batch of rows.
///
/// Invariant: from the given place on every byte is read once, so the cost is that of the tail. One
/// bad reel costs its own chunks only.
package struct TakeTail {
  /// What was found.
  package struct Salvage: Hashable, Sendable {
    /// Whole chunks, each sequence once, in their order.
    package var chunks: [ChunkRecord] = []
    /// Chunks that were written to their end and whose payload is damaged, with no whole copy, in
    /// their order.
    package var damaged: [ChunkRecord] = []
    /// The reels that were looked at, in their order.
    package var reels: [ScannedReel] = []

    /// The first reel that cannot be read now, and may hold more (J6).
    package var waiting: ReelFault? { reels.lazy.compactMap(\.fault).first(where: \.isWaiting) }

    /// Whether the system would not give all of it.
    var isPartial: Bool { reels.contains { $0.fault?.isOfSystem ?? false } }
  }

  private let directory: String
  private let files: any FileSystem
  private let hashing: any Hashing

  /// A scan of takes of the store in a directory.
  package init(directory: String, files: any FileSystem, hashing: any Hashing) {
    self.directory = directory
    self.files = files
    self.hashing = hashing
  }

  /// Looks from `start` on in that reel and in all later ones.
  ///
  /// Where two frames have one sequence, the one in the later reel counts: a reel that failed was
  /// followed by one that its chunks were written to again.
  ///
  /// - Parameters:
  ///   - take: the take.
  ///   - start: where the index ends; nil when it has no chunk of the take.
  ///   - check: which payloads are hashed.
  /// - Throws: when the take's directory cannot be listed. A take without one has no chunks.
  package func scan(
    take: TakeID, from start: ReelPosition?, check: PayloadCheck = .all
  ) throws(FileFault) -> Salvage {
    var salvage = Salvage()
    var found: [UInt64: ChunkRecord] = [:]
    for path in try reels(of: take) where path.reel >= start?.reel ?? 0 {
      let offset = path.reel == start?.reel ? start?.offset : nil
      let reel = ReelVisit(files: files, hashing: hashing, check: check)
        .scan(directory: directory, path: path, from: offset) { found[$0.sequence] = $0 }
      salvage.reels.append(reel)
    }
    salvage.chunks = found.values.sorted { $0.sequence < $1.sequence }
    var damaged: [UInt64: ChunkRecord] = [:]
    for reel in salvage.reels {
      for record in reel.damagedChunks where found[record.sequence] == nil {
        damaged[record.sequence] = record
      }
    }
    salvage.damaged = damaged.values.sorted { $0.sequence < $1.sequence }
    return salvage
  }

  private func reels(of take: TakeID) throws(FileFault) -> [ReelPath] {
    do throws(FileFault) {
      let parent = ReelPath.directory(of: take)
      return try files.list("\(directory)/\(parent)").compactMap { ReelPath("\(parent)/\($0)") }
        .sorted()
    } catch {
      if error.kind == .missing { return [] }
      throw error
    }
  }
}
