import Foundation
import HoldfastModel
import HoldfastPlatform
import HoldfastSQLite
import HoldfastStore
import Testing

@Suite("Rebuilding a store")
struct RebuildTests {
  private func rebuild(
    _ store: KeptStore, from: String? = nil, _ name: String = "new"
  ) throws -> (report: StoreRebuild.Report, directory: String) {
    let target = "\(store.root)/\(name)"
    let report = try StoreRebuild.run(
      from: from ?? store.directory, to: target, KeptStore.options, store.environment)
    return (report, target)
  }

  private func titles(_ store: KeptStore, _ directory: String) throws -> [String] {
    try store.reader(directory).recordings(RecordingRequest()).map(\.title).sorted()
  }

  private func digest(_ store: KeptStore, _ directory: String) throws -> Digest {
    try StateDump.run(directory, temporary: store.temporary, store.environment)
  }

  /// What must hold of every rebuilt store: it is sound, opens without a word, and writes on an
  /// origin of its own.
  private func expectSound(_ store: KeptStore, _ directory: String) throws {
    let result = try store.verify(directory)
    #expect(result.database.isEmpty && result.headers.isEmpty && result.orphans.isEmpty)
    let (writer, report) = try StoreOpening.open(
      directory, KeptStore.options, store.environment)
    #expect(report.attention.isEmpty && report.recovered.isEmpty && report.endings.isEmpty)
    writer.close()
    let told = try Outstanding.read(store.reader(directory)).attention.map(\.code)
    #expect(told == ["rebuilt"])
  }

  @Test("of a sound store everything comes over: changes, chains, rows, audio, by links")
  func whole() throws {
    let store = try KeptStore()
    let made = try store.filled(3)
    let before = try Disk.tree(store.directory)
    let (report, directory) = try rebuild(store)
    #expect(try Disk.tree(store.directory) == before)
    #expect(report.database == .whole && report.recordings == 3 && report.chunksKept == 36)
    #expect(report.chunksLost.isEmpty && report.changesLost == 0 && report.copiedBytes == 0)
    #expect(try digest(store, directory) == digest(store, store.directory))
    for take in made.map(\.take) {
      let path = ReelPath(take: take, reel: 0)
      let old = try SystemFiles().status("\(store.directory)/\(path)")
      #expect(try SystemFiles().status("\(directory)/\(path)")?.inode == old?.inode)
      #expect(try store.rows(of: take, directory) == store.rows(of: take))
    }
    let old = try store.reader().read { try OriginRow.current($0).id }
    #expect(try store.reader(directory).read { try OriginRow.current($0).id } != old)
    try expectSound(store, directory)
  }

  @Test("what a dead launch left is recovered in the new store, the old one stays as it is")
  func deadLaunch() throws {
    let store = try KeptStore()
    try store.filled()
    do {
      let writer = try store.open()
      let id = try writer.startRecording(RecordingSeed(title: "Cut off"))
      try store.capture(writer, id, chunks: 9, indexed: 4)
      writer.launchFile.note("foreground")
    }
    let before = try Disk.tree(store.directory)
    let (report, directory) = try rebuild(store)
    #expect(try Disk.tree(store.directory) == before)
    #expect(report.database == .whole && report.chunksKept == 21)
    #expect(try titles(store, directory) == ["Cut off", "Meeting 0"])
    let outstanding = try Outstanding.read(store.reader(directory))
    #expect(outstanding.launches.map(\.ending?.rawValue) == ["killedInForeground"])
    #expect(outstanding.recordings.map(\.salvagedChunks) == [5])
    try expectSound(store, directory)
  }

  @Test("without a database the reels alone give the recordings; titles are gone (J6)")
  func reelsAlone() throws {
    let store = try KeptStore()
    try store.filled(2)
    try Disk.remove(store.layout.database)
    let (report, directory) = try rebuild(store)
    #expect(report.database == .none && report.recordings == 2 && report.foundRecordings == 2)
    #expect(report.chunksKept == 24)
    #expect(try titles(store, directory) == ["", ""])
    try expectSound(store, directory)
  }

  @Test(
    "one flipped bit of a chunk's header costs no chunk, with a database or without",
    arguments: [true, false])
  func flippedFrame(hasDatabase: Bool) throws {
    let store = try KeptStore()
    let made = try #require(try store.filled().first)
    let rows = try store.rows(of: made.take)
    for index in [0, 5, 11] {
      try Disk.flip(store.reel(made.take), at: rows[index].offset + 30 + UInt64(index))
    }
    if !hasDatabase { try Disk.remove(store.layout.database) }
    let (report, directory) = try rebuild(store)
    #expect(report.chunksKept == 12 && report.chunksLost.isEmpty && report.recordings == 1)
    #expect(report.mendedFrames == 3)
    #expect(try store.verify(directory).isSound)
    #expect(try store.verify(directory).ok == 12)
  }

  @Test("a bit flipped anywhere in the database costs no audio (J6)", arguments: UInt64(1)...8)
  func everyRegion(seed: UInt64) throws {
    let store = try KeptStore()
    try store.filled(4, chunks: 4)
    var random = ReelRandom(seed)
    let size = UInt64(try Disk.bytes(store.layout.database).count)
    // The first seeds go to the page with the header, which everything hangs on.
    let range = seed <= 4 ? 4_096 : size
    for _ in 0..<2 {
      try Disk.flip(
        store.layout.database, at: random.next() % range, bit: UInt8(random.next() % 8))
    }
    let (report, directory) = try rebuild(store)
    #expect(report.chunksKept == 16 && report.chunksLost.isEmpty && report.recordings == 4)
    #expect(try titles(store, directory).filter { $0.hasPrefix("Meeting") }.count >= 2)
    try expectSound(store, directory)
  }

  @Test("a letter flipped in the name of a column costs nothing")
  func flippedName() throws {
    let store = try KeptStore()
    try store.filled(2)
    let before = try digest(store, store.directory)
    try store.flipName("first_frame")
    let (report, directory) = try rebuild(store)
    #expect(report.database == .partly && report.damagedTables.isEmpty)
    #expect(report.chunksKept == 24 && report.changesLost == 0)
    #expect(try digest(store, directory) == before)
    try expectSound(store, directory)
  }

  @Test(
    "a row that says otherwise than the frames gives way to them",
    arguments: [
      "position = 5000 WHERE sequence = 3", "sequence = 77 WHERE sequence = 11",
      "sha256 = zeroblob(32) WHERE sequence = 2", "frames = 7 WHERE sequence = 4",
      "reel = 6 WHERE sequence < 2", "bytes = 40000000 WHERE sequence = 11",
    ])
  func falseRow(change: String) throws {
    let store = try KeptStore()
    let made = try #require(try store.filled().first)
    let rows = try store.rows(of: made.take)
    try store.tamper("UPDATE chunk SET \(change)")
    #expect(try !store.verify().isSound)
    let (report, directory) = try rebuild(store)
    #expect(report.chunksKept == 12 && report.chunksLost.isEmpty)
    #expect(try store.rows(of: made.take, directory) == rows)
    try expectSound(store, directory)
  }

  @Test("a damaged page of the log costs the changes on it, and what they named is made again")
  func damagedLog() throws {
    let store = try KeptStore()
    try store.filled(40, chunks: 2)
    let page = try #require(try damagePage(of: "change", store))
    let (report, directory) = try rebuild(store)
    #expect(report.database == .partly && report.damagedTables == ["change"], "page \(page)")
    #expect(report.changesLost > 0 && report.changesIssuedAgain > 0)
    #expect(report.recordings == 40 && report.chunksKept == 80)
    let kept = try titles(store, directory).filter { $0.hasPrefix("Meeting") }.count
    #expect(kept >= 20 && kept < 40)
    try expectSound(store, directory)
  }

  @Test("a damaged page of chunk rows is made again from the reels")
  func damagedRows() throws {
    let store = try KeptStore()
    let made = try store.filled(3, chunks: 80)
    _ = try #require(try damagePage(of: "chunk", store))
    let (report, directory) = try rebuild(store)
    #expect(report.database == .partly && report.damagedTables == ["chunk"])
    #expect(report.chunksKept == 240 && report.changesLost == 0)
    for take in made.map(\.take) {
      #expect(try store.rows(of: take, directory).map(\.sequence) == Array(0..<80))
    }
    try expectSound(store, directory)
  }

  /// Fills a page in the middle of a table with ones. Which pages are its is found by trying.
  private func damagePage(of table: String, _ store: KeptStore) throws -> Int? {
    let sound = try Disk.bytes(store.layout.database)
    let pages = sound.count / 4_096
    for page in (pages / 3)..<pages {
      var bytes = sound
      bytes.replaceSubrange(
        page * 4_096..<(page + 1) * 4_096, with: repeatElement(0xFF, count: 4_096))
      try Disk.write(bytes, store.layout.database)
      let db = try Connection(path: store.layout.database, OpenOptions(access: .readOnly))
      func isBroken(_ name: String) -> Bool {
        (try? db.all("SELECT * FROM \(name) NOT INDEXED") { $0.count }) == nil
      }
      let others = ["origin", "take", "recording", "track", "launch", "anchor", "reel"]
      if isBroken(table),
        !(others + ["change", "chunk"]).contains(where: {
          $0 != table && isBroken($0)
        })
      {
        return page
      }
    }
    return nil
  }

  @Test("a change whose bytes were altered is told by its chain; those after it live on (S7)")
  func alteredChange() throws {
    let store = try KeptStore()
    try store.filled(3)
    try store.tamper(
      """
      UPDATE change SET bytes = CAST(replace(CAST(bytes AS TEXT), 'Meeting 1', 'Meeting 9') AS BLOB)
      WHERE instr(CAST(bytes AS TEXT), 'Meeting 1')
      """)
    #expect(try store.verify().database.map(\.code).contains(.chain))
    let (report, directory) = try rebuild(store)
    #expect(report.database == .partly && report.changesLost == 1)
    #expect(try titles(store, directory) == ["", "Meeting 0", "Meeting 2"])
    #expect(report.chunksKept == 36)
    try expectSound(store, directory)
  }

  @Test("a damaged chain hash is mended where the next change vouches for the bytes (S7)")
  func alteredChain() throws {
    let store = try KeptStore()
    try store.filled(3)
    let before = try digest(store, store.directory)
    try store.tamper("UPDATE change SET chain = zeroblob(32), kind = 'xyz' WHERE sequence = 7")
    #expect(try store.verify().database.map(\.code).contains(.chain))
    let (report, directory) = try rebuild(store)
    #expect(report.changesLost == 0 && report.changesIssuedAgain == 0)
    #expect(try digest(store, directory) == before)
    try expectSound(store, directory)
  }

  @Test(
    "with its write-ahead log gone, cut or flipped the audio of the lost commits is found (J6)",
    arguments: ["gone", "cut", "flipped"])
  func lostCommits(how: String) throws {
    let store = try KeptStore()
    try store.filled()
    do {
      let writer = try store.open()
      try store.record(writer, title: "In the log", chunks: 30)
    }
    let log = store.layout.writeAheadLog
    let size = UInt64(try Disk.bytes(log).count)
    switch how {
    case "gone": try Disk.remove(log)
    case "cut": try Disk.cut(log, to: size / 2)
    default: try Disk.flip(log, at: size / 2)
    }
    let (report, directory) = try rebuild(store)
    #expect(report.database == .partly && report.commitsLost > 0)
    #expect(report.chunksKept == 42 && report.recordings == 2)
    #expect(try titles(store, directory).contains("Meeting 0"))
    try expectSound(store, directory)
  }

  @Test("chunks that are damaged or missing are told and marked (J5)")
  func damagedAudio() throws {
    let store = try KeptStore()
    let made = try store.filled(2)
    let row = try store.rows(of: made[0].take)[3]
    try Disk.flip(store.reel(made[0].take), at: row.payloadOffset)
    try Disk.cut(store.reel(made[1].take), to: 5_000)
    let (report, directory) = try rebuild(store)
    #expect(report.database == .whole && report.chunksKept == 24 - report.chunksLostCount)
    #expect(report.chunksLost.filter { $0.reason == .payload }.map(\.sequence) == [3])
    #expect(report.chunksLost.contains { $0.reason == .cut })
    let marks = try store.reader(directory).read { db in
      try db.first("SELECT count(*) FROM chunk WHERE absent > 0") { $0.uint64(0) }
    }
    #expect(marks == UInt64(report.chunksLost.count))
    #expect(try store.verify(directory).damaged.count < 3)
  }

  @Test("purged audio does not come over, foreign files stay behind and are named (J4)")
  func purged() throws {
    let store = try KeptStore()
    let made = try store.filled(2)
    let reel = try Disk.bytes(store.reel(made[1].take))
    let writer = try store.open()
    _ = try Removal.purge(made[1].recording, writer)
    writer.close()
    try Disk.write(reel, store.reel(made[1].take))
    try Disk.write([1], "\(store.directory)/audio/notes")
    let (report, directory) = try rebuild(store)
    #expect(report.recordings == 1 && report.leftBehind == ["audio/notes"])
    #expect(!Disk.exists("\(directory)/audio/\(made[1].take)"))
    try expectSound(store, directory)
  }

  @Test("where files cannot be linked they are copied")
  func withoutLinks() throws {
    let store = try KeptStore(.withoutLinks())
    try store.filled()
    let (report, directory) = try rebuild(store)
    #expect(report.linkedBytes == 0 && report.copiedBytes > 19_200 && report.chunksKept == 12)
    try expectSound(store, directory)
  }

  @Test("what may not be rebuilt is refused, and nothing is made")
  func refusals() throws {
    let store = try KeptStore()
    func code() -> HoldfastError.Code? {
      do {
        _ = try rebuild(store)
        return nil
      } catch { return (error as? HoldfastError)?.code }
    }
    #expect(code() == .noStore)
    let writer = try store.open()
    #expect(code() == .locked)
    writer.close()
    try store.tamper("CREATE TABLE later (x INTEGER) STRICT; PRAGMA user_version = 99")
    #expect(code() == .newerSchema)
    #expect(!Disk.exists(store.root + "/new"))
    try Disk.write([1], store.root + "/new/mine")
    #expect(code() == .invalidArgument)
    #expect(try Disk.tree(store.root + "/new") == ["mine": [1]])
  }

  @Test("a full disk leaves nothing half made (J8)")
  func fullDisk() throws {
    let store = try KeptStore(.full { $0.contains("/new/launches/") })
    try Disk.write([], store.root + "/tmp/x")
    let sound = try KeptStore()
    try sound.filled()
    #expect(throws: HoldfastError.self) { try rebuild(store, from: sound.directory) }
    #expect(!Disk.exists(store.root + "/new"))
    #expect(try sound.verify().isSound)
  }
}

extension StoreRebuild.Report {
  fileprivate var chunksLostCount: UInt64 { UInt64(chunksLost.count) }
}
