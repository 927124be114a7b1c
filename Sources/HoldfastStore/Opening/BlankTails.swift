import HoldfastModel

/// The zeros with which a reel of a dead launch ends: room that it was grown by and that no chunk
/// came to fill.
struct BlankTail: Hashable, Sendable {
  /// The reel.
  let path: ReelPath
  /// Where its last whole frame ends: from there on nothing but zeros was seen.
  let end: UInt64

  /// The blank ends of reels that were scanned to their end.
  static func of(_ reels: [ScannedReel]) -> [BlankTail] {
    reels.filter {
      $0.fault == nil && $0.header?.local == true && $0.tornBytes == 0 && $0.end > 0
        && $0.size > $0.end
    }.map { BlankTail(path: $0.path, end: $0.end) }
  }
}

/// Cuts off blank ends.
///
/// Invariant (J4): zeros after the last whole frame are no audio, and nothing else is ever cut:
/// every byte is read again before. Called after recovery was committed, for launches that it found
/// dead; holds the writer lock. A reel that cannot be cut is none the worse for it.
enum BlankTails {
  private static let window: UInt64 = 256 << 10

  /// Cuts what still is as it was seen.
  static func cut(_ tails: [BlankTail], _ writer: StoreWriter) {
    guard !tails.isEmpty, (try? writer.database.lock.acquire()) != nil else { return }
    defer { writer.database.lock.release() }
    for tail in tails {
      try? cut(tail, writer.layout.directory, writer.environment.files)
    }
  }

  private static func cut(
    _ tail: BlankTail, _ directory: String, _ files: any FileSystem
  ) throws(FileFault) {
    let file = try files.open("\(directory)/\(tail.path)", .write)
    defer { file.close() }
    let size = try file.size()
    var offset = tail.end
    while offset < size {
      let bytes = try file.read(at: offset, count: Int64(min(window, size - offset)))
      guard !bytes.isEmpty, bytes.allSatisfy({ $0 == 0 }) else { return }
      offset += UInt64(bytes.count)
    }
    if size > tail.end { try file.truncate(to: tail.end) }
  }
}
