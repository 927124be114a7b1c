import Foundation
import Holdfast
import HoldfastTesting
import Testing

@Suite("The rows of a take")
struct TakeRowsTests {
  @Test("whose commit failed while it ran are committed with its end, in their order (J3, S11)")
  func failedCommit() async throws {
    let place = TemporaryStore()
    var configuration = RecordingStore.Configuration(directory: place.directory)
    configuration.chunk = .milliseconds(100)
    configuration.lockWaitSeconds = 0
    let store = RecordingStore(configuration)
    _ = try await store.open()
    let session = try await store.startRecording()
    let take = try await session.beginTake("microphone", PCMFormat(.int16, sampleRate: 8_000))
    let (chunks, heard) = AsyncStream.makeStream(of: UInt64.self)
    take.observe(
      acknowledged: { records, _ in heard.yield(UInt64(records.count)) }, fault: { _ in })
    // Somebody else writes all the while: no row of this take can be committed.
    let lock = try SystemFiles().open(
      place.directory.appendingPathComponent("writer.lock").path, .write)
    #expect(try lock.tryLock(exclusive: true))
    var iterator = chunks.makeAsyncIterator()
    var count: UInt64 = 0
    for _ in 0..<4 {
      #expect(take.appendWaiting(RecordingStoreTests.samples(8_000)))
      let wanted = count + 10
      while count < wanted { count += await iterator.next() ?? 0 }
    }
    // What was asked of the store's thread meanwhile is done: in vain.
    for _ in 0..<8 { try await store.host.read { _ throws(HoldfastError) in } }
    let id = session.id.model
    func rows() async throws -> RecordingSummary? {
      try await store.host.query { try RecordingRows.one(id, $0) }
    }
    #expect(try await rows()?.chunks == 0)
    lock.unlock()
    lock.close()
    try await session.stop()
    let summary = try #require(try await rows())
    #expect(summary.chunks == 40 && summary.timeline.gaps.isEmpty)
    #expect(summary.takes.map(\.extentChunks) == [40])
    await store.close()
  }
}
