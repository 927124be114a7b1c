import HoldfastModel

/// A file of ``MemoryFiles``.
final class MemoryFile: OpenFile, @unchecked Sendable {
  let path: String
  private let files: MemoryFiles
  private let node: MemoryFiles.Node
  private let boot: Int
  private var isClosed = false

  init(_ files: MemoryFiles, path: String, node: MemoryFiles.Node, boot: Int) {
    self.files = files
    self.path = path
    self.node = node
    self.boot = boot
  }

  func size() throws(FileFault) -> UInt64 {
    try checkOpen()
    return UInt64(node.bytes.count)
  }

  func read(at offset: UInt64, count: Int64) throws(FileFault) -> [UInt8] {
    try checkOpen()
    return Array(try files.read(node, path, at: offset, count: Int(count)))
  }

  func read(at offset: UInt64, into buffer: inout [UInt8]) throws(FileFault) -> Int64 {
    try checkOpen()
    let found = try files.read(node, path, at: offset, count: buffer.count)
    MemoryFiles.copy(found, to: 0, in: &buffer)
    return Int64(found.count)
  }

  func write(_ bytes: Span<UInt8>, at offset: UInt64) throws(FileFault) {
    try checkOpen()
    try files.write(node, path, bytes.withUnsafeBufferPointer { Array($0) }, at: offset)
  }

  func sync() throws(FileFault) {
    try checkOpen()
    try files.sync(node, path)
  }

  func truncate(to size: UInt64) throws(FileFault) {
    try checkOpen()
    try files.resize("truncate", node, path, to: size)
  }

  func allocate(_ size: UInt64) throws(FileFault) {
    try checkOpen()
    try files.resize("allocate", node, path, to: max(size, UInt64(node.bytes.count)))
  }

  func tryLock(exclusive: Bool) throws(FileFault) -> Bool {
    try checkOpen()
    let me = ObjectIdentifier(self)
    guard node.locks.exclusive == nil || node.locks.exclusive == me,
      !exclusive || node.locks.shared.subtracting([me]).isEmpty
    else { return false }
    node.locks.exclusive = exclusive ? me : nil
    node.locks.shared = exclusive ? [] : node.locks.shared.union([me])
    return true
  }

  func unlock() {
    if node.locks.exclusive == ObjectIdentifier(self) { node.locks.exclusive = nil }
    node.locks.shared.remove(ObjectIdentifier(self))
  }

  func close() {
    unlock()
    isClosed = true
  }

  private func checkOpen() throws(FileFault) {
    guard !isClosed, files.isCurrent(boot) else { throw files.fault(.other, "use", path) }
  }
}
