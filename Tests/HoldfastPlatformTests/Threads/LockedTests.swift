import HoldfastModel
import HoldfastPlatform
import Testing

@Suite struct LockedTests {
  @Test func noStepIsLostBetweenThreads() throws {
    let count = Locked<UInt64>(0)
    try together(
      (0..<4).map { _ in
        { for _ in 0..<50_000 { count.withLock { $0 += 1 } } }
      })
    #expect(count.withLock { $0 } == 200_000)
  }

  @Test func aThrowGivesTheLockBackAndKeepsItsType() throws {
    let value = Locked([1])
    let fault = FileFault(errno: 5, operation: "test", path: "p")
    do throws(FileFault) {
      try value.withLock { list throws(FileFault) in
        list.append(2)
        throw fault
      }
      Issue.record("The body threw.")
    } catch {
      #expect(error == fault)
    }
    #expect(value.withLock { $0 } == [1, 2])
  }

  @Test func aThreadThatLocksTwiceStopsInsteadOfStandingStill() async {
    await #expect(processExitsWith: .failure) {
      let value = Locked(0)
      value.withLock { outer in outer = value.withLock { $0 } }
    }
  }
}
