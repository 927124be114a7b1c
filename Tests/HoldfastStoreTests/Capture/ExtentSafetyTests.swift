import Foundation
import HoldfastModel
import HoldfastPlatform
import HoldfastStore
import Testing

/// S11: an extent names only chunks whose files were synced.
@Suite struct ExtentSafetyTests {
  /// The device's files, which count the syncs of reels and can refuse them.
  private final class ReelSyncs: WrappedFiles, @unchecked Sendable {
    let paths = Locked<[String]>([])
    let fails = Locked(false)

    override func wrap(_ file: any OpenFile) -> any OpenFile {
      file.path.contains("/audio/") ? Counted(file, self) : file
    }

    private final class Counted: WrappedFile, @unchecked Sendable {
      let owner: ReelSyncs
      init(_ file: any OpenFile, _ owner: ReelSyncs) {
        self.owner = owner
        super.init(file)
      }

      override func sync() throws(FileFault) {
        let name = path
        owner.paths.withLock { $0.append(name) }
        guard owner.fails.withLock({ !$0 }) else {
          throw FileFault(
            kind: .medium, operation: "sync", path: path, errno: 5, reason: "Input/output error")
        }
        try super.sync()
      }
    }
  }

  /// A store whose process died with chunks that it had synced as far as the durability says, and
  /// then with as many more as `unsynced`.
  private func left(
    _ files: ReelSyncs, _ durability: ChunkDurability = .process, synced: UInt8 = 0,
    unsynced: UInt8 = 3
  ) throws -> (root: String, RecordingID, StoreEnvironment) {
    let root = FileManager.default.temporaryDirectory.path + "/holdfast-s11-\(UUID().uuidString)"
    var environment = StoreEnvironment.system()
    environment.files = files
    let writer = try StoreOpening.open(root, StoreOptions(), environment).0
    let recording = try writer.startRecording(RecordingSeed())
    let take = try writer.openTake(
      of: recording, track: "microphone", SoundFiles.format(.s16le, 8_000, 1), chunkFrames: 100)
    let journal = try writer.makeJournal(take, chunkFrames: 100, durability)
    for number in 0..<synced { journal.offer([UInt8](repeating: number, count: 200)) }
    _ = try journal.write()
    if synced > 0 { _ = try journal.chunks.synchronize(captured: UInt64(synced) * 100) }
    for number in 0..<unsynced { journal.offer([UInt8](repeating: number, count: 200)) }
    _ = try journal.write()
    try writer.index(Array(journal.takeRows().prefix(1)), of: take.take)
    writer.launchFile.drop()
    writer.database.close()
    return (root, recording, environment)
  }

  private func take(_ id: RecordingID, _ writer: StoreWriter) throws -> TakeRow {
    let summary = try writer.database.read { try RecordingRows.one(id, $0) }
    return try #require(summary?.takes.first)
  }

  @Test("recovery syncs what a dead process left before an extent names it")
  func synced() throws {
    let files = ReelSyncs()
    let (root, id, environment) = try left(files)
    defer { try? FileManager.default.removeItem(atPath: root) }
    #expect(files.paths.withLock { $0 } == [])
    let writer = try StoreOpening.open(root, StoreOptions(), environment).0
    defer { writer.close() }
    #expect(files.paths.withLock { $0.count } == 1)
    let take = try take(id, writer)
    #expect(take.extentChunks == 3 && take.chunks == 3)
  }

  @Test(
    "recovery does not sync what the dead process noted as power-safe",
    arguments: [ChunkDurability.power, .paced, .process])
  func notedSafe(durability: ChunkDurability) throws {
    let files = ReelSyncs()
    let (root, id, environment) = try left(files, durability, synced: 3, unsynced: 0)
    defer { try? FileManager.default.removeItem(atPath: root) }
    let before = files.paths.withLock { $0.count }
    #expect(before >= 1)
    files.fails.withLock { $0 = true }
    let writer = try StoreOpening.open(root, StoreOptions(), environment).0
    defer { writer.close() }
    #expect(files.paths.withLock { $0.count } == before)
    let take = try take(id, writer)
    #expect(take.extentChunks == 3 && take.chunks == 3)
  }

  @Test(
    "one chunk after the note is enough to sync",
    arguments: [ChunkDurability.paced, .process])
  func notedLess(durability: ChunkDurability) throws {
    let files = ReelSyncs()
    let (root, id, environment) = try left(files, durability, synced: 3, unsynced: 1)
    defer { try? FileManager.default.removeItem(atPath: root) }
    let before = files.paths.withLock { $0.count }
    let writer = try StoreOpening.open(root, StoreOptions(), environment).0
    defer { writer.close() }
    #expect(files.paths.withLock { $0.count } == before + 1)
    #expect(try take(id, writer).extentChunks == 4)
  }

  @Test("what cannot be synced is kept and readable, and in no extent")
  func notSynced() throws {
    let files = ReelSyncs()
    let (root, id, environment) = try left(files)
    defer { try? FileManager.default.removeItem(atPath: root) }
    files.fails.withLock { $0 = true }
    let writer = try StoreOpening.open(root, StoreOptions(), environment).0
    defer { writer.close() }
    let take = try take(id, writer)
    #expect(take.extentChunks == 0 && take.chunks == 3)
  }

  @Test("a take whose disk failed mints an extent over what had been safe before")
  func failedTake() throws {
    let files = ReelSyncs()
    let root = FileManager.default.temporaryDirectory.path + "/holdfast-s11-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: root) }
    var environment = StoreEnvironment.system()
    environment.files = files
    let writer = try StoreOpening.open(root, StoreOptions(), environment).0
    defer { writer.close() }
    let id = try writer.startRecording(RecordingSeed())
    let open = try writer.openTake(
      of: id, track: "microphone", SoundFiles.format(.s16le, 8_000, 1), chunkFrames: 100)
    let journal = try writer.makeJournal(open, chunkFrames: 100, .process)
    for number in 0..<4 {
      journal.offer([UInt8](repeating: UInt8(number), count: 200))
      _ = try journal.write()
      if number == 1 { _ = try journal.chunks.synchronize(captured: 200) }
    }
    files.fails.withLock { $0 = true }
    #expect(throws: ReelFault.self) { try journal.finish() }
    journal.abandon()
    #expect(journal.chunks.safeChunks == 2)
    try writer.closeTake(
      open.take, journal.takeRows(), reason: .mediumFailed,
      safeChunks: journal.chunks.safeChunks)
    let take = try take(id, writer)
    #expect(take.extentChunks == 2 && take.chunks == 4)
  }
}
