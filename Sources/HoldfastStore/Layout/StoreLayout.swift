package import HoldfastModel

/// Where the parts of a store lie. Paths are made from the directory each time it is opened: no
/// absolute path is stored, since app containers move.
package struct StoreLayout: Hashable, Sendable {
  /// The store's directory, without a trailing "/".
  package let directory: String

  package init(_ directory: String) {
    var path = directory.isEmpty ? "." : directory
    while path.count > 1 && path.hasSuffix("/") { path.removeLast() }
    self.directory = path
  }

  /// The database that knows everything.
  package var database: String { directory + "/store.sqlite" }
  /// SQLite's write-ahead log.
  package var writeAheadLog: String { database + "-wal" }
  /// SQLite's shared index of the write-ahead log.
  package var sharedMemory: String { database + "-shm" }
  /// The lock under which writers and checkpoints exclude each other (J7).
  package var writerLock: String { directory + "/writer.lock" }
  /// Room kept for the last rows on a full disk (J8).
  package var reserve: String { directory + "/reserve" }
  /// Room kept for removing something when even that is gone.
  package var lastReserve: String { directory + "/reserve.last" }
  /// Reels.
  package var audio: String { directory + "/audio" }
  /// Launch files.
  package var launches: String { directory + "/launches" }
  /// Copies kept when commits were lost (J6).
  package var evidence: String { directory + "/evidence" }

  /// The file of one launch.
  package func launchFile(_ launch: LaunchID) -> String { "\(launches)/\(launch).launch" }

  /// The launch that a name in ``launches`` stands for; nil for any other file.
  package static func launch(fileName: String) -> LaunchID? {
    guard fileName.hasSuffix(".launch") else { return nil }
    return LaunchID(String(fileName.dropLast(7)))
  }
}
