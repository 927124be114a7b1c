import HoldfastModel
import HoldfastPlatform
import HoldfastTesting

/// A seeded series of file operations, through open files that are renamed, linked and removed
/// meanwhile. What the file system refuses is refused, and must leave no trace in the log.
struct RandomSession {
  private let files: any FileSystem
  private let root: String
  private var dice: Dice
  private let links: Bool
  private var open: [any OpenFile] = []

  /// A session; `links` says whether files get second names, which a tree read from a disk loses.
  init(_ files: any FileSystem, root: String, seed: UInt64, links: Bool = true) {
    self.files = files
    self.root = root
    self.links = links
    dice = Dice(seed)
  }

  /// Does so many operations.
  mutating func run(_ count: Int) {
    for _ in 0..<count { try? step() }
  }

  /// Syncs every file and every directory.
  func syncAll() throws {
    let tree = try DiskTree(reading: root, on: files)
    for path in tree.files.keys {
      let file = try files.open("\(root)/\(path)", .write)
      try file.sync()
      file.close()
    }
    for path in tree.directories { try files.syncDirectory("\(root)/\(path)") }
    try files.syncDirectory(root)
  }

  private mutating func step() throws {
    switch Int.random(in: 0..<16, using: &dice) {
    case 0, 1: open.append(try files.open(path(), .create))
    case 2: open.append(try files.open(path(), [.create, .exclusive]))
    case 3: open.append(try files.open(path(), .write))
    case 4, 5, 6:
      let count = Int.random(in: 0..<2_000, using: &dice)
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &dice) }
      try anyFile()?.write(bytes, at: UInt64.random(in: 0..<3_000, using: &dice))
    case 7: try anyFile()?.truncate(to: UInt64.random(in: 0..<4_000, using: &dice))
    case 8: try anyFile()?.allocate(UInt64.random(in: 1..<4_000, using: &dice))
    case 9: try anyFile()?.sync()
    case 10: try files.rename(path(), to: path())
    case 11 where links: try files.link(path(), to: path())
    case 12: try files.unlink(path())
    case 13: try files.makeDirectory(directory())
    case 14: try files.removeDirectory(directory())
    default: try files.syncDirectory(Bool.random(using: &dice) ? root : directory())
    }
  }

  private mutating func anyFile() -> (any OpenFile)? { open.randomElement(using: &dice) }

  private mutating func directory() -> String {
    "\(root)/" + (["d", "e", "d/f"].randomElement(using: &dice) ?? "d")
  }

  private mutating func path() -> String {
    let name = ["a", "b", "c", "d"].randomElement(using: &dice) ?? "a"
    return Bool.random(using: &dice) ? "\(root)/\(name)" : directory() + "//./" + name
  }
}
