import Foundation
import HoldfastModel
import HoldfastPlatform
import HoldfastSQLite
import HoldfastStore
import Testing

/// J6: a reel that cannot be opened now is *waiting*: no damage, no loss, never left out for good.
@Suite struct WaitingReelTests {
  /// The device's files, of which reels cannot be opened while they are locked.
  private static func locked(_ isLocked: Locked<Bool>, _ kind: FileFault.Kind) -> HookedFiles {
    HookedFiles { path, _ throws(FileFault) in
      guard path.contains("/audio/"), isLocked.withLock({ $0 }) else { return }
      throw FileFault(kind: kind, operation: "open", path: path, errno: 13, reason: "not now")
    }
  }

  private func place() -> String {
    FileManager.default.temporaryDirectory.path + "/holdfast-waiting-\(UUID().uuidString)"
  }

  /// A store whose process died with three chunks, one of them indexed.
  private func leave(_ root: String, _ environment: StoreEnvironment) throws -> RecordingID {
    let writer = try StoreOpening.open(root, StoreOptions(), environment).0
    let recording = try writer.startRecording(RecordingSeed(title: "Stand-up"))
    let take = try writer.openTake(
      of: recording, track: "microphone", SoundFiles.format(.s16le, 8_000, 1), chunkFrames: 100)
    let journal = try writer.makeJournal(take, chunkFrames: 100, .power)
    for number in 0..<3 { journal.offer([UInt8](repeating: UInt8(number), count: 200)) }
    _ = try journal.write()
    try writer.index(Array(journal.takeRows().prefix(1)), of: take.take)
    writer.launchFile.drop()
    writer.database.close()
    return recording
  }

  @Test(
    "recovery leaves the take alone, says so, and recovers it when the reel can be read",
    arguments: [FileFault.Kind.denied, .exhausted])
  func recovery(kind: FileFault.Kind) throws {
    let root = place()
    defer { try? FileManager.default.removeItem(atPath: root) }
    let isLocked = Locked(false)
    var environment = StoreEnvironment.system()
    environment.files = Self.locked(isLocked, kind)
    let id = try leave(root, environment)

    isLocked.withLock { $0 = true }
    for _ in 0..<2 {
      let (writer, report) = try StoreOpening.open(root, StoreOptions(), environment)
      #expect(report.recovered.isEmpty)
      #expect(report.attention.map(\.code) == [Attention.waiting])
      #expect(report.attention.first?.recording == id)
      try writer.acknowledge()
      let open = try writer.database.read { try AttentionRowProbe.open($0) }
      #expect(open == [Attention.waiting], "It ends with its cause, once.")
      // Others go on beside it.
      let other = try writer.startRecording(RecordingSeed())
      try writer.setPhase(.stopped, of: other, reason: .stop)
      writer.close()
    }

    isLocked.withLock { $0 = false }
    let (writer, report) = try StoreOpening.open(root, StoreOptions(), environment)
    defer { writer.close() }
    #expect(report.attention.isEmpty)
    #expect(report.recovered.map(\.recording) == [id])
    #expect(report.recovered.first?.indexedChunks == 1)
    #expect(report.recovered.first?.salvagedChunks == 2)
    #expect(try writer.database.read { try AttentionRowProbe.open($0) } == [])
  }

  @Test("a reader shows the same, and writes nothing")
  func reader() throws {
    let root = place()
    defer { try? FileManager.default.removeItem(atPath: root) }
    let isLocked = Locked(false)
    var environment = StoreEnvironment.system()
    environment.files = Self.locked(isLocked, .denied)
    _ = try leave(root, environment)
    isLocked.withLock { $0 = true }
    let reader = try ReaderOpening.open(root, temporary: NSTemporaryDirectory(), environment)
    #expect(reader.report.attention.map(\.code) == [Attention.waiting])
    #expect(reader.report.recovered.isEmpty)
  }

  @Test("a store without its database is not made again from a part of its reels")
  func rebuild() throws {
    let root = place()
    defer { try? FileManager.default.removeItem(atPath: root) }
    let isLocked = Locked(false)
    var environment = StoreEnvironment.system()
    environment.files = Self.locked(isLocked, .denied)
    let id = try leave(root, environment)
    for name in ["", "-wal", "-shm"] {
      try FileManager.default.removeItem(atPath: "\(root)/store.sqlite\(name)")
    }
    isLocked.withLock { $0 = true }
    let opening = #expect(throws: HoldfastError.self) {
      _ = try StoreOpening.open(root, StoreOptions(), environment)
    }
    #expect(opening?.code == .protectedDataUnavailable && opening?.isRetryable == true)
    #expect(!FileManager.default.fileExists(atPath: "\(root)/store.sqlite"))
    let rebuilding = #expect(throws: HoldfastError.self) {
      _ = try StoreRebuild.run(from: root, to: root + "-new", StoreOptions(), environment)
    }
    #expect(rebuilding?.code == .protectedDataUnavailable)
    #expect(!FileManager.default.fileExists(atPath: root + "-new"))

    isLocked.withLock { $0 = false }
    let (writer, report) = try StoreOpening.open(root, StoreOptions(), environment)
    defer { writer.close() }
    #expect(report.recovered.map(\.recording) == [id])
    #expect(report.recovered.first?.salvagedChunks == 3)
  }

  @Test("a launch that recorded its end and left a take open is recovered by readers too (J12)")
  func openTakeOfACleanEnd() throws {
    let root = place()
    defer { try? FileManager.default.removeItem(atPath: root) }
    let environment = StoreEnvironment.system()
    let writer = try StoreOpening.open(root, StoreOptions(), environment).0
    let recording = try writer.startRecording(RecordingSeed())
    let take = try writer.openTake(
      of: recording, track: "microphone", SoundFiles.format(.s16le, 8_000, 1), chunkFrames: 100)
    let journal = try writer.makeJournal(take, chunkFrames: 100, .power)
    journal.offer([UInt8](repeating: 1, count: 200))
    _ = try journal.write()
    writer.close()
    let reader = try ReaderOpening.open(root, temporary: NSTemporaryDirectory(), environment)
    #expect(reader.report.recovered.map(\.recording) == [recording])
    #expect(reader.report.recovered.first?.salvagedChunks == 1)
  }
}

/// A directory is looked at before anything is made in it.
@Suite struct ForeignDatabaseTests {
  @Test("a database of somebody else, and a file that is none, are refused and left as they are")
  func foreign() throws {
    let root =
      FileManager.default.temporaryDirectory.path + "/holdfast-foreign-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: root) }
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
    let path = root + "/store.sqlite"
    do {
      var options = OpenOptions()
      options.access = .create
      try Connection(path: path, options).execute("CREATE TABLE theirs (x)")
    }
    let theirs = #expect(throws: HoldfastError.self) {
      _ = try StoreOpening.open(root, StoreOptions(), .system())
    }
    #expect(theirs?.code == .invalidArgument)
    #expect(try FileManager.default.contentsOfDirectory(atPath: root) == ["store.sqlite"])
    try Data("not a database at all, but long enough to be looked at".utf8)
      .write(to: URL(fileURLWithPath: path))
    let none = #expect(throws: HoldfastError.self) {
      _ = try StoreOpening.open(root, StoreOptions(), .system())
    }
    #expect(none?.code == .invalidArgument)
    #expect(try FileManager.default.contentsOfDirectory(atPath: root) == ["store.sqlite"])
    // Ours with a first byte that flipped is damaged, also where nothing else is left of it.
    try FileManager.default.removeItem(atPath: path)
    try Connection(path: path, OpenOptions(access: .create)).execute(
      "PRAGMA application_id = \(Migrator.applicationID); CREATE TABLE ours (x)")
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    bytes[0] ^= 1
    try bytes.write(to: URL(fileURLWithPath: path))
    let damaged = #expect(throws: HoldfastError.self) {
      _ = try StoreOpening.open(root, StoreOptions(), .system())
    }
    #expect(damaged?.code == .damaged)
  }
}

/// The codes of what waits for a person, oldest first.
private enum AttentionRowProbe {
  static func open(_ db: borrowing Connection) throws -> [String] {
    try db.all("SELECT code FROM attention WHERE acknowledged = 0 ORDER BY key", []) { $0.text(0) }
  }
}
