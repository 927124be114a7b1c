import CHoldfastPlatform
package import HoldfastModel

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The file system of the device.
///
/// Invariants:
/// 1. No descriptor made here reaches a program that this process starts (O_CLOEXEC at the open).
/// 2. Only regular files are opened: a pipe or a device in a file's place is refused, never waited
///    for.
/// 3. A path with a NUL in it is refused: the system would take the part before it.
/// 4. Names are ``PathText``: those that are no UTF-8 are found and opened too.
package struct SystemFiles: FileSystem {
  /// The file system of the device, paths as the process sees them.
  package init() {}

  package func open(_ path: String, _ mode: OpenMode) throws(FileFault) -> any OpenFile {
    var (flags, operation) = (O_RDONLY, "read")
    if mode.contains(.create) {
      flags = O_RDWR | O_CREAT | (mode.contains(.exclusive) ? O_EXCL : 0)
      operation = "create"
    } else if mode.contains(.write) {
      (flags, operation) = (O_RDWR, "write")
    }
    var descriptor: Int32 = -1
    // O_NONBLOCK means nothing to a regular file, and keeps the open from waiting at a pipe.
    try call(operation, path) {
      unsafe hf_open(cPath(path), flags | O_NONBLOCK | O_NOCTTY, 0o600, &descriptor)
    }
    // From here on the file closes what it owns.
    let file = SystemFile(path: path, descriptor: descriptor)
    switch try file.status().kind {
    case .file: return file
    case .directory: throw FileFault(errno: EISDIR, operation: "open", path: path)
    case .other:
      throw FileFault(
        kind: .wrongType, operation: "open", path: path, errno: 0, reason: "Not a regular file")
    }
  }

  package func status(_ path: String) throws(FileFault) -> FileStatus? {
    var found = hf_file_status()
    do throws(FileFault) {
      try call("look at", path) { unsafe hf_status_at(cPath(path), &found) }
    } catch {
      guard error.kind == .missing else { throw error }
      return nil
    }
    return FileStatus(found)
  }

  package func list(_ directory: String) throws(FileFault) -> [String] {
    var handle: OpaquePointer?
    try call("list", directory) { unsafe hf_directory_open(cPath(directory), &handle) }
    guard let handle = unsafe handle else { return [] }
    defer { unsafe hf_directory_close(handle) }
    var names: [String] = []
    while true {
      var name: UnsafePointer<CChar>?
      let code = unsafe hf_directory_next(handle, &name)
      guard code == 0 else { throw FileFault(errno: code, operation: "list", path: directory) }
      guard let name = unsafe name else { break }
      let bytes = unsafe UnsafeRawBufferPointer(start: name, count: strlen(name))
      names.append(PathText.text(of: unsafe Array(bytes)))
    }
    return names.filter { $0 != "." && $0 != ".." }.sorted()
  }

  package func makeDirectory(_ path: String) throws(FileFault) {
    try call("make directory", path) { unsafe hf_make_directory(cPath(path), 0o700) }
  }

  package func rename(_ from: String, to: String) throws(FileFault) {
    try call("rename", from, to) { unsafe hf_rename(cPath(from), cPath(to)) }
  }

  package func link(_ from: String, to: String) throws(FileFault) {
    try call("link", from, to) { unsafe hf_link(cPath(from), cPath(to)) }
  }

  package func unlink(_ path: String) throws(FileFault) {
    try call("remove", path) { unsafe hf_unlink(cPath(path)) }
  }

  package func removeDirectory(_ path: String) throws(FileFault) {
    try call("remove directory", path) { unsafe hf_remove_directory(cPath(path)) }
  }

  package func syncDirectory(_ path: String) throws(FileFault) {
    var descriptor: Int32 = -1
    try call("sync directory", path) {
      unsafe hf_open(cPath(path), O_RDONLY | O_DIRECTORY, 0, &descriptor)
    }
    defer { hf_close(descriptor) }
    let code = hf_sync_directory(descriptor)
    // EINVAL: the file system has no such thing as syncing a directory (fsync(2)); some network
    // and user-space ones say so. There is nothing to wait for then, and nothing failed.
    guard code == 0 || code == EINVAL else {
      throw FileFault(errno: code, operation: "sync directory", path: path)
    }
  }

  package func freeBytes(_ path: String) throws(FileFault) -> UInt64 {
    var bytes: UInt64 = 0
    try call("ask for free space at", path) { unsafe hf_free_bytes(cPath(path), &bytes) }
    return bytes
  }
}

// MARK: - Calls by path

extension SystemFiles {
  /// A path as the system takes it: its bytes, closed by a zero.
  private func cPath(_ path: String) -> [CChar] {
    PathText.bytes(of: path).map { CChar(bitPattern: $0) } + [0]
  }

  /// Makes a call on paths and turns its error number into a fault.
  private func call(
    _ operation: String, _ paths: String..., body: () -> Int32
  ) throws(FileFault) {
    if let path = paths.first(where: { $0.utf8.contains(0) }) {
      throw FileFault(
        kind: .other, operation: operation, path: path, errno: EINVAL, reason: "NUL in the path")
    }
    let code = body()
    guard code != 0 else { return }
    if code == EACCES || code == EROFS, let fault = refusal(code, operation, paths[0]) {
      throw fault
    }
    throw FileFault(
      errno: code, operation: operation, path: paths.joined(separator: " to "),
      kind: code == ENOTDIR ? kindOfNoDirectory(paths) : nil)
  }

  /// Which right is missing where: to enter a directory above, to create in the one that the path
  /// lies in, to write the file that is there. Nil when it is the call's own, on the path itself.
  private func refusal(_ code: Int32, _ operation: String, _ path: String) -> FileFault? {
    var found = hf_file_status()
    let known = unsafe hf_status_at(cPath(path), &found)
    guard known != EACCES else {
      var above = Self.parent(of: path)
      while unsafe hf_status_at(cPath(above), &found) == EACCES { above = Self.parent(of: above) }
      return FileFault(errno: code, operation: "enter", path: above)
    }
    switch (operation, known) {
    case ("create", 0): return FileFault(errno: code, operation: "write", path: path)
    case ("create", _), ("make directory", _):
      return FileFault(errno: code, operation: "create files in", path: Self.parent(of: path))
    default: return nil
    }
  }

  private static func parent(of path: String) -> String {
    var path = path[...]
    while path.count > 1 && path.hasSuffix("/") { path.removeLast() }
    guard let slash = path.lastIndex(of: "/") else { return path == "." ? "/" : "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// ENOTDIR says only that some part is no directory. When every path is there, the last part of
  /// one was meant; when not, a part before it was, and what was asked for is missing.
  private func kindOfNoDirectory(_ paths: [String]) -> FileFault.Kind {
    var found = hf_file_status()
    return paths.allSatisfy { unsafe hf_status_at(cPath($0), &found) == 0 } ? .wrongType : .missing
  }
}

extension FileStatus {
  /// The system's answer in the seam's words.
  init(_ found: hf_file_status) {
    let kinds: [Kind] = [.file, .directory, .other]
    self.init(
      kind: kinds[Int(min(found.kind, 2))], size: found.size, device: found.device,
      inode: found.inode, mode: found.mode,
      modifiedMilliseconds: found.modified_seconds * 1000 + found.modified_nanoseconds / 1_000_000)
  }
}
