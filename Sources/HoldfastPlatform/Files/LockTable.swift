package import HoldfastModel

/// The locks of this machine as the kernel lists them: `/proc/locks` on Linux (proc_locks(5)).
/// Apple platforms tell nobody who holds an `flock`.
package enum LockTable {
  /// Who holds the `flock` of a file: "process 12 (name)". Nil when that process has ended and a
  /// child of it keeps the lock.
  static func holder(of status: FileStatus) -> String? {
    #if os(Linux)
      guard let table = text("/proc/locks"), let process = process(in: table, of: status),
        let name = text("/proc/\(process)/comm")?.prefix(while: { $0 != "\n" })
      else { return nil }
      return "process \(process) (\(name))"
    #else
      return nil
    #endif
  }

  /// The process that a table says to have taken the `flock` of a file; one that this process may
  /// not see has the number 0 there.
  package static func process(in table: String, of status: FileStatus) -> Int32? {
    let major = (status.device >> 8 & 0xfff) | (status.device >> 32 & ~0xfff)
    let minor = (status.device & 0xff) | (status.device >> 12 & ~0xff)
    for line in table.split(separator: "\n") {
      // "7: FLOCK  ADVISORY  WRITE 1234 08:01:131073 0 EOF"; one that waits has "->" in second
      // place.
      let words = line.split(separator: " ")
      guard words.count >= 6, words[1] == "FLOCK", let process = Int32(words[4]), process > 0
      else { continue }
      let file = words[5].split(separator: ":")
      guard file.count == 3, UInt64(file[0], radix: 16) == major,
        UInt64(file[1], radix: 16) == minor, UInt64(file[2]) == status.inode
      else { continue }
      return process
    }
    return nil
  }

  private static func text(_ path: String) -> String? {
    guard let file = try? SystemFiles().open(path, .read) else { return nil }
    defer { file.close() }
    guard let bytes = try? file.read(at: 0, count: 1 << 20) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }
}
