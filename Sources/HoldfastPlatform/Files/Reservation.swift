import CHoldfastPlatform

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Room for a file, taken before it is needed.
///
/// Invariant: a reservation that fails gives back what it took, so that a full disk is not fuller
/// for having been asked (J8). Bytes that the file had before are never changed.
enum Reservation {
  /// Reserves blocks below `size` and extends the file to it; answers the error number, 0 for none.
  static func reserve(_ descriptor: Int32, _ size: UInt64) -> Int32 {
    var before = hf_file_status()
    var code = unsafe hf_status_of(descriptor, &before)
    guard code == 0 else { return code }
    code = hf_reserve(descriptor, size)
    if code == EOPNOTSUPP || code == ENOSYS {
      code = writeZeros(descriptor, from: before.size, to: size)
    }
    if code != 0 { _ = hf_truncate(descriptor, before.size) }
    return code
  }

  /// The way of a file system that cannot reserve: zeros are written into every hole below the old
  /// size and over everything from there on.
  static func writeZeros(_ descriptor: Int32, from oldSize: UInt64, to size: UInt64) -> Int32 {
    let code = fillHoles(descriptor, below: min(oldSize, size))
    guard code == 0 else { return code }
    let zeros = [UInt8](repeating: 0, count: 1 << 16)
    var offset = oldSize
    while offset < size {
      let count = min(UInt64(zeros.count), size - offset)
      let code = unsafe zeros.withUnsafeBytes {
        unsafe hf_write_fully(descriptor, $0.baseAddress, count, offset)
      }
      guard code == 0 else { return code }
      offset += count
    }
    return 0
  }

  /// A block that reads as zeros may be a hole: it is written as zeros. Any other has its room.
  private static func fillHoles(_ descriptor: Int32, below end: UInt64) -> Int32 {
    var block = [UInt8](repeating: 0, count: 4096)
    var offset: UInt64 = 0
    while offset < end {
      let wanted = min(UInt64(block.count), end - offset)
      var moved: UInt64 = 0
      let code = unsafe block.withUnsafeMutableBytes {
        unsafe hf_read_fully(descriptor, $0.baseAddress, wanted, offset, &moved)
      }
      guard code == 0 else { return code }
      if block.prefix(Int(moved)).allSatisfy({ $0 == 0 }) {
        let code = unsafe block.withUnsafeBytes {
          unsafe hf_write_fully(descriptor, $0.baseAddress, moved, offset)
        }
        guard code == 0 else { return code }
      }
      offset += wanted
    }
    return 0
  }
}
