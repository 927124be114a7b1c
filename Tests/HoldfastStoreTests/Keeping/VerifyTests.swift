import Foundation
import HoldfastModel
import HoldfastSQLite
import HoldfastStore
import Testing

@Suite("Verifying a store")
struct VerifyTests {
  @Test("finds a sound store sound, counts its chunks and writes nothing")
  func sound() throws {
    let store = try KeptStore()
    try store.filled(3)
    let before = try Disk.tree(store.directory)
    let result = try store.verify()
    #expect(result.isSound && result.orphans.isEmpty && result.healed.isEmpty)
    #expect(result.chunks == 36 && result.ok == 36 && result.bytes == 36 * 1_600)
    var after = try Disk.tree(store.directory)
    // SQLite's shared memory is made by any reader and holds nothing of its own.
    after["store.sqlite-shm"] = before["store.sqlite-shm"]
    after["store.sqlite-wal"] = before["store.sqlite-wal"]
    #expect(after == before)
  }

  @Test(
    "tells the place and the kind of each damage",
    arguments: [
      (0, "header"), (30, "header"), (92, "header"), (96, "payload"), (900, "payload"),
      (1_695, "payload"),
    ])
  func chunkDamage(offset: UInt64, reason: String) throws {
    let store = try KeptStore()
    let made = try #require(try store.filled().first)
    let row = try store.rows(of: made.take)[5]
    try Disk.flip(store.reel(made.take), at: row.offset + offset, bit: 3)
    let result = try store.verify()
    #expect(result.chunks == 12 && result.ok == 11 && result.missing.isEmpty)
    let finding = try #require(result.damaged.first)
    #expect(finding.reason.rawValue == reason && finding.sequence == 5)
    #expect(finding.recording == made.recording && finding.take == made.take)
    #expect(finding.firstFrame == 4_000 && finding.frames == 800 && finding.track == "mic")
  }

  @Test("a bit flipped anywhere in a reel costs at most the chunk it lies in")
  func everyRegion() throws {
    let store = try KeptStore()
    let made = try #require(try store.filled(chunks: 3).first)
    let path = store.reel(made.take)
    let rows = try store.rows(of: made.take)
    let size = UInt64(try Disk.bytes(path).count)
    for offset in stride(from: 0, to: size, by: 127) {
      try Disk.flip(path, at: offset, bit: UInt8(offset % 8))
      let result = try store.verify()
      let hit = rows.first { offset >= $0.offset && offset < $0.end }
      #expect(result.damaged.map(\.sequence) == [hit?.sequence].compactMap(\.self))
      #expect(result.headers.count == (hit == nil ? 1 : 0))
      #expect(result.missing.isEmpty && result.orphans.isEmpty && result.database.isEmpty)
      try Disk.flip(path, at: offset, bit: UInt8(offset % 8))
    }
    #expect(try store.verify().isSound)
  }

  @Test("a reel that was cut has one damaged chunk at most, the rest is missing")
  func cutReel() throws {
    let store = try KeptStore()
    let made = try #require(try store.filled().first)
    let rows = try store.rows(of: made.take)
    try Disk.cut(store.reel(made.take), to: rows[7].offset + 200)
    let result = try store.verify()
    #expect(result.damaged.map(\.sequence) == [7] && result.damaged[0].reason == .cut)
    #expect(result.missing.map(\.sequence) == [8, 9, 10, 11])
    #expect(result.missing.allSatisfy { $0.reason == .cut } && result.ok == 7)
  }

  @Test("a reel that is gone leaves its chunks missing, other reels are checked")
  func deletedReel() throws {
    let store = try KeptStore()
    let made = try #require(try store.filled(chunks: 20, chunkBytes: 1 << 20).first)
    #expect(Disk.exists(store.reel(made.take, 2)))
    try Disk.remove(store.reel(made.take, 1))
    let result = try store.verify()
    #expect(result.missing.map(\.sequence) == [7, 8, 9, 10, 11, 12, 13])
    #expect(result.missing.allSatisfy { $0.reason == .absent } && result.ok == 13)
  }

  @Test("a recorder at work is no damage, and its launch is left alone (L1)")
  func besideRecorder() throws {
    let store = try KeptStore()
    try store.filled()
    let writer = try store.open()
    let id = try writer.startRecording(RecordingSeed(title: "Now"))
    try store.capture(writer, id, chunks: 30, indexed: 20)
    let second = try store.open()
    let other = try second.startRecording(RecordingSeed())
    try store.capture(second, other, chunks: 5, indexed: 0)
    let launches = try FileManager.default.contentsOfDirectory(atPath: store.layout.launches)
    let result = try store.verify()
    #expect(result.isSound && result.orphans.isEmpty && result.chunks == 47)
    #expect(result.ok == 47)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: store.layout.launches).sorted()
        == launches.sorted())
    withExtendedLifetime((writer, second)) {}
  }

  @Test("a dead launch is shown as recovery would leave it")
  func deadLaunch() throws {
    let store = try KeptStore()
    do {
      let writer = try store.open()
      let id = try writer.startRecording(RecordingSeed())
      try store.capture(writer, id, chunks: 9, indexed: 4)
    }
    let result = try store.verify()
    #expect(result.isSound && result.chunks == 9 && result.orphans.isEmpty)
  }

  @Test("what is told of a store's past is no damage of its present")
  func pastAttention() throws {
    let store = try KeptStore()
    try store.filled()
    let new = store.root + "/new"
    _ = try StoreRebuild.run(
      from: store.directory, to: new, KeptStore.options, store.environment)
    do { _ = try store.open(new) }
    let result = try store.verify(new)
    #expect(result.isSound && result.ok == 12)
    var alone = store.environment
    alone.checkingThreads = 1
    #expect(try StoreVerification.run(new, temporary: store.temporary, alone) == result)
  }

  @Test("files that nothing accounts for are orphans, purged audio and a dead write are none (J4)")
  func orphans() throws {
    let store = try KeptStore()
    let made = try store.filled(2)
    let writer = try store.open()
    _ = try Removal.purge(made[1].recording, writer)
    writer.close()
    var random = ReelRandom(1)
    let unknown: TakeID = random.name()
    let reel = try Disk.bytes(store.reel(made[0].take))
    try Disk.write(reel, store.reel(unknown))
    try Disk.write(reel, store.reel(made[1].take))
    try Disk.write([], store.reel(made[0].take, 7))
    try Disk.write([1, 2], "\(store.directory)/audio/\(made[0].take)/notes.txt")
    try Disk.write([3], "\(store.directory)/audio/readme")
    try Disk.write([4], "\(store.directory)/incoming/left.caf")
    let result = try store.verify()
    #expect(result.isSound)
    let kinds = Dictionary(uniqueKeysWithValues: result.orphans.map { ($0.path, $0.kind) })
    #expect(
      kinds == [
        "audio/\(ReelPath(take: unknown, reel: 0))".replacing("audio/audio", with: "audio"): .take,
        "audio/\(made[0].take)/0007": .empty, "audio/\(made[0].take)/notes.txt": .foreign,
        "audio/readme": .foreign, "incoming/left.caf": .incoming,
      ])
  }

  @Test("whole chunks of a closed take that no row knows any more are missing, and told")
  func unindexed() throws {
    let store = try KeptStore()
    let made = try #require(try store.filled().first)
    try store.tamper(
      """
      DELETE FROM chunk WHERE sequence IN (3, 4);
      UPDATE take SET chunks = 10, frames = 8000, bytes = 16000;
      """)
    let result = try store.verify()
    #expect(result.missing.map(\.sequence) == [3, 4] && result.chunks == 12 && result.ok == 10)
    #expect(result.database.isEmpty)
    #expect(result.orphans.map(\.kind) == [.chunks] && result.orphans[0].chunks == 2)
    #expect(result.orphans[0].path == "audio/\(made.take)/0000")
  }

  @Test("a freed reel is not missing, a damaged chunk in a left-over copy is no damage (J5)")
  func freed() throws {
    let store = try KeptStore()
    let made = try #require(try store.filled().first)
    try Disk.remove(store.reel(made.take))
    try store.tamper("UPDATE reel SET state = 'freed'")
    let result = try store.verify()
    #expect(result.isSound && result.freed == 12 && result.chunks == 0)
  }

  @Test("findings are marked in the rows and taken back when the chunk is well again (J5)")
  func findings() throws {
    let store = try KeptStore()
    let made = try #require(try store.filled(chunks: 20, chunkBytes: 1 << 20).first)
    let rows = try store.rows(of: made.take)
    try Disk.flip(store.reel(made.take), at: rows[2].payloadOffset)
    try Disk.flip(store.reel(made.take), at: rows[3].offset + 8)
    let gone = try Disk.bytes(store.reel(made.take, 1))
    try Disk.remove(store.reel(made.take, 1))
    let writer = try store.open()
    #expect(try Findings.record(try store.verify(), writer) == 8)
    func marks() throws -> [Int64] {
      try writer.database.read { db in
        try db.all("SELECT absent FROM chunk ORDER BY sequence") { $0.int64(0) }
      }
    }
    #expect(
      try marks() == [0, 0, 1, 0, 0, 0, 0, 2, 2, 2, 2, 2, 2, 2, 0, 0, 0, 0, 0, 0])
    try Disk.write(gone, store.reel(made.take, 1))
    try Disk.flip(store.reel(made.take), at: rows[2].payloadOffset)
    let healed = try store.verify()
    #expect(healed.healed.count == 8)
    #expect(try Findings.record(healed, writer) == 8)
    #expect(try marks().allSatisfy { $0 == 0 })
    #expect(try Findings.record(try store.verify(), writer) == 0)
    writer.close()
  }
}
