import Foundation
import HoldfastModel
import HoldfastPlatform
import Testing

/// What the system hardly ever answers, put into its mouth by strace.
@Suite(.enabled(if: Injection.isPossible, "needs strace with the right to trace"))
struct InjectedFaultTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  @Test("a sync that fails with EIO is a fault of the medium (J2)")
  func failedSync() async {
    await #expect(processExitsWith: .success) {
      [path = directory["f"] as String, parent = directory.path as String] in
      unblockSignals()
      let files = SystemFiles()
      let file = try files.open(path, .create)
      try file.write([1], at: 0)
      try file.sync()
      let tracer = try Injection("fdatasync,fsync:error=EIO")
      let refused = fault(try file.sync())
      let directoryRefused = fault(try files.syncDirectory(parent))
      tracer.end()
      #expect(refused?.kind == .medium)
      #expect(refused?.errno == EIO)
      #expect(directoryRefused?.kind == .medium)
    }
  }

  @Test("a file system that does not know directory syncs does not fail them")
  func directoriesThatCannotBeSynced() async {
    await #expect(processExitsWith: .success) { [parent = directory.path as String] in
      unblockSignals()
      let tracer = try Injection("fsync:error=EINVAL")
      let refused = fault(try SystemFiles().syncDirectory(parent))
      tracer.end()
      #expect(refused == nil)
    }
  }

  @Test func aCallThatASignalInterruptedIsMadeAgain() async {
    await #expect(processExitsWith: .success) {
      [path = directory["f"] as String, parent = directory.path as String] in
      unblockSignals()
      let files = SystemFiles()
      let file = try files.open(path, .create)
      let tracer = try Injection(
        "pwrite64,pread64,fdatasync,fsync,ftruncate,fallocate,flock,openat:error=EINTR:when=1+2")
      let outcome = Result {
        try file.allocate(4096)
        try file.write([1, 2, 3], at: 0)
        try file.sync()
        try file.truncate(to: 3)
        try files.syncDirectory(parent)
        let again = try files.open(path, .read)
        #expect(try again.read(at: 0, count: 9) == [1, 2, 3])
        #expect(try again.tryLock(exclusive: true))
      }
      tracer.end()
      try outcome.get()
    }
  }

  @Test("where the file system cannot reserve, zeros are written and holes filled")
  func reservationByWriting() async {
    await #expect(processExitsWith: .success) { [path = directory["f"] as String] in
      unblockSignals()
      let file = try SystemFiles().open(path, .create)
      try file.write([1, 2, 3], at: 0)
      try file.write([4], at: 50_000)
      let tracer = try Injection("fallocate:error=EOPNOTSUPP")
      let refused = fault(try file.allocate(1_000_000))
      let unchanged = fault(try file.allocate(10))
      tracer.end()
      #expect(refused == nil && unchanged == nil)
      #expect(try file.size() == 1_000_000)
      var expected = [UInt8](repeating: 0, count: 1_000_000)
      expected.replaceSubrange(0..<3, with: [1, 2, 3])
      expected[50_000] = 4
      #expect(try file.read(at: 0, count: 1_000_000) == expected)
      var status = stat()
      #expect(stat(path, &status) == 0)
      #expect(status.st_blocks * 512 >= 1_000_000)
    }
  }

  @Test("where the system has no thread left, the jobs of an executor still run")
  func noThreadLeft() async {
    await #expect(processExitsWith: .success) {
      unblockSignals()
      let tracer = try Injection("clone,clone3:error=EAGAIN")
      let refused = fault(try BackgroundThread(name: "none") {})
      let counter = Counter(executor: ThreadExecutor(name: "none"))
      let total = await counter.add(7)
      tracer.end()
      #expect(refused?.kind == .exhausted)
      #expect(total == 7)
    }
  }
}
