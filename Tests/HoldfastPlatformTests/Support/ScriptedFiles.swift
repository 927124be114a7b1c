import HoldfastModel
import HoldfastPlatform

/// The real file system, with a log of what changes it and a fault from a given change on.
final class ScriptedFiles: FileSystem {
  private let files = SystemFiles()
  private let state: Locked<State>
  struct State: Sendable {
    var log: [String] = []
    var changesLeft: UInt64
  }

  /// Lets so many changes through; every later call that would change something fails.
  init(changes: UInt64 = .max) { state = Locked(State(changesLeft: changes)) }

  /// What was changed, in order.
  var log: [String] { state.withLock { $0.log } }

  fileprivate func change(_ what: String) throws(FileFault) {
    let goes = state.withLock { state in
      guard state.changesLeft > 0 else { return false }
      state.changesLeft -= 1
      state.log.append(what)
      return true
    }
    if !goes { throw FileFault(errno: 5, operation: what, path: "scripted") }
  }

  func open(_ path: String, _ mode: OpenMode) throws(FileFault) -> any OpenFile {
    if mode.contains(.create) { try change("create") }
    return ScriptedFile(file: try files.open(path, mode), files: self)
  }
  func status(_ path: String) throws(FileFault) -> FileStatus? { try files.status(path) }
  func list(_ directory: String) throws(FileFault) -> [String] { try files.list(directory) }
  func freeBytes(_ path: String) throws(FileFault) -> UInt64 { try files.freeBytes(path) }
  func makeDirectory(_ path: String) throws(FileFault) {
    try change("make directory")
    try files.makeDirectory(path)
  }
  func rename(_ from: String, to: String) throws(FileFault) {
    try change("rename")
    try files.rename(from, to: to)
  }
  func link(_ from: String, to: String) throws(FileFault) {
    try change("link")
    try files.link(from, to: to)
  }
  func unlink(_ path: String) throws(FileFault) {
    try change("unlink")
    try files.unlink(path)
  }
  func removeDirectory(_ path: String) throws(FileFault) {
    try change("remove directory")
    try files.removeDirectory(path)
  }
  func syncDirectory(_ path: String) throws(FileFault) {
    try change(path.hasSuffix("..") ? "sync parent" : "sync directory")
    try files.syncDirectory(path)
  }
}

/// A file of ``ScriptedFiles``.
private final class ScriptedFile: OpenFile {
  private let file: any OpenFile
  private let files: ScriptedFiles
  var path: String { file.path }

  init(file: any OpenFile, files: ScriptedFiles) {
    self.file = file
    self.files = files
  }

  func size() throws(FileFault) -> UInt64 { try file.size() }
  func read(at offset: UInt64, count: Int64) throws(FileFault) -> [UInt8] {
    try file.read(at: offset, count: count)
  }
  func read(at offset: UInt64, into buffer: inout [UInt8]) throws(FileFault) -> Int64 {
    try file.read(at: offset, into: &buffer)
  }
  func write(_ bytes: Span<UInt8>, at offset: UInt64) throws(FileFault) {
    try files.change("write")
    try file.write(bytes, at: offset)
  }
  func sync() throws(FileFault) {
    try files.change("sync")
    try file.sync()
  }
  func truncate(to size: UInt64) throws(FileFault) { try file.truncate(to: size) }
  func allocate(_ size: UInt64) throws(FileFault) { try file.allocate(size) }
  func tryLock(exclusive: Bool) throws(FileFault) -> Bool { try file.tryLock(exclusive: exclusive) }
  func unlock() { file.unlock() }
  func close() { file.close() }
}
