import Foundation
import HoldfastModel
import HoldfastPlatform
import HoldfastSQLite
import Testing

@testable import HoldfastStore

/// Closed takes whose reels hold more than they have rows.
@Suite("A closed take with more in its reels")
struct LongerTakeTests {
  private func take(_ store: KeptStore, _ id: RecordingID) throws -> RecordingState.Take {
    try #require(try store.reader().read { try ChangeLog.state(of: id, $0) }.takes.first)
  }

  private func expectWhole(_ store: KeptStore, _ chunks: UInt64) throws {
    let result = try store.verify()
    #expect(result.isSound && result.orphans.isEmpty && result.ok == chunks)
  }

  @Test("that somebody closed before its launch died is lengthened by recovery (J4, L1)")
  func closedTooEarly() throws {
    let store = try KeptStore()
    let id: RecordingID
    do {
      let recorder = try store.open()
      id = try recorder.startRecording(RecordingSeed())
      let take = try store.capture(recorder, id, chunks: 9, indexed: 4)
      try recorder.closeTake(
        take, [], reason: .termination, lostNanoseconds: 2_000_000_000)
    }
    let (writer, report) = try StoreOpening.open(
      store.directory, KeptStore.options, store.environment)
    let item = try #require(report.recovered.first)
    #expect(item.indexedChunks == 4 && item.salvagedChunks == 5)
    writer.close()
    let after = try take(store, id)
    #expect(after.extent?.chunks == 9 && after.closed?.chunks == 9)
    // Half a second of what was thought lost is there.
    #expect(after.closed?.lostAtMostNanoseconds == 1_500_000_000)
    try expectWhole(store, 9)
    #expect(
      try StoreOpening.open(store.directory, KeptStore.options, store.environment).1.recovered == []
    )
  }

  @Test("that somebody closed is lengthened by its own launch at the end (L1)")
  func owner() throws {
    let store = try KeptStore()
    let recorder = try store.open()
    let id = try recorder.startRecording(RecordingSeed())
    let opened = try store.capture(recorder, id, chunks: 9, indexed: 4)
    try recorder.closeTake(opened, [], reason: .termination)
    let rest = try TakeTail(
      directory: store.directory, files: SystemFiles(), hashing: SystemHashing()
    ).scan(take: opened, from: nil).chunks
    try recorder.closeTake(opened, rest, reason: .stop)
    try recorder.setPhase(.stopped, of: id, reason: .stop)
    recorder.close()
    #expect(try take(store, id).extent?.chunks == 9)
    try expectWhole(store, 9)
  }

  @Test("is lengthened where commits were lost (J4, J6)")
  func lostCommits() throws {
    let store = try KeptStore()
    let made = try #require(try store.filled().first)
    try store.tamper(
      """
      DELETE FROM chunk WHERE sequence >= 5;
      UPDATE take SET chunks = 5, frames = 4000, bytes = 8000, end_frame = 4000;
      UPDATE setting SET value = 1 WHERE name = 'commitNumber';
      """)
    let (writer, report) = try StoreOpening.open(
      store.directory, KeptStore.options, store.environment)
    #expect(report.attention.contains { $0.code == "commitsLost" })
    #expect(report.recovered.first?.salvagedChunks == 7)
    writer.close()
    #expect(try store.rows(of: made.take).count == 12)
    let result = try store.verify()
    #expect(result.orphans.isEmpty && result.ok == 12)
  }
}
