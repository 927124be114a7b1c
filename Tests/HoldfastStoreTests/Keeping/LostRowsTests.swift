import Foundation
import HoldfastModel
import HoldfastSQLite
import HoldfastStore
import Testing

@Suite("Rows of chunks that are gone while their frames are there")
struct LostRowsTests {
  /// The rows go, and their counts with them: nothing but the extent tells.
  private func lossy(count: Bool) throws -> (store: KeptStore, take: TakeID) {
    let store = try KeptStore()
    let made = try #require(try store.filled().first)
    try store.tamper("DELETE FROM chunk WHERE sequence BETWEEN 4 AND 6 OR sequence = 11")
    if count {
      try store.tamper(
        """
        UPDATE take SET (chunks, frames, bytes, end_frame) = (SELECT count(*), sum(frames),
          sum(bytes), max(first_frame + frames) FROM chunk WHERE take_key = key)
        """)
    }
    return (store, made.take)
  }

  @Test("are missing to verify, backup and export alike (J5)", arguments: [false, true])
  func told(count: Bool) throws {
    let (store, _) = try lossy(count: count)
    let verified = try store.verify()
    #expect(verified.missing.map(\.sequence) == [4, 5, 6, 11] && !verified.isSound)
    #expect(verified.missing.allSatisfy { $0.reason == .noRow })
    #expect(verified.chunks == 12 && verified.ok == 8)
    #expect(verified.orphans.map(\.chunks) == [4])
    let target = store.root + "/copy"
    let backup = try StoreBackup.run(from: store.directory, to: target, store.environment)
    #expect(backup.missing.map(\.sequence) == [4, 5, 6, 11])
    let reader = try store.reader()
    let id = try #require(try reader.recordings(RecordingRequest()).first?.id)
    let plan = try Exporter(reader).plan(id, ExportOptions())
    let report = try Exporter(reader).write(try #require(plan.parts.first), to: MemorySink())
    #expect(report.missingChunks == 4 && report.chunks == 8)
  }

  @Test(
    "come again with the reel, and the counters are those of the rows", arguments: [false, true])
  func adopted(count: Bool) throws {
    let (store, take) = try lossy(count: count)
    let writer = try store.open()
    let items = try StoreAdoption.run([store.reel(take)], writer)
    #expect(items.map(\.added) == [4])
    writer.close()
    let verified = try store.verify()
    #expect(verified.isSound && verified.ok == 12 && verified.orphans.isEmpty)
    let summary = try #require(try store.reader().recordings(RecordingRequest()).first)
    #expect(summary.chunks == 12 && summary.timeline.capturedSeconds == 1.2)
  }

  @Test("come again in a rebuilt store")
  func rebuilt() throws {
    let (store, _) = try lossy(count: true)
    let report = try StoreRebuild.run(
      from: store.directory, to: store.root + "/new", KeptStore.options, store.environment)
    #expect(report.chunksKept == 12 && report.chunksLost.isEmpty)
    #expect(try store.verify(store.root + "/new").isSound)
  }

  @Test("leave wrong counters behind, which their reel mends")
  func counters() throws {
    let store = try KeptStore()
    let made = try #require(try store.filled().first)
    try store.tamper("UPDATE take SET chunks = 30, frames = 7")
    #expect(try store.verify().database.map(\.code) == [.counters])
    let writer = try store.open()
    _ = try StoreAdoption.run([store.reel(made.take)], writer)
    writer.close()
    #expect(try store.verify().isSound)
  }
}
