import HoldfastModel

/// Room kept on the disk for when it is full (J8), in two files.
///
/// | file | lets | used by |
/// |---|---|---|
/// | `reserve` | the last rows and a checkpoint be committed | every commit |
/// | `reserve.last` | the user free room: open the store, put into the trash, purge | these alone |
///
/// Invariants:
/// - On a full disk a reserve is let go before a commit is given up; it is made again where there
///   is room.
/// - What ends on a full disk without freeing anything leaves the last reserve as large as it found
///   it, but for what it really stored: the write-ahead log and the files of launches that were
///   recorded go back to the disk. So removal never runs out of room to begin.
enum Reserve {
  /// Bytes wanted for the last one: a launch file, and a write-ahead log of some pages.
  static let lastBytes: UInt64 = 256 << 10
  /// Less than this is not worth a file: the commits that end a take and its recording write some
  /// twenty pages of the log, with the indexes that a change stands in.
  private static let least: UInt64 = 96 << 10
  /// Less than this is not worth making one larger.
  private static let page: UInt64 = 4096

  /// Makes the reserves unless they are there; on a small or filled disk smaller ones, or none.
  ///
  /// - Parameters:
  ///   - bytes: what is wanted of the ordinary one; 0: no reserves at all.
  ///   - released: what this process let go of the last one, and may take back.
  static func keep(
    _ layout: StoreLayout, _ environment: StoreEnvironment, bytes: UInt64, released: UInt64 = 0
  ) {
    guard bytes > 0 else { return }
    let files = environment.files
    // The last one first: a store that cannot be emptied is worse than one that is full.
    make(layout.lastReserve, min(lastBytes, bytes), layout, files) { there, free in
      max((there + free) / 4 * 3, there + min(free, released))
    }
    // A share of all that is not in use, so that opening again and again does not eat the rest.
    make(layout.reserve, bytes, layout, files) { there, free in (there + free) / 4 }
  }

  /// Makes one, or makes one larger that had to be made too small.
  ///
  /// - Parameter most: the most bytes it may have, given its own and the free ones.
  private static func make(
    _ path: String, _ wanted: UInt64, _ layout: StoreLayout, _ files: any FileSystem,
    atMost most: (_ there: UInt64, _ free: UInt64) -> UInt64
  ) {
    guard let free = try? files.freeBytes(layout.directory) else { return }
    let there = ((try? files.status(path)) ?? nil)?.size ?? 0
    let size = min(wanted, most(there, free))
    guard size >= max(least, there + page),
      let file = try? files.open(path, [.write, .create])
    else { return }
    defer { file.close() }
    do { try file.allocate(size) } catch {
      // What stood before is there still.
      if there == 0 { try? files.unlink(path) }
    }
  }

  /// Lets one go.
  ///
  /// - Returns: its bytes; nil when there was none.
  static func release(_ path: String, _ environment: StoreEnvironment) -> UInt64? {
    do {
      guard let status = try environment.files.status(path) else { return nil }
      try environment.files.unlink(path)
      return status.size
    } catch { return nil }
  }
}
