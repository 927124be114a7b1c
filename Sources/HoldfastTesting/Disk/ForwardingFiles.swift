package import HoldfastModel

/// A file system that does what another one does, but for the calls that it has itself.
package protocol ForwardingFiles: FileSystem {
  /// The other one.
  var real: any FileSystem { get }
}

extension ForwardingFiles {
  package func open(_ path: String, _ mode: OpenMode) throws(FileFault) -> any OpenFile {
    try real.open(path, mode)
  }
  package func status(_ path: String) throws(FileFault) -> FileStatus? { try real.status(path) }
  package func list(_ directory: String) throws(FileFault) -> [String] { try real.list(directory) }
  package func makeDirectory(_ path: String) throws(FileFault) { try real.makeDirectory(path) }
  package func rename(_ from: String, to: String) throws(FileFault) {
    try real.rename(from, to: to)
  }
  package func link(_ from: String, to: String) throws(FileFault) { try real.link(from, to: to) }
  package func unlink(_ path: String) throws(FileFault) { try real.unlink(path) }
  package func removeDirectory(_ path: String) throws(FileFault) { try real.removeDirectory(path) }
  package func syncDirectory(_ path: String) throws(FileFault) { try real.syncDirectory(path) }
  package func freeBytes(_ path: String) throws(FileFault) -> UInt64 { try real.freeBytes(path) }
}
