import Foundation
import HoldfastModel
import HoldfastPlatform
import Testing

/// J8: every way of running out of room is the same fault, and none ends the process.
@Suite struct FullDiskTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  @Test func aWriteBeyondTheFileSizeLimitIsFullAndKeepsItsPrefix() async throws {
    let path = directory["f"]
    await #expect(processExitsWith: .success) { [path = path as String] in
      unblockSignals()
      ProcessSignals.ignoreFileSizeSignal()
      limitFileSize(to: 100_000)
      let file = try SystemFiles().open(path, .create)
      try file.write([UInt8](repeating: 1, count: 50_000), at: 0)
      let refused = fault(try file.write([UInt8](repeating: 2, count: 100_000), at: 50_000))
      #expect(refused?.kind == .full)
      #expect(refused?.errno == EFBIG)
      // The system took a part before it refused: the loop went on after a short write.
      #expect(try file.size() == 100_000)
      #expect(try file.read(at: 99_999, count: 1) == [2])
      #expect(kind(try file.truncate(to: 200_000)) == .full)
      #expect(kind(try file.allocate(200_000)) == .full)
      #expect(try file.size() == 100_000)
    }
  }

  @Test("a short write of parts goes on in the middle of the part it ended in")
  func partsBeyondTheFileSizeLimit() async throws {
    let path = directory["f"]
    await #expect(processExitsWith: .success) { [path = path as String] in
      unblockSignals()
      ProcessSignals.ignoreFileSizeSignal()
      limitFileSize(to: 100_000)
      let file = try SystemFiles().open(path, .create)
      let parts = (0..<9).map { [UInt8](repeating: $0, count: 15_000) }
      let refused = fault(try file.write(parts: parts, at: 10))
      #expect(refused?.kind == .full)
      let all = [UInt8](repeating: 0, count: 10) + parts.joined()
      #expect(try file.read(at: 0, count: .max) == Array(all.prefix(100_000)))
    }
  }

  @Test("without the call the same write ends the process, so the call is what saves it")
  func control() async throws {
    let path = directory["f"]
    await #expect(processExitsWith: .signal(SIGXFSZ)) { [path = path as String] in
      unblockSignals()
      limitFileSize(to: 1000)
      let file = try SystemFiles().open(path, .create)
      try file.write([UInt8](repeating: 1, count: 2000), at: 0)
    }
  }

  @Test func aProgramThatWeStartStillDiesOfItsOwnFileSizeSignal() async throws {
    await #expect(processExitsWith: .success) {
      unblockSignals()
      ProcessSignals.ignoreFileSizeSignal()
      let ended = system("kill -XFSZ $$")
      #expect(ended & 0x7f == SIGXFSZ)
    }
  }

  @Test(.enabled(if: SmallDisk.canMount, "mounting a tmpfs is not permitted here"))
  func aFullDiskIsFullForEveryCallAndFreeAgainAfterAnUnlink() throws {
    let disk = try SmallDisk(at: directory.path, kilobytes: 256)
    let files = SystemFiles()
    #expect(try files.freeBytes(disk.path) == 256 * 1024)
    let file = try files.open(disk.path + "/a", .create)
    try file.write([UInt8](repeating: 1, count: 100_000), at: 0)
    let refused = fault(try file.write([UInt8](repeating: 2, count: 300_000), at: 100_000))
    #expect(refused?.kind == .full)
    #expect(refused?.errno == ENOSPC)
    #expect(try file.read(at: 0, count: 100_000) == [UInt8](repeating: 1, count: 100_000))
    #expect(try files.freeBytes(disk.path) == 0)
    let second = try files.open(disk.path + "/b", .create)
    #expect(kind(try second.write([1], at: 0)) == .full)
    file.close()
    try files.unlink(disk.path + "/a")
    // A process that another test is starting holds a copy of the descriptor until it is begun.
    var tries = 0
    while try files.freeBytes(disk.path) == 0, tries < 1_000_000 {
      tries += 1
      sched_yield()
    }
    try second.write([1], at: 0)
    try second.sync()
  }

  @Test(.enabled(if: SmallDisk.canMount, "mounting a tmpfs is not permitted here"))
  func aReservationThatFailsGivesBackWhatItTook() throws {
    let disk = try SmallDisk(at: directory.path, kilobytes: 256)
    let files = SystemFiles()
    let file = try files.open(disk.path + "/a", .create)
    try file.write([9, 9, 9], at: 0)
    let before = try files.freeBytes(disk.path)
    #expect(kind(try file.allocate(1 << 20)) == .full)
    #expect(try files.freeBytes(disk.path) == before)
    #expect(try file.size() == 3)
    #expect(try file.read(at: 0, count: 9) == [9, 9, 9])
    try file.allocate(200_000)
    // What is reserved can be written though the disk is full.
    let filler = try files.open(disk.path + "/b", .create)
    _ = kind(try filler.write([UInt8](repeating: 1, count: 1 << 20), at: 0))
    #expect(try files.freeBytes(disk.path) == 0)
    try file.write([UInt8](repeating: 5, count: 200_000), at: 0)
  }
}

/// Sets RLIMIT_FSIZE of this process.
private func limitFileSize(to bytes: UInt64) {
  #if canImport(Glibc)
    var limit = rlimit(rlim_cur: rlim_t(bytes), rlim_max: rlim_t(bytes))
    #expect(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
  #endif
}

/// A tmpfs of a few kilobytes, unmounted with the value.
private final class SmallDisk {
  let path: String

  init(at parent: String, kilobytes: UInt32) throws {
    path = parent + "/disk"
    let line =
      "mkdir -p '\(path)' && mount -t tmpfs -o size=\(kilobytes)k,mode=700 none '\(path)'"
    guard try Command.run(line).code == 0 else { throw CocoaError(.featureUnsupported) }
  }

  deinit { _ = try? Command.run("umount -l '\(path)'") }

  /// Whether this process may mount at all.
  static let canMount: Bool = {
    guard let directory = try? TemporaryDirectory() else { return false }
    return (try? SmallDisk(at: directory.path, kilobytes: 64)) != nil
  }()
}
