package import HoldfastModel

/// The files and directories of a tree, with their bytes, as a value. Two names of one file are two
/// files here.
package struct DiskTree: Hashable, Sendable {
  /// The bytes of each file, by its path from the root.
  package var files: [String: [UInt8]]
  /// The path of each directory but the root.
  package var directories: Set<String>

  /// A tree from its parts; the default is an empty one.
  package init(files: [String: [UInt8]] = [:], directories: Set<String> = []) {
    self.files = files
    self.directories = directories
  }

  /// Reads a directory with everything in it, through a file system.
  package init(reading root: String, on fileSystem: some FileSystem) throws(FileFault) {
    self.init()
    try read(root, "", fileSystem)
  }

  private mutating func read(
    _ root: String, _ directory: String, _ fileSystem: some FileSystem
  ) throws(FileFault) {
    for name in try fileSystem.list(directory.isEmpty ? root : "\(root)/\(directory)") {
      let path = directory.isEmpty ? name : "\(directory)/\(name)"
      guard let status = try fileSystem.status("\(root)/\(path)") else { continue }
      switch status.kind {
      case .directory:
        directories.insert(path)
        try read(root, path, fileSystem)
      case .file:
        let file = try fileSystem.open("\(root)/\(path)", .read)
        defer { file.close() }
        files[path] = try file.read(at: 0, count: Int64(status.size))
      case .other: break
      }
    }
  }

  /// Writes the tree into a new directory, which must not exist. Nothing is synced.
  package func write(to root: String, on fileSystem: some FileSystem) throws(FileFault) {
    try fileSystem.makeDirectory(root)
    for directory in directories.sorted() {
      try fileSystem.makeDirectory("\(root)/\(directory)")
    }
    for (path, bytes) in files {
      let file = try fileSystem.open("\(root)/\(path)", [.create, .exclusive])
      defer { file.close() }
      try file.write(bytes, at: 0)
    }
  }
}
