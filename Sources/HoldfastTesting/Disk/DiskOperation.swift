/// One thing that is done to the files of a tree. Paths are relative to the tree's root, which is
/// the empty path.
package enum DiskOperation: Hashable, Sendable {
  /// A file comes to be, empty.
  case create(String)
  /// Bytes are written from an offset on.
  case write(String, offset: UInt64, bytes: [UInt8])
  /// The file is cut, or extended by zeros.
  case truncate(String, size: UInt64)
  /// The file is extended by zeros when it is shorter.
  case allocate(String, size: UInt64)
  /// The file's bytes and size are made durable.
  case sync(String)
  /// A file or directory gets another name, in place of what bore it.
  case rename(String, to: String)
  /// A file gets a second name.
  case link(String, to: String)
  /// A name of a file is removed.
  case unlink(String)
  /// A directory comes to be.
  case makeDirectory(String)
  /// An empty directory is removed.
  case removeDirectory(String)
  /// The names in a directory are made durable.
  case syncDirectory(String)
  /// A file is opened. Changes nothing: hooks see it, the log does not.
  case open(String)
  /// A file is read. Changes nothing: hooks see it, the log does not.
  case read(String, offset: UInt64, count: UInt64)
}

extension DiskOperation {
  /// The path that it is done to; the old one of a rename or link.
  package var path: String {
    switch self {
    case .create(let path), .write(let path, _, _), .truncate(let path, _),
      .allocate(let path, _), .sync(let path), .rename(let path, _), .link(let path, _),
      .unlink(let path), .makeDirectory(let path), .removeDirectory(let path),
      .syncDirectory(let path), .open(let path), .read(let path, _, _):
      path
    }
  }

  /// What it is called in a fault: "write", "sync" …
  package var verb: String {
    switch self {
    case .create: "create"
    case .write: "write"
    case .truncate: "truncate"
    case .allocate: "allocate"
    case .sync: "sync"
    case .rename: "rename"
    case .link: "link"
    case .unlink: "remove"
    case .makeDirectory: "make directory"
    case .removeDirectory: "remove directory"
    case .syncDirectory: "sync directory"
    case .open: "open"
    case .read: "read"
    }
  }

  /// Whether it changes the bytes of a file, so that a sync of the file makes it durable.
  package var changesData: Bool {
    switch self {
    case .write, .truncate, .allocate: true
    default: false
    }
  }
}

/// Arithmetic of relative paths.
enum DiskPath {
  /// The directory that a path lies in; the root is empty.
  static func parent(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "" }
    return String(path[..<slash])
  }

  /// The path without doubled, leading "./" and trailing slashes. ".." is not resolved.
  static func normalized(_ path: String) -> String {
    let parts = path.split(separator: "/").filter { $0 != "." }
    return (path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
  }

  /// The path from `root` on; nil when it lies elsewhere. Both are normalized.
  static func relative(_ path: String, to root: String) -> String? {
    if path == root { return "" }
    if root.isEmpty { return path.hasPrefix("/") ? nil : path }
    let start = root.hasSuffix("/") ? root : root + "/"
    return path.hasPrefix(start) ? String(path.dropFirst(start.count)) : nil
  }
}
