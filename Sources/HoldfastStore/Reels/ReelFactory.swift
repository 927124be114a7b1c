import HoldfastModel

/// Begins the reels of one take, and knows which directories do not durably name them yet.
///
/// Invariant (J2): when ``syncDirectories(in:)`` returned, every file begun before is named
/// durably, from the store's directory down.
struct ReelFactory {
  /// What every reel says.
  let template: ReelHeader
  /// The number of the reel that was begun last.
  private(set) var lastNumber: UInt32

  private let directory: String
  private let clock: any DeviceClock
  private let limits: ReelLimits
  private var hasDirectories = false
  private var unsynced: [String] = []

  /// How many numbers in a row may be taken already, by another writer of the same take.
  private static let triedNumbers = 4_096

  /// Begins reels below the store's directory.
  init(directory: String, clock: any DeviceClock, template: ReelHeader, limits: ReelLimits) {
    self.directory = directory
    self.clock = clock
    self.template = template
    self.limits = limits
    lastNumber = template.reel &- 1
  }

  /// Creates the next reel's file; its header is written with its first chunks.
  mutating func begin(
    with first: ChunkHeader, in files: any FileSystem
  ) throws(ReelFault) -> OpenReel {
    let file: any OpenFile
    do throws(FileFault) {
      try makeDirectories(in: files)
      file = try createFile(in: files)
    } catch {
      throw ReelFault(error)
    }
    if !unsynced.contains(takeDirectory) { unsynced.append(takeDirectory) }
    var header = template
    header.reel = lastNumber
    header.opened = clock.now()
    header.firstChunk = first.sequence
    header.firstFrame = first.firstFrame
    return OpenReel(file: file, number: lastNumber, head: try header.encoded(), limits: limits)
  }

  /// Makes durable the directories that are not.
  mutating func syncDirectories(in files: any FileSystem) throws(ReelFault) {
    while let next = unsynced.first {
      do throws(FileFault) {
        try files.syncDirectory(next)
      } catch {
        throw ReelFault(error)
      }
      unsynced.removeFirst()
    }
  }

  private var audioDirectory: String { "\(directory)/\(ReelPath.audioDirectory)" }
  private var takeDirectory: String { "\(directory)/\(ReelPath.directory(of: template.take))" }

  /// Makes the directories that are missing. Those that are there may have been made a moment ago
  /// by another writer, and be no safer than ours: all are synced once.
  private mutating func makeDirectories(in files: any FileSystem) throws(FileFault) {
    if hasDirectories { return }
    for path in [audioDirectory, takeDirectory] {
      do throws(FileFault) {
        try files.makeDirectory(path)
      } catch {
        guard error.kind == .exists else { throw error }
      }
    }
    hasDirectories = true
    unsynced = [directory, audioDirectory, takeDirectory]
  }

  /// Creates a file under the first free number.
  private mutating func createFile(in files: any FileSystem) throws(FileFault) -> any OpenFile {
    var tried = 0
    while true {
      lastNumber &+= 1
      tried += 1
      let path = "\(directory)/\(ReelPath(take: template.take, reel: lastNumber))"
      do throws(FileFault) {
        return try files.open(path, [.write, .create, .exclusive])
      } catch {
        guard error.kind == .exists, tried < Self.triedNumbers else { throw error }
      }
    }
  }
}
