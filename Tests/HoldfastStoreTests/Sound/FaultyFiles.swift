import HoldfastModel
import HoldfastPlatform

/// The device's files, in which files become shorter when they are told to.
final class ShrinkingFiles: WrappedFiles, @unchecked Sendable {
  private let size: UInt64
  private let isShrunk = Locked(false)

  init(to size: UInt64) { self.size = size }

  func shrink() { isShrunk.withLock { $0 = true } }

  override func wrap(_ file: any OpenFile) -> any OpenFile { Shrinking(file, self) }

  private final class Shrinking: WrappedFile, @unchecked Sendable {
    private let owner: ShrinkingFiles

    init(_ file: any OpenFile, _ owner: ShrinkingFiles) {
      self.owner = owner
      super.init(file)
    }

    override func size() throws(FileFault) -> UInt64 {
      let size = try super.size()
      return owner.isShrunk.withLock { $0 } ? min(size, owner.size) : size
    }

    override func read(at offset: UInt64, count: Int64) throws(FileFault) -> [UInt8] {
      let end = try size()
      return try super.read(at: offset, count: Int64(min(UInt64(count), end - min(offset, end))))
    }
  }
}

/// The device's files, of which reels find the disk full after some bytes.
final class FullDisk: WrappedFiles, @unchecked Sendable {
  private let room: Locked<UInt64>

  init(room: UInt64) { self.room = Locked(room) }

  override func wrap(_ file: any OpenFile) -> any OpenFile {
    file.path.contains("/audio/") ? Full(file, self) : file
  }

  private final class Full: WrappedFile, @unchecked Sendable {
    private let owner: FullDisk

    init(_ file: any OpenFile, _ owner: FullDisk) {
      self.owner = owner
      super.init(file)
    }

    override func write(_ bytes: Span<UInt8>, at offset: UInt64) throws(FileFault) {
      let count = UInt64(bytes.count)
      let fits = owner.room.withLock { room in
        guard room >= count else { return false }
        room -= count
        return true
      }
      guard fits else {
        throw FileFault(
          kind: .full, operation: "write", path: path, errno: 28, reason: "No space left on device")
      }
      try super.write(bytes, at: offset)
    }
  }
}

/// The device's files, to be changed by subclasses.
class WrappedFiles: FileSystem, @unchecked Sendable {
  private let files = SystemFiles()

  func wrap(_ file: any OpenFile) -> any OpenFile { file }

  func open(_ path: String, _ mode: OpenMode) throws(FileFault) -> any OpenFile {
    wrap(try files.open(path, mode))
  }
  func status(_ path: String) throws(FileFault) -> FileStatus? { try files.status(path) }
  func list(_ directory: String) throws(FileFault) -> [String] { try files.list(directory) }
  func makeDirectory(_ path: String) throws(FileFault) { try files.makeDirectory(path) }
  func rename(_ from: String, to: String) throws(FileFault) { try files.rename(from, to: to) }
  func link(_ from: String, to: String) throws(FileFault) { try files.link(from, to: to) }
  func unlink(_ path: String) throws(FileFault) { try files.unlink(path) }
  func removeDirectory(_ path: String) throws(FileFault) { try files.removeDirectory(path) }
  func syncDirectory(_ path: String) throws(FileFault) { try files.syncDirectory(path) }
  func freeBytes(_ path: String) throws(FileFault) -> UInt64 { try files.freeBytes(path) }
}

/// An open file of the device, to be changed by subclasses.
class WrappedFile: OpenFile, @unchecked Sendable {
  private let file: any OpenFile

  init(_ file: any OpenFile) { self.file = file }

  var path: String { file.path }
  func size() throws(FileFault) -> UInt64 { try file.size() }
  func read(at offset: UInt64, count: Int64) throws(FileFault) -> [UInt8] {
    try file.read(at: offset, count: count)
  }
  func read(at offset: UInt64, into buffer: inout [UInt8]) throws(FileFault) -> Int64 {
    try file.read(at: offset, into: &buffer)
  }
  func write(_ bytes: Span<UInt8>, at offset: UInt64) throws(FileFault) {
    try file.write(bytes, at: offset)
  }
  func sync() throws(FileFault) { try file.sync() }
  func truncate(to size: UInt64) throws(FileFault) { try file.truncate(to: size) }
  func allocate(_ size: UInt64) throws(FileFault) { try file.allocate(size) }
  func tryLock(exclusive: Bool) throws(FileFault) -> Bool { try file.tryLock(exclusive: exclusive) }
  func unlock() { file.unlock() }
  func close() { file.close() }
}
