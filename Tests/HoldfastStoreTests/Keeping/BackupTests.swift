import Foundation
import HoldfastModel
import HoldfastPlatform
import HoldfastSQLite
import HoldfastStore
import Testing

@Suite("Backing up a store")
struct BackupTests {
  private func digest(_ store: KeptStore, _ directory: String) throws -> Digest {
    try StateDump.run(directory, temporary: store.temporary, store.environment)
  }

  @Test("takes along reels that no row knows, and not those of purged recordings (J4)")
  func foundReels() throws {
    let (other, store) = (try KeptStore(), try KeptStore())
    let found = try #require(try other.filled().first)
    let made = try store.filled(2)
    let purged = try #require(made.first)
    do {
      let writer = try store.open()
      let reel = try Disk.bytes(store.reel(purged.take))
      _ = try Removal.purge(purged.recording, writer)
      writer.close()
      try FileManager.default.createDirectory(
        atPath: "\(store.directory)/audio/\(purged.take)", withIntermediateDirectories: true)
      try Disk.write(reel, store.reel(purged.take))
    }
    try FileManager.default.createDirectory(
      atPath: "\(store.directory)/audio/\(found.take)", withIntermediateDirectories: true)
    try Disk.copy(other.reel(found.take), store.reel(found.take))
    try Disk.write([1, 2, 3], store.directory + "/incoming/left.caf")
    let target = store.root + "/copy"
    let report = try StoreBackup.run(from: store.directory, to: target, store.environment)
    #expect(report.foundReels == 1 && report.recordings == 1 && report.foundFiles == 1)
    #expect(try Disk.bytes(target + "/incoming/left.caf") == [1, 2, 3])
    let copied = "\(target)/audio/\(found.take)/0000"
    #expect(try Disk.bytes(copied) == Disk.bytes(other.reel(found.take)))
    #expect(!FileManager.default.fileExists(atPath: "\(target)/audio/\(purged.take)"))
  }

  @Test("makes an independent copy that is whole, and writes nothing to the store")
  func whole() throws {
    let store = try KeptStore()
    try store.filled(3)
    let before = try Disk.tree(store.directory)
    let target = store.root + "/deep/copy"
    var seen: [UInt64] = []
    let report = try StoreBackup.run(from: store.directory, to: target, store.environment) {
      seen.append($0.doneBytes)
      #expect($0.totalBytes == 2 * 36 * 1_696)
    }
    #expect(report.recordings == 3 && report.chunks == 36 && report.damaged.isEmpty)
    #expect(seen == seen.sorted() && seen.last == 2 * 36 * 1_696)
    var after = try Disk.tree(store.directory)
    after["store.sqlite-shm"] = before["store.sqlite-shm"]
    after["store.sqlite-wal"] = before["store.sqlite-wal"]
    #expect(after == before)
    for (name, bytes) in before where name.hasPrefix("audio/") {
      #expect(try Disk.bytes("\(target)/\(name)") == bytes)
      let status = try SystemFiles().status("\(target)/\(name)")
      #expect(status?.inode != (try SystemFiles().status("\(store.directory)/\(name)")?.inode))
    }
    #expect(
      try Set(FileManager.default.contentsOfDirectory(atPath: target)) == [
        "audio", "launches", "store.sqlite",
      ])
    #expect(try store.verify(target).isSound)
    #expect(try digest(store, target) == digest(store, store.directory))
  }

  @Test("opened, it finds itself a copy and takes an origin of its own (S7)")
  func copied() throws {
    let store = try KeptStore()
    try store.filled()
    let target = store.root + "/copy"
    _ = try StoreBackup.run(from: store.directory, to: target, store.environment)
    let (writer, report) = try StoreOpening.open(target, KeptStore.options, store.environment)
    #expect(report.attention.map(\.code) == ["copied"])
    #expect(try writer.database.read { try OriginRow.current($0).sequence } == 0)
    writer.close()
    let again = try StoreOpening.open(target, KeptStore.options, store.environment)
    #expect(again.1.attention.isEmpty)
    again.0.close()
  }

  @Test("what is being recorded becomes stopped in the copy, with an intact prefix (J12)")
  func running() throws {
    let store = try KeptStore()
    let writer = try store.open()
    let id = try writer.startRecording(RecordingSeed(title: "Now"))
    let take = try store.capture(writer, id, chunks: 9, indexed: 5)
    // A frame that is half written while a later one is whole: what a reader beside a writer meets.
    let path = store.reel(take)
    var bytes = try Disk.bytes(path)
    let frame = Array(bytes.suffix(1_696))
    bytes += frame.prefix(800) + [UInt8](repeating: 0, count: 896) + frame
    try Disk.write(bytes, path)
    let target = store.root + "/copy"
    let report = try StoreBackup.run(from: store.directory, to: target, store.environment)
    #expect(report.damaged.isEmpty && report.missing.isEmpty && report.chunks == 9)
    #expect(
      try Disk.bytes("\(target)/\(ReelPath(take: take, reel: 0))").count == bytes.count - 3_392)
    let copy = try store.open(target)
    let summary = try #require(try copy.database.read { try RecordingRows.one(id, $0) })
    #expect(summary.state == "stopped" && summary.phase.recovered && summary.chunks == 9)
    copy.close()
    #expect(try store.verify(target).isSound)
    #expect(try writer.database.read { try RecordingRows.one(id, $0) }?.state == "recording")
    writer.close()
  }

  @Test("copies beside a recorder are whole at every moment", .timeLimit(.minutes(1)))
  func besideRecorder() throws {
    let store = try KeptStore()
    let writer = try store.open()
    let id = try writer.startRecording(RecordingSeed())
    let take = try writer.openTake(of: id, track: "mic", KeptStore.format, chunkFrames: 800)
    let isDone = Locked(false)
    let box = WriterBox(writer, try writer.makeJournal(take, chunkFrames: 800, .process))
    let thread = try BackgroundThread(name: "recorder") {
      var chunk = 0
      while !isDone.withLock({ $0 }), chunk < 20_000 {
        box.journal.offer(KeptStore.payload(chunk % 16))
        _ = try? box.journal.write()
        try? box.writer.index(box.journal.chunks.takeDueRows(), of: take.take)
        chunk += 1
      }
      _ = try? box.journal.finish()
    }
    defer {
      isDone.withLock { $0 = true }
      thread.join()
    }
    for round in 0..<3 {
      let target = "\(store.root)/copy\(round)"
      let report = try StoreBackup.run(from: store.directory, to: target, store.environment)
      #expect(report.damaged.isEmpty && report.missing.isEmpty)
      let copy = try store.open(target)
      copy.close()
      let result = try store.verify(target)
      #expect(result.isSound && result.chunks >= report.chunks)
      let sequences = try store.rows(of: take.take, target).map(\.sequence)
      #expect(sequences == Array(0..<UInt64(sequences.count)))
    }
  }

  @Test("a target that is not empty is refused and left alone")
  func refusedTarget() throws {
    let store = try KeptStore()
    try store.filled()
    let target = store.root + "/other"
    try Disk.write([1], target + "/mine.txt")
    for path in [target, target + "/mine.txt", store.directory] {
      #expect(throws: HoldfastError.self) {
        try StoreBackup.run(from: store.directory, to: path, store.environment)
      }
    }
    #expect(try Disk.tree(target) == ["mine.txt": [1]])
    #expect(try store.verify().isSound)
  }

  @Test("a full disk leaves nothing half made (J8)")
  func fullDisk() throws {
    let store = try KeptStore(.full { $0.contains("/copy/audio/") })
    try store.filled()
    do {
      _ = try StoreBackup.run(
        from: store.directory, to: store.root + "/copy", store.environment)
      Issue.record("there was no room")
    } catch { #expect(error.code == .diskFull) }
    #expect(!Disk.exists(store.root + "/copy"))
  }

  @Test("what is damaged in the store is told, not hidden (J5)")
  func damagedSource() throws {
    let store = try KeptStore()
    let made = try store.filled(2)
    let row = try store.rows(of: made[0].take)[3]
    try Disk.flip(store.reel(made[0].take), at: row.payloadOffset + 7)
    try Disk.remove(store.reel(made[1].take))
    let target = store.root + "/copy"
    let report = try StoreBackup.run(from: store.directory, to: target, store.environment)
    #expect(report.damaged.map(\.sequence) == [3] && report.missing.count == 12)
    let result = try store.verify(target)
    #expect(result.damaged.map(\.sequence) == [3] && result.missing.count == 12)
  }

  @Test("without a store, or without its database, there is a clear error")
  func nothing() throws {
    let store = try KeptStore()
    func code() -> HoldfastError.Code? {
      do {
        _ = try StoreBackup.run(
          from: store.directory, to: store.root + "/copy", store.environment)
        return nil
      } catch { return error.code }
    }
    #expect(code() == .noStore)
    try store.filled()
    try Disk.remove(store.layout.database)
    #expect(code() == .damaged && !Disk.exists(store.root + "/copy"))
  }
}

/// Hands a writer and a journal to a thread that alone uses them.
private final class WriterBox: @unchecked Sendable {
  let writer: StoreWriter
  let journal: TakeJournal
  init(_ writer: StoreWriter, _ journal: TakeJournal) {
    self.writer = writer
    self.journal = journal
  }
}

@Suite("What a dead backup or rebuild left")
struct UnfinishedDirectoryTests {
  private func remains(_ store: KeptStore) throws -> String {
    let made = try store.filled()
    let target = store.root + "/copy"
    try Disk.write([], "\(target)/unfinished/store.sqlite")
    try Disk.copy("\(store.directory)/audio", "\(target)/audio")
    try FileManager.default.createDirectory(
      atPath: target + "/launches", withIntermediateDirectories: true)
    #expect(Disk.exists("\(target)/audio/\(made[0].take)/0000"))
    return target
  }

  @Test("is no store, to no reader and no writer, and nothing is written there")
  func noStore() throws {
    let store = try KeptStore()
    let target = try remains(store)
    let before = try Disk.tree(target)
    let calls: [() throws -> Void] = [
      { _ = try store.open(target) }, { _ = try store.reader(target) },
      { _ = try store.verify(target) },
      { _ = try StoreBackup.run(from: target, to: store.root + "/b", store.environment) },
      {
        _ = try StoreRebuild.run(
          from: target, to: store.root + "/r", KeptStore.options, store.environment)
      },
    ]
    for call in calls {
      let error = #expect(throws: HoldfastError.self) { try call() }
      #expect(error?.code == .conflict && error?.message.contains("unfinished") == true)
    }
    #expect(try Disk.tree(target) == before)
  }

  @Test("is named as such to those who would write there again")
  func again() throws {
    let store = try KeptStore()
    let target = try remains(store)
    let error = #expect(throws: HoldfastError.self) {
      try StoreBackup.run(from: store.directory, to: target, store.environment)
    }
    #expect(error?.message.contains("unfinished") == true)
    #expect(error?.hint.contains("remove the directory and begin again") == true)
  }

  @Test("is a store when only the mark was left: the database has its name last")
  func finished() throws {
    let store = try KeptStore()
    try store.filled()
    let target = store.root + "/copy"
    _ = try StoreBackup.run(from: store.directory, to: target, store.environment)
    try FileManager.default.createDirectory(
      atPath: target + "/unfinished", withIntermediateDirectories: true)
    #expect(try store.verify(target).isSound)
  }
}
