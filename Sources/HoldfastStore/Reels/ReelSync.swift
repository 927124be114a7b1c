import HoldfastModel

/// Makes reels power-safe that somebody else wrote: a process that died may have left frames that
/// only the system's memory holds.
///
/// Invariant (S11): an extent names chunks of reels that were written here and synced, or that this
/// made power-safe.
struct ReelSync {
  let directory: String
  let files: any FileSystem

  /// Syncs the reels of one take, and the directories that name them.
  ///
  /// - Returns: the reels that could not be synced; they are no less readable for it.
  func sync(_ take: TakeID, _ reels: [UInt32]) -> [UInt32] {
    guard !reels.isEmpty else { return [] }
    let parent = "\(directory)/\(ReelPath.directory(of: take))"
    do throws(FileFault) {
      for path in [parent, "\(directory)/\(ReelPath.audioDirectory)", directory] {
        try files.syncDirectory(path)
      }
    } catch { return reels }
    return reels.filter { !sync("\(directory)/\(ReelPath(take: take, reel: $0))") }
  }

  private func sync(_ path: String) -> Bool {
    guard let file = try? files.open(path, .write) else { return false }
    defer { file.close() }
    return (try? file.sync()) != nil
  }
}
