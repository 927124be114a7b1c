import Foundation
import HoldfastModel
import HoldfastPlatform
import HoldfastTesting
import Testing

@testable import HoldfastStore

/// What stands behind the last row of a take: in a running one, and in a dead one.
@Suite("The end of a reel without rows")
struct TakeTailRecoveryTests {
  private func frames(_ store: KeptStore, _ take: TakeID) throws -> [ChunkRecord] {
    try TakeTail(directory: store.directory, files: SystemFiles(), hashing: SystemHashing())
      .scan(take: take, from: nil).chunks
  }

  /// Chunks written by a recorder that is not finished: the reel stays as it was grown.
  private func write(
    _ writer: StoreWriter, chunks: Int
  ) throws -> (recording: RecordingID, take: TakeID, journal: TakeJournal) {
    let id = try writer.startRecording(RecordingSeed())
    let take = try writer.openTake(of: id, track: "mic", KeptStore.format, chunkFrames: 800)
    let journal = try writer.makeJournal(take, chunkFrames: 800, .process)
    for chunk in 0..<chunks {
      journal.offer(KeptStore.payload(chunk))
      _ = try journal.write()
    }
    return (id, take.take, journal)
  }

  @Test("of a running take is verified up to the last whole chunk (J5)")
  func running() throws {
    let store = try KeptStore()
    let writer = try store.open()
    let id = try writer.startRecording(RecordingSeed())
    let take = try store.capture(writer, id, chunks: 6, indexed: 2)
    var result = try store.verify()
    #expect(result.isSound && result.chunks == 6 && result.ok == 6)
    let there = try frames(store, take)
    try Disk.flip(store.reel(take), at: there[5].payloadOffset)
    result = try store.verify()
    // A write that is under way.
    #expect(result.isSound && result.chunks == 5 && result.ok == 5)
    try Disk.flip(store.reel(take), at: there[3].payloadOffset)
    result = try store.verify()
    #expect(result.damaged.map(\.sequence) == [3] && result.chunks == 5 && result.ok == 4)
    withExtendedLifetime(writer) {}
  }

  @Test("of a running take may hold a write that is under way, before whole frames too (L1)")
  func underWay() throws {
    let store = try KeptStore()
    let writer = try store.open()
    let id = try writer.startRecording(RecordingSeed())
    let take = try store.capture(writer, id, chunks: 6, indexed: 2)
    let frame = try frames(store, take)[4]
    var bytes = try Disk.bytes(store.reel(take))
    // A reader that is overtaken by the writer sees the later frame whole.
    for index in Int(frame.end) - 700..<Int(frame.end) { bytes[index] = 0 }
    try Disk.write(bytes, store.reel(take))
    let result = try store.verify()
    #expect(result.isSound && result.chunks == 5 && result.ok == 5)
    withExtendedLifetime(writer) {}
  }

  @Test("of a dead take: a damaged last chunk is told by recovery and verification alike (J5, J12)")
  func damagedLast() throws {
    let store = try KeptStore()
    let id: RecordingID
    let take: TakeID
    do {
      let writer = try store.open()
      id = try writer.startRecording(RecordingSeed())
      take = try store.capture(writer, id, chunks: 6, indexed: 2)
    }
    try Disk.flip(store.reel(take), at: try frames(store, take)[5].payloadOffset)
    for _ in 0..<2 {
      let result = try store.verify()
      #expect(result.damaged.map(\.sequence) == [5] && result.chunks == 6 && result.ok == 5)
      #expect(result.damaged.map(\.reason) == [.payload])
    }
    let (writer, report) = try StoreOpening.open(
      store.directory, KeptStore.options, store.environment)
    #expect(report.recovered.map(\.damaged) == [1] && report.recovered[0].salvagedChunks == 3)
    let marks = try writer.database.read { db in
      try db.all("SELECT absent FROM chunk ORDER BY sequence") { $0.int64(0) }
    }
    #expect(marks == [0, 0, 0, 0, 0, 1])
    writer.close()
    #expect(try store.verify().damaged.map(\.sequence) == [5])
  }

  @Test("of a dead take: a write that did not come to its end is no damage (J2)")
  func torn() throws {
    let store = try KeptStore()
    let take: TakeID
    do {
      let writer = try store.open()
      let id = try writer.startRecording(RecordingSeed())
      take = try store.capture(writer, id, chunks: 6, indexed: 2)
    }
    let last = try frames(store, take)[5]
    var bytes = try Disk.bytes(store.reel(take))
    for index in Int(last.end) - 600..<Int(last.end) { bytes[index] = 0 }
    try Disk.write(bytes, store.reel(take))
    let before = try store.verify()
    #expect(before.isSound && before.chunks == 5)
    try store.open().close()
    #expect(try Disk.bytes(store.reel(take)) == bytes)
    #expect(try store.verify().isSound && store.rows(of: take).count == 5)
  }

  @Test("is power-safe before the extent that recovery mints names it (J2, S11)")
  func synced() throws {
    let store = try KeptStore()
    let take: TakeID
    let id: RecordingID
    do {
      let writer = try store.open()
      id = try writer.startRecording(RecordingSeed())
      take = try store.capture(writer, id, chunks: 6, indexed: 2)
    }
    let log = try DiskLog(root: store.directory, on: SystemFiles())
    log.setHook { operation in
      if case .sync(let path) = operation, path.hasPrefix("audio/") { return .fail(.medium) }
      return .pass
    }
    var environment = store.environment
    environment.files = RecordingFiles(SystemFiles(), log: log)
    let writer = try StoreOpening.open(store.directory, KeptStore.options, environment).0
    let state = try writer.database.read { try ChangeLog.state(of: id, $0) }
    #expect(state.takes.first?.extent?.chunks == 0)
    writer.close()
    #expect(try store.rows(of: take).count == 6)
  }
}
