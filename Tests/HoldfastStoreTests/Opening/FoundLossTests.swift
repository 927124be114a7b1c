import Foundation
import HoldfastModel
import HoldfastSQLite
import HoldfastStore
import Testing

/// What is said of takes that the database lost.
@Suite("The loss of takes that no row knows")
struct FoundLossTests {
  /// A process that dies: 5 chunks of 0.1 s are written, of which none has a row, and 0.05 s more
  /// came in.
  private func killed(_ store: KeptStore) throws -> TakeID {
    let writer = try store.open()
    let id = try writer.startRecording(RecordingSeed(title: "Cut off"))
    let take = try store.capture(writer, id, chunks: 5, indexed: 0)
    writer.launchFile.captured(take, frames: 4_400, written: 4_000, safe: 4_000, sampleRate: 8_000)
    writer.launchFile.drop()
    return take
  }

  /// 0.05 s that came in, and a chunk for what came after the last note.
  private static let bound: Int64 = 150_000_000

  private func expectTold(_ store: KeptStore, _ report: OpeningReport) throws {
    #expect(report.recovered.map(\.salvagedChunks) == [5])
    #expect(report.recovered.map(\.lostAtMostNanoseconds) == [Self.bound])
    let told = try Outstanding.read(store.reader())
    #expect(told.recordings.map(\.salvagedChunks) == [5] && told.hasLoss)
    #expect(told.recordings.map(\.lostAtMostNanoseconds) == [Self.bound])
    let gaps = told.recordings[0].summary.timeline.gaps
    #expect(gaps.map(\.reason) == [.termination] && gaps.map(\.seconds) == [0.15])
  }

  @Test("is bounded by what the launch noted when the database is gone (J6)")
  func databaseGone() throws {
    let store = try KeptStore()
    _ = try killed(store)
    for suffix in ["", "-wal", "-shm"] { try? Disk.remove(store.layout.database + suffix) }
    let preview = try Outstanding.read(store.reader())
    #expect(preview.recordings.map(\.lostAtMostNanoseconds) == [Self.bound])
    let (writer, report) = try StoreOpening.open(
      store.directory, KeptStore.options, store.environment)
    writer.close()
    try expectTold(store, report)
  }

  @Test("is bounded by what the launch noted when its commits are lost (J6)")
  func commitsLost() throws {
    let store = try KeptStore()
    try store.open().close()
    _ = try killed(store)
    try? Disk.remove(store.layout.sharedMemory)
    try Disk.cut(store.layout.writeAheadLog, to: 0)
    let (writer, report) = try StoreOpening.open(
      store.directory, KeptStore.options, store.environment)
    writer.close()
    #expect(report.attention.map(\.code).contains("commitsLost"))
    try expectTold(store, report)
  }

  @Test("of a launch that had ended is none")
  func cleanEnd() throws {
    let store = try KeptStore()
    try store.filled()
    try Disk.remove(store.layout.database)
    let (writer, report) = try StoreOpening.open(
      store.directory, KeptStore.options, store.environment)
    writer.close()
    #expect(report.recovered.map(\.lostAtMostNanoseconds) == [0])
    #expect(try Outstanding.read(store.reader()).recordings.map(\.salvagedChunks) == [12])
  }

  @Test("shows where a reel is missing, with its length, and not as an overflow (J5)")
  func firstReelMissing() throws {
    let store = try KeptStore()
    let made = try #require(try store.filled(chunks: 20, chunkBytes: 1 << 20).first)
    try Disk.remove(store.layout.database)
    try Disk.remove(store.reel(made.take))
    let (writer, _) = try StoreOpening.open(store.directory, KeptStore.options, store.environment)
    writer.close()
    let told = try #require(try Outstanding.read(store.reader()).recordings.first)
    let gap = try #require(told.summary.timeline.gaps.first)
    #expect(gap.reason == .missing && gap.known == .unknown && gap.atFrame == 0)
    #expect(gap.seconds == 458.752)
  }
}
