import Foundation
import HoldfastModel
import HoldfastStore
import Testing

@Suite("A reel whose header is damaged")
struct DamagedHeaderTests {
  private func rebuild(_ store: KeptStore) throws -> (StoreRebuild.Report, String) {
    let target = store.root + "/new"
    return (
      try StoreRebuild.run(
        from: store.directory, to: target, KeptStore.options, store.environment), target
    )
  }

  @Test(
    "by one bit is made into rows again without a database, and written anew by a rebuild (J6)",
    arguments: [3, 13, 60, 200])
  func oneBit(offset: UInt64) throws {
    let store = try KeptStore()
    let made = try #require(try store.filled().first)
    let good = try Disk.bytes(store.reel(made.take))
    try Disk.flip(store.reel(made.take), at: offset, bit: 4)
    let bad = try Disk.bytes(store.reel(made.take))
    #expect(try store.verify().headers.count == 1)
    try Disk.remove(store.layout.database)
    let (report, target) = try rebuild(store)
    #expect(report.chunksKept == 12 && report.mendedHeaders == 1 && report.unusableReels.isEmpty)
    #expect(try Disk.bytes(store.reel(made.take)) == bad)
    #expect(try Disk.bytes("\(target)/audio/\(made.take)/0000") == good)
    #expect(try store.verify(target).isSound)
    // Where it lies, too.
    let (writer, opened) = try StoreOpening.open(
      store.directory, KeptStore.options, store.environment)
    writer.close()
    #expect(opened.recovered.map(\.salvagedChunks) == [12])
  }

  @Test("beyond mending is named with the chunks that stand in it, when nothing else tells of them")
  func beyondMending() throws {
    let store = try KeptStore()
    let made = try store.filled(2)
    try Disk.write(
      try Disk.bytes(store.reel(made[0].take)).enumerated().map {
        (40..<60).contains($0.offset) ? 0 : $0.element
      }, store.reel(made[0].take))
    try Disk.remove(store.layout.database)
    let (report, target) = try rebuild(store)
    #expect(report.chunksKept == 12 && report.hasLoss)
    #expect(report.unusableReels.map(\.chunks) == [12])
    #expect(report.unusableReels.map(\.reel.take) == [made[0].take])
    let told = try Outstanding.read(store.reader(target)).attention
    #expect(told.contains { $0.message.contains("\(made[0].take)/0000 holds 12 whole chunks") })
  }

  @Test("by one bit is adopted, and the copy's header is as it was written (J4)")
  func adopted() throws {
    let (other, store) = (try KeptStore(), try KeptStore())
    let made = try #require(try other.filled().first)
    let good = try Disk.bytes(other.reel(made.take))
    try Disk.flip(other.reel(made.take), at: 60)
    let writer = try store.open()
    let items = try StoreAdoption.run([other.reel(made.take)], writer)
    writer.close()
    #expect(items.map(\.added) == [12])
    #expect(try Disk.bytes(store.reel(made.take)) == good)
    #expect(try store.verify().isSound)
  }

  @Test("is told by a rebuild as by the verification of what it made")
  func wholeDatabase() throws {
    let store = try KeptStore()
    let made = try #require(try store.filled().first)
    for offset in [40, 41, 42] { try Disk.flip(store.reel(made.take), at: UInt64(offset)) }
    let (report, target) = try rebuild(store)
    let verified = try store.verify(target)
    #expect(report.chunksKept == 12 && report.database == .whole)
    #expect(report.damagedHeaders == verified.headers && verified.headers.count == 1)
    #expect(report.hasLoss)
  }
}
