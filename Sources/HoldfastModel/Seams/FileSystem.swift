/// How a file is opened.
package struct OpenMode: OptionSet, Hashable, Sendable {
  package let rawValue: UInt32
  package init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Reading (always possible with every mode).
  package static let read: OpenMode = []
  /// Writing too.
  package static let write = OpenMode(rawValue: 1)
  /// Created when absent, mode 0600; implies writing.
  package static let create = OpenMode(rawValue: 2)
  /// Must not exist yet (with ``create``).
  package static let exclusive = OpenMode(rawValue: 4)
}

/// What stands at a path.
package struct FileStatus: Hashable, Sendable {
  /// Kinds of directory entries that Holdfast tells apart.
  package enum Kind: Hashable, Sendable { case file, directory, other }
  /// File, directory or something else (a symbolic link is followed).
  package var kind: Kind
  /// Bytes of a file; of no meaning for the rest.
  package var size: UInt64
  /// The file system's number of the device.
  package var device: UInt64
  /// The file's number on its device.
  package var inode: UInt64
  /// Permission bits (07777).
  package var mode: UInt32
  /// When the bytes were last written: milliseconds since 1970. Never used for a decision.
  package var modifiedMilliseconds: Int64

  package init(
    kind: Kind, size: UInt64, device: UInt64, inode: UInt64, mode: UInt32,
    modifiedMilliseconds: Int64
  ) {
    self.kind = kind
    self.size = size
    self.device = device
    self.inode = inode
    self.mode = mode
    self.modifiedMilliseconds = modifiedMilliseconds
  }
}

/// The names of files, as a seam: the real one, a recording one, a failing one.
///
/// Paths are absolute or relative to the working directory, separated by "/", as ``PathText`` has
/// them. Every descriptor is close-on-exec. Directories are made with mode 0700, files with 0600.
package protocol FileSystem: Sendable {
  /// Opens a file; `mode` says how.
  func open(_ path: String, _ mode: OpenMode) throws(FileFault) -> any OpenFile
  /// What stands at the path; nil when nothing does.
  func status(_ path: String) throws(FileFault) -> FileStatus?
  /// The names in a directory, sorted, without "." and "..".
  func list(_ directory: String) throws(FileFault) -> [String]
  /// Makes one directory; fails with ``FileFault/Kind/exists`` when something stands there.
  func makeDirectory(_ path: String) throws(FileFault)
  /// Replaces `to` by `from` in one step; both on one file system.
  func rename(_ from: String, to: String) throws(FileFault)
  /// Gives a file a second name.
  func link(_ from: String, to: String) throws(FileFault)
  /// Removes a file's name.
  func unlink(_ path: String) throws(FileFault)
  /// Removes an empty directory.
  func removeDirectory(_ path: String) throws(FileFault)
  /// Makes the names in a directory durable (J2): fsync on the directory.
  func syncDirectory(_ path: String) throws(FileFault)
  /// Bytes that an ordinary user may still write on the file system of the path.
  func freeBytes(_ path: String) throws(FileFault) -> UInt64
}

/// An open file, as a seam. Calls may come from any thread, one at a time.
package protocol OpenFile: AnyObject, Sendable {
  /// The path it was opened by, for messages.
  var path: String { get }
  /// Bytes of the file now.
  func size() throws(FileFault) -> UInt64
  /// Up to `count` bytes from `offset`; fewer only at the end of the file.
  func read(at offset: UInt64, count: Int64) throws(FileFault) -> [UInt8]
  /// Fills `buffer` from `offset`; the answer is how many bytes there were, less than the buffer
  /// only at the end of the file.
  func read(at offset: UInt64, into buffer: inout [UInt8]) throws(FileFault) -> Int64
  /// Writes all the bytes at `offset`. After a throw any prefix may be there.
  func write(_ bytes: Span<UInt8>, at offset: UInt64) throws(FileFault)
  /// Writes the parts one after the other at `offset`, as one write of all of them.
  func write(parts: [[UInt8]], at offset: UInt64) throws(FileFault)
  /// Makes the bytes (and the size) power-safe: fdatasync, or F_FULLFSYNC on Apple platforms.
  /// A failed sync is final: the caller never retries on the same file (J2).
  func sync() throws(FileFault)
  /// Cuts or extends the file.
  func truncate(to size: UInt64) throws(FileFault)
  /// Reserves room so that writes below `size` cannot fail for want of it; the file's size grows to
  /// `size`, reading as zeros.
  func allocate(_ size: UInt64) throws(FileFault)
  /// `flock`: true when the lock is held afterwards. Never blocks.
  func tryLock(exclusive: Bool) throws(FileFault) -> Bool
  /// Who holds the file's lock, as the system tells it, for messages only: "process 12 (name)".
  /// Nil when it does not tell.
  func lockHolder() -> String?
  /// Gives the lock back. Closing does so too.
  func unlock()
  /// Closes the file; every later call fails. Idempotent.
  func close()
}

extension OpenFile {
  package func lockHolder() -> String? { nil }

  /// Joins the parts and writes them: for files that have no call for it.
  package func write(parts: [[UInt8]], at offset: UInt64) throws(FileFault) {
    try write(Array(parts.joined()).span, at: offset)
  }

  /// Writes an array's bytes at `offset`.
  package func write(_ bytes: [UInt8], at offset: UInt64) throws(FileFault) {
    try write(bytes.span, at: offset)
  }
}
