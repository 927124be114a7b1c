import HoldfastModel

/// Room kept on the disk so that the last rows and a checkpoint can be committed when it is full
/// (J8), and so that recordings can then be removed.
///
/// Invariant: on a full disk the reserve is let go once, before a commit is given up. It is made
/// again whenever the store is opened or closed with room for it: what a take that met a full disk
/// used of it is freed by the checkpoint at its close.
enum Reserve {
  /// What opening a store and removing a recording write at most, with room to spare: a launch file
  /// (64 KiB), and two commits (measured: 150 KiB).
  private static let wanted: UInt64 = 512 << 10
  /// Less is of no use.
  private static let least: UInt64 = 64 << 10

  /// Makes the reserve, or a larger one where the disk has room now. On a small or filled disk it
  /// is an eighth of the room that is left, but most of it for what removal needs.
  static func keep(
    _ layout: StoreLayout, _ environment: StoreEnvironment, bytes: UInt64
  ) {
    let files = environment.files
    guard bytes > 0, let free = try? files.freeBytes(layout.directory) else { return }
    let found = ((try? files.status(layout.reserve)) ?? nil)?.size ?? 0
    let room = free + found
    let size = min(bytes, max(room / 8, min(wanted, room - room / 8)))
    guard size >= least, size > found,
      let file = try? files.open(layout.reserve, [.write, .create])
    else { return }
    defer { file.close() }
    do { try file.allocate(size) } catch {
      if found == 0 { try? files.unlink(layout.reserve) }
    }
  }

  /// Lets the reserve go.
  ///
  /// - Returns: whether there was one.
  static func release(_ layout: StoreLayout, _ environment: StoreEnvironment) -> Bool {
    do {
      try environment.files.unlink(layout.reserve)
      return true
    } catch { return false }
  }
}
