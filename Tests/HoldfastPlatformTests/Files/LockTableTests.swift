import Foundation
import HoldfastModel
import HoldfastPlatform
import Testing

@Suite struct LockTableTests {
  private static let table = """
    1: POSIX  ADVISORY  WRITE 11 08:01:77 0 EOF
    2: FLOCK  ADVISORY  WRITE 12 08:02:77 0 EOF
    3: FLOCK  ADVISORY  WRITE 13 08:01:77 0 EOF
    3: -> FLOCK  ADVISORY  WRITE 14 08:01:77 0 EOF
    4: FLOCK  ADVISORY  WRITE 0 08:01:78 0 EOF
    5: FLOCK  ADVISORY  READ  15 103:1f4:79 0 EOF
    broken
    """

  private func holder(_ device: UInt64, _ inode: UInt64) -> Int32? {
    LockTable.process(
      in: Self.table,
      of: FileStatus(
        kind: .file, size: 0, device: device, inode: inode, mode: 0, modifiedMilliseconds: 0))
  }

  @Test("the holder is that of the file's flock, not one who waits or has another kind of lock")
  func holders() {
    #expect(holder(0x801, 77) == 13)
    #expect(holder(0x802, 77) == 12)
    #expect(holder(0x801, 78) == nil)
    #expect(holder(0x801, 1) == nil)
    // Major 259, minor 500, as Linux puts them into one number.
    #expect(holder((500 & 0xff) | (259 << 8) | ((500 & ~0xff) << 12), 79) == 15)
  }

  #if os(Linux)
    @Test("a file that this process locks is told with its number and name")
    func mine() throws {
      let directory = try TemporaryDirectory()
      let file = try SystemFiles().open(directory["lock"], .create)
      #expect(file.lockHolder() == nil)
      #expect(try file.tryLock(exclusive: true))
      #expect(file.lockHolder()?.hasPrefix("process \(getpid()) (") == true)
      file.unlock()
      #expect(file.lockHolder() == nil)
    }
  #endif
}
