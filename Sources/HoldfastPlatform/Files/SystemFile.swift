import CHoldfastPlatform
import HoldfastModel

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// An open file of the device.
///
/// Invariants:
/// 1. The descriptor is used under its lock only, so that a call can never meet a descriptor that
///    was closed and given to another file meanwhile. The last reference closes.
/// 2. A fault never comes out of an interrupted or a short call: those are completed (in C).
/// 3. Sizes and offsets beyond what a file may have (2^63 - 1) never reach the system.
final class SystemFile: OpenFile {
  let path: String
  /// -1 once closed.
  private let descriptor: Locked<Int32>

  /// Takes over an open descriptor.
  init(path: String, descriptor: Int32) {
    self.path = path
    self.descriptor = Locked(descriptor)
  }

  deinit { close() }

  /// What the descriptor stands for now.
  func status() throws(FileFault) -> FileStatus {
    var found = hf_file_status()
    try call("look at") { unsafe hf_status_of($0, &found) }
    return FileStatus(found)
  }

  func size() throws(FileFault) -> UInt64 { try status().size }

  func read(at offset: UInt64, count: Int64) throws(FileFault) -> [UInt8] {
    var wanted = UInt64(max(count, 0))
    // A damaged length must not make us ask for gigabytes: beyond a mebibyte the file's size rules.
    if wanted > 1 << 20 {
      let size = try size()
      wanted = min(wanted, size > offset ? size - offset : 0)
    }
    guard wanted > 0 else {
      try call("read") { _ in 0 }
      return []
    }
    var code: Int32 = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: Int(clamping: wanted)) {
      buffer, filled in
      var moved: UInt64 = 0
      code = unsafe readFully(UnsafeMutableRawBufferPointer(buffer), at: offset, moved: &moved)
      filled = Int(moved)
    }
    guard code == 0 else { throw fault(code, "read") }
    return bytes
  }

  func read(at offset: UInt64, into buffer: inout [UInt8]) throws(FileFault) -> Int64 {
    var moved: UInt64 = 0
    let code = unsafe buffer.withUnsafeMutableBytes {
      unsafe readFully($0, at: offset, moved: &moved)
    }
    guard code == 0 else { throw fault(code, "read") }
    return Int64(moved)
  }

  func write(_ bytes: Span<UInt8>, at offset: UInt64) throws(FileFault) {
    try admit(UInt64(bytes.count), at: offset)
    let code = unsafe bytes.withUnsafeBytes { raw in
      withDescriptor {
        unsafe hf_write_fully($0, raw.baseAddress, UInt64(raw.count), offset)
      }
    }
    guard code == 0 else { throw fault(code, "write") }
  }

  func write(parts: [[UInt8]], at offset: UInt64) throws(FileFault) {
    try admit(parts.reduce(into: UInt64(0)) { $0 += UInt64($1.count) }, at: offset)
    var found = unsafe [hf_part]()
    unsafe found.reserveCapacity(parts.count)
    let code = unsafe Self.withParts(parts[...], &found) { gathered in
      withDescriptor {
        unsafe hf_write_parts($0, gathered, UInt64(gathered.count), offset)
      }
    }
    guard code == 0 else { throw fault(code, "write") }
  }

  /// Calls `body` with where all the parts are: each lives as long as the call that found it.
  private static func withParts(
    _ parts: ArraySlice<[UInt8]>, _ found: inout [hf_part], _ body: ([hf_part]) -> Int32
  ) -> Int32 {
    guard let first = parts.first else { return unsafe body(found) }
    return unsafe first.withUnsafeBytes {
      unsafe found.append(hf_part(bytes: $0.baseAddress, count: UInt64($0.count)))
      return unsafe withParts(parts.dropFirst(), &found, body)
    }
  }

  /// Refuses what no file can hold, without the system's help.
  private func admit(_ count: UInt64, at offset: UInt64) throws(FileFault) {
    let (end, beyond) = offset.addingReportingOverflow(count)
    guard !beyond, end <= Self.largestSize else { throw fault(EFBIG, "write") }
  }

  func sync() throws(FileFault) { try call("sync") { hf_sync_data($0) } }

  func truncate(to size: UInt64) throws(FileFault) {
    guard size <= Self.largestSize else { throw fault(EFBIG, "truncate") }
    try call("truncate") { hf_truncate($0, size) }
  }

  func allocate(_ size: UInt64) throws(FileFault) {
    guard size > 0 else { return }
    guard size <= Self.largestSize else { throw fault(EFBIG, "allocate") }
    try call("allocate") { Reservation.reserve($0, size) }
  }

  func tryLock(exclusive: Bool) throws(FileFault) -> Bool {
    let code = withDescriptor { hf_try_lock($0, exclusive) }
    guard code == 0 || code == EWOULDBLOCK else { throw fault(code, "lock") }
    return code == 0
  }

  func lockHolder() -> String? {
    guard let status = try? status() else { return nil }
    return LockTable.holder(of: status)
  }

  func unlock() { _ = withDescriptor { hf_unlock($0) } }

  func close() {
    descriptor.withLock { held in
      if held >= 0 { hf_close(held) }
      held = -1
    }
  }

  /// The largest size of a file: offsets of the system are signed 64-bit numbers.
  private static let largestSize = UInt64(Int64.max)

  /// Reads until the buffer is full or the file ends. Answers the error number, 0 for none.
  private func readFully(
    _ buffer: UnsafeMutableRawBufferPointer, at offset: UInt64, moved: inout UInt64
  ) -> Int32 {
    guard offset <= Self.largestSize - UInt64(buffer.count) else { return 0 }
    return withDescriptor {
      unsafe hf_read_fully($0, buffer.baseAddress, UInt64(buffer.count), offset, &moved)
    }
  }

  /// Makes a call that answers an error number; EBADF when the file was closed.
  private func withDescriptor(_ body: (Int32) -> Int32) -> Int32 {
    descriptor.withLock { $0 < 0 ? EBADF : body($0) }
  }

  private func call(_ operation: String, _ body: (Int32) -> Int32) throws(FileFault) {
    let code = withDescriptor(body)
    guard code == 0 else { throw fault(code, operation) }
  }

  private func fault(_ code: Int32, _ operation: String) -> FileFault {
    FileFault(errno: code, operation: operation, path: path)
  }
}
