import HoldfastPlatform
import Testing

@Suite struct BackgroundThreadTests {
  @Test func theBodyRunsOnAnotherThreadUnderItsName() throws {
    let seen = Locked<(thread: UInt64, names: [String])>((0, []))
    let thread = try BackgroundThread(name: "hf-name-of-test") {
      seen.withLock { $0 = (currentThread(), threadNames()) }
    }
    thread.join()
    let result = seen.withLock { $0 }
    #expect(result.thread != currentThread())
    #expect(result.names.contains("hf-name-of-test"))
  }

  @Test func aNameThatIsTooLongIsCutOff() throws {
    let seen = Locked<[String]>([])
    try BackgroundThread(name: "hf-cut-off-name-with-more-than-fits-anywhere") {
      seen.withLock { $0 = threadNames() }
    }.join()
    #expect(seen.withLock { $0 }.contains("hf-cut-off-name"))
  }

  @Test func joiningLetsGoWhatTheBodyHeld() throws {
    final class Held: Sendable {}
    var held: Held? = Held()
    weak let watched = held
    let thread = try BackgroundThread(name: "test") { [held] in _ = held }
    held = nil
    thread.join()
    #expect(watched == nil)
  }

  @Test func manyMayJoinAndTheThreadItselfDoesNotWait() throws {
    let itself = Locked<BackgroundThread?>(nil)
    let mayGo = WakeSignal()
    let thread = try BackgroundThread(name: "test") {
      mayGo.wait()
      itself.withLock { $0 }?.join()
    }
    itself.withLock { $0 = thread }
    mayGo.signal()
    try together((0..<3).map { _ in { thread.join() } })
    thread.join()
    itself.withLock { $0 = nil }
  }
}
