import HoldfastModel

/// Room kept on the disk so that the last rows and a checkpoint can be committed when it is full
/// (J8).
///
/// Invariant: on a full disk the reserve is let go once, before a commit is given up; it is made
/// again only where there is room for it several times over.
enum Reserve {
  /// Makes the reserve unless it is there; on a small or filled disk a smaller one, or none.
  static func keep(
    _ layout: StoreLayout, _ environment: StoreEnvironment, bytes: UInt64
  ) {
    let files = environment.files
    guard bytes > 0, let free = try? files.freeBytes(layout.directory) else { return }
    if let found = try? files.status(layout.reserve), found.size > 0 { return }
    let size = min(bytes, free / 8)
    guard size >= 64 << 10, let file = try? files.open(layout.reserve, [.write, .create]) else {
      return
    }
    defer { file.close() }
    do { try file.allocate(size) } catch { try? files.unlink(layout.reserve) }
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
