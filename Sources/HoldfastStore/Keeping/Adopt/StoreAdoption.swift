package import HoldfastModel
import HoldfastSQLite

/// Takes in reels that no row knows, or that have what this store lost.
///
/// Invariants:
/// - A chunk is taken in only after its header and its hash were checked, and its row follows when
///   its bytes are power-safe. Reels that are here are never written over.
/// - Adopting twice is adopting once; a chunk that is here and whole stays as it is, whatever is
///   handed in for it.
/// - Audio of purged recordings is refused (J4); so is what a living launch records (L1).
package enum StoreAdoption {
  /// What became of one given reel.
  package struct Item: Sendable {
    /// The path as it was given.
    package var path: String
    /// The take that it is of; nil when that cannot be read.
    package var take: TakeID?
    /// The recording that the take belongs to; nil when that is not known.
    package var recording: RecordingID?
    /// Chunks that had no row.
    package var added: UInt64 = 0
    /// Chunks that were damaged or missing here and are whole now (J5).
    package var healed: UInt64 = 0
    /// Chunks that were here and whole already.
    package var known: UInt64 = 0
    /// Chunks that are here with other audio; ours stay.
    package var differing: UInt64 = 0
    /// Parts of the reel that hold no whole chunk.
    package var damaged: UInt64 = 0
    /// Why it was refused; nil when it was not.
    package var refusal: String?
    /// The fault that kept it, or the rest of it, out; nil when there was none.
    package var fault: HoldfastError?

    /// Nothing is known of the path yet.
    init(path: String) { self.path = path }

    /// Whether it changed anything here.
    package var isNews: Bool { added + healed > 0 }
  }

  /// Takes in reels.
  ///
  /// A fault concerns the reels of its take only, and is told by their items; one that the others
  /// would meet too (a full disk, a lock) is told by theirs as well. What was taken in is kept, and
  /// the same call goes on.
  ///
  /// - Parameter paths: ``AdoptionPaths/reels``.
  /// - Returns: an item a path, in their order.
  /// - Throws: `inputRefused` when there is no reel at all.
  package static func run(
    _ paths: [String], _ writer: StoreWriter
  ) throws(HoldfastError) -> [Item] {
    guard !paths.isEmpty else {
      throw HoldfastError(
        .inputRefused, "There is no reel in what was given.",
        hint: "A reel is a file audio/TAKE/NNNN of a store; audio files are imported.")
    }
    var adoption = TakeAdoption(writer)
    for path in paths { adoption.add(path) }
    adoption.run()
    return paths.compactMap { adoption.items[$0] }
  }
}
