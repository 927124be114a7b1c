package import HoldfastModel

/// A file system that does what another one does, asks the log's hook before each operation below
/// the log's root, and appends each change to the log.
package struct RecordingFiles: FileSystem {
  private let real: any FileSystem
  private let log: DiskLog

  /// Records what is done to `fileSystem` in `log`.
  package init(_ fileSystem: any FileSystem, log: DiskLog) {
    real = fileSystem
    self.log = log
  }

  package func open(_ path: String, _ mode: OpenMode) throws(FileFault) -> any OpenFile {
    guard let name = log.name(of: path) else { return try real.open(path, mode) }
    _ = try log.admit(.open(name))
    guard mode.contains(.create), try real.status(path) == nil else {
      let file = try real.open(path, mode)
      return RecordingFile(file, name: name, number: log.file(at: name), log: log)
    }
    let begun = try log.admit(.create(name))
    let file = try real.open(path, mode)
    let number = log.append(.create(name), begun: begun)
    return RecordingFile(file, name: name, number: number, log: log)
  }

  package func status(_ path: String) throws(FileFault) -> FileStatus? { try real.status(path) }

  package func list(_ directory: String) throws(FileFault) -> [String] { try real.list(directory) }

  package func freeBytes(_ path: String) throws(FileFault) -> UInt64 { try real.freeBytes(path) }

  package func makeDirectory(_ path: String) throws(FileFault) {
    try record(path, DiskOperation.makeDirectory) { () throws(FileFault) in
      try real.makeDirectory(path)
    }
  }

  package func rename(_ from: String, to: String) throws(FileFault) {
    let target = target(from, to)
    try record(from, { .rename($0, to: target) }) { () throws(FileFault) in
      try real.rename(from, to: to)
    }
  }

  package func link(_ from: String, to: String) throws(FileFault) {
    let target = target(from, to)
    try record(from, { .link($0, to: target) }) { () throws(FileFault) in
      try real.link(from, to: to)
    }
  }

  package func unlink(_ path: String) throws(FileFault) {
    try record(path, DiskOperation.unlink) { () throws(FileFault) in try real.unlink(path) }
  }

  package func removeDirectory(_ path: String) throws(FileFault) {
    try record(path, DiskOperation.removeDirectory) { () throws(FileFault) in
      try real.removeDirectory(path)
    }
  }

  package func syncDirectory(_ path: String) throws(FileFault) {
    try record(path, DiskOperation.syncDirectory) { () throws(FileFault) in
      try real.syncDirectory(path)
    }
  }

  /// The new path from the root on. Nothing may move over the edge of the tree: the log could not
  /// tell what came or went.
  private func target(_ from: String, _ to: String) -> String {
    let target = log.name(of: to)
    precondition(
      (target == nil) == (log.name(of: from) == nil), "\(from) to \(to) crosses the root")
    return target ?? to
  }

  /// Asks, does, appends.
  private func record(
    _ path: String, _ operation: (String) -> DiskOperation, _ body: () throws(FileFault) -> Void
  ) throws(FileFault) {
    guard let name = log.name(of: path) else { return try body() }
    let operation = operation(name)
    // The root itself comes and goes outside of the tree.
    if name.isEmpty, operation != .syncDirectory("") { return try body() }
    let begun = try log.admit(operation)
    try body()
    log.append(operation, begun: begun)
  }
}

extension DiskLog {
  /// Asks the hook and throws what it fails; answers how many entries there were then.
  func admit(_ operation: DiskOperation) throws(FileFault) -> Int {
    let (verdict, begun) = ask(operation)
    switch verdict {
    case .pass: return begun
    case .fail(let kind), .tear(_, let kind): throw .injected(kind, operation)
    }
  }
}
