import Foundation
import HoldfastModel
import HoldfastPlatform
import Testing

@Suite struct DeviceTests {
  @Test func theMonotonicClockIsTheOneThatCountsThroughSuspension() {
    var before = timespec()
    var after = timespec()
    clock_gettime(CLOCK_BOOTTIME, &before)
    let now = SystemClock().now().monotonicNanoseconds
    clock_gettime(CLOCK_BOOTTIME, &after)
    #expect(now >= Int64(before.tv_sec) * 1_000_000_000 + Int64(before.tv_nsec))
    #expect(now <= Int64(after.tv_sec) * 1_000_000_000 + Int64(after.tv_nsec))
  }

  @Test func theWallClockIsTheSystems() {
    let before = Int64(Date().timeIntervalSince1970 * 1000)
    let now = SystemClock().now().wallMilliseconds
    #expect(now >= before - 1)
    #expect(now <= Int64(Date().timeIntervalSince1970 * 1000) + 1)
  }

  @Test func theBootIsTheSystemsAndTheSameForEveryClock() throws {
    let text = try String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
    let boot = SystemClock().now().boot
    #expect(boot.description == text.filter(\.isHexDigit).lowercased())
    #expect(SystemClock().now().boot == boot)
  }

  @Test func randomBytesAreAsManyAsAskedForAndNeverTheSame() {
    let random = SystemRandom()
    for count in [0, 1, 16, 1000, 100_000] as [Int64] {
      #expect(random.bytes(count).count == Int(count))
    }
    #expect(random.bytes(-1) == [])
    #expect(random.bytes(32) != random.bytes(32))
    // Each of the 256 values: the chance that one is missing among 100,000 is below 10^-160.
    #expect(Set(random.bytes(100_000)).count == 256)
  }

  @Test func theMachineIsTheSameEachTimeAndItsNumberIsNotGivenAway() throws {
    let id = try HostIdentity.machineID()
    #expect(try HostIdentity.machineID() == id)
    let raw = try? String(contentsOfFile: "/etc/machine-id", encoding: .utf8)
    #expect(id.isEmpty || id.count == 32)
    if let raw = raw?.trimmingCharacters(in: .newlines), !raw.isEmpty {
      #expect(!Hex.encode(id).contains(raw))
    }
  }

  @Test func theProcessKnowsItself() {
    #expect(HostIdentity.processID == ProcessInfo.processInfo.processIdentifier)
    #expect(HostIdentity.processName.contains("PackageTests"))
  }

  @Test func theFootprintGrowsWithTheMemoryInUse() {
    let before = HostIdentity.processMemoryFootprintBytes()
    #expect(before > 1 << 20)
    let block = UnsafeMutableRawPointer.allocate(byteCount: 64 << 20, alignment: 4096)
    defer { block.deallocate() }
    block.initializeMemory(as: UInt8.self, repeating: 1, count: 64 << 20)
    #expect(HostIdentity.processMemoryFootprintBytes() > before + 32 << 20)
  }
}
