// Invariant: a file or directory is its number; names point at it. So a write through a file that
// was opened before it was renamed or removed changes that file and no other, and a directory that
// moved is still the one whose sync makes its names durable: in the log as on a disk.

/// A file or a directory, by its number.
enum DiskNode: Hashable, Sendable {
  /// A file; the numbers begin with 1.
  case file(UInt64)
  /// A directory; the root is 0.
  case directory(UInt64)

  /// The number.
  var number: UInt64 {
    switch self {
    case .file(let number), .directory(let number): number
    }
  }
}

/// A name in a directory.
struct DiskPlace: Hashable, Sendable {
  /// The number of the directory.
  var directory: UInt64
  /// The last part of the path.
  var name: String
}

/// A change of names, freed from paths, which mean something else at another time.
struct NameChange: Hashable, Sendable {
  /// The file or directory whose name changes.
  var node: DiskNode
  /// The name that goes.
  var old: DiskPlace?
  /// The name that comes.
  var new: DiskPlace?

  /// The directory whose sync makes it durable: where the name comes, else where it goes.
  var directory: UInt64 { (new ?? old)?.directory ?? 0 }
}

/// The names of a tree.
struct DiskNames: Sendable {
  /// The names in each directory, by its number. A directory without a name stays here.
  private var directories: [UInt64: [String: DiskNode]] = [0: [:]]

  /// The names of a tree. Its files, then its directories, are numbered from 1 in the order of
  /// their paths.
  init(_ tree: DiskTree) {
    let paths = tree.files.keys.sorted() + tree.directories.sorted()
    let numbers = Dictionary(uniqueKeysWithValues: zip(paths, UInt64(1)...))
    for path in tree.directories.sorted() + tree.files.keys.sorted() {
      guard let number = numbers[path], let place = place(of: path) else { continue }
      let isFile = tree.files[path] != nil
      apply(NameChange(node: isFile ? .file(number) : .directory(number), new: place))
    }
  }

  /// What stands at a path.
  subscript(path: String) -> DiskNode? {
    if path.isEmpty { return .directory(0) }
    return place(of: path).flatMap { directories[$0.directory]?[$0.name] }
  }

  /// The directory and the name in it that a path means; nil when there is no such directory.
  private func place(of path: String) -> DiskPlace? {
    var parts = path.split(separator: "/").map(String.init)
    guard let name = parts.popLast() else { return nil }
    var directory: UInt64 = 0
    for part in parts {
      guard case .directory(let next) = directories[directory]?[part] else { return nil }
      directory = next
    }
    return DiskPlace(directory: directory, name: name)
  }

  /// What an operation changes about names; nil when nothing. `number` is for what comes to be.
  func change(by operation: DiskOperation, number: UInt64) -> NameChange? {
    switch operation {
    case .create(let path): NameChange(node: .file(number), new: place(of: path))
    case .makeDirectory(let path): NameChange(node: .directory(number), new: place(of: path))
    case .unlink(let path), .removeDirectory(let path):
      self[path].map { NameChange(node: $0, old: place(of: path)) }
    case .link(let from, let to): self[from].map { NameChange(node: $0, new: place(of: to)) }
    case .rename(let from, let to):
      self[from].flatMap { node in
        // POSIX: where both are names of one file, both stay.
        self[to] == node
          ? nil : NameChange(node: node, old: place(of: from), new: place(of: to))
      }
    default: nil
    }
  }

  /// Whether a change by the operation lacks the directory that its new name is in.
  func isHomeless(_ operation: DiskOperation) -> Bool {
    switch operation {
    case .create(let path), .makeDirectory(let path), .link(_, let path), .rename(_, let path):
      place(of: path) == nil
    default: false
    }
  }

  /// Makes a change. A name that no longer means the node (an earlier change is missing, after a
  /// crash) is left alone.
  mutating func apply(_ change: NameChange) {
    if case .directory(let number) = change.node, directories[number] == nil {
      directories[number] = [:]
    }
    if let old = change.old, directories[old.directory]?[old.name] == change.node {
      directories[old.directory]?[old.name] = nil
    }
    if let new = change.new { directories[new.directory]?[new.name] = change.node }
  }

  /// Makes a directory known without giving it a name.
  mutating func admit(_ node: DiskNode) { apply(NameChange(node: node)) }

  /// Every path that leads from the root to something.
  func paths() -> [String: DiskNode] {
    var found: [String: DiskNode] = [:]
    collect(0, prefix: "", into: &found)
    return found
  }

  private func collect(_ directory: UInt64, prefix: String, into found: inout [String: DiskNode]) {
    for (name, node) in directories[directory] ?? [:] {
      found[prefix + name] = node
      if case .directory(let number) = node {
        collect(number, prefix: prefix + name + "/", into: &found)
      }
    }
  }
}
