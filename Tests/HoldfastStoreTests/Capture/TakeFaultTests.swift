import Foundation
import HoldfastModel
import HoldfastPlatform
import HoldfastTesting
import Testing

@testable import HoldfastStore

/// A take whose medium takes no more: what is on the disk is listed, and what is listed is safe.
@Suite("A take that a fault ends")
struct TakeFaultTests {
  /// A take of chunks on a disk whose operations a test may fail.
  private final class Faulty {
    let store: KeptStore
    let log: DiskLog
    let writer: StoreWriter
    let take: OpenTake
    let journal: TakeJournal

    init(_ durability: ChunkDurability, chunkBytes: Int) throws {
      store = try KeptStore()
      try FileManager.default.createDirectory(
        atPath: store.directory, withIntermediateDirectories: true)
      log = DiskLog(root: store.directory)
      var environment = store.environment
      environment.files = RecordingFiles(SystemFiles(), log: log)
      writer = try StoreOpening.open(store.directory, KeptStore.options, environment).0
      let id = try writer.startRecording(RecordingSeed())
      let frames = UInt64(chunkBytes / 2)
      take = try writer.openTake(of: id, track: "mic", KeptStore.format, chunkFrames: frames)
      journal = try writer.makeJournal(take, chunkFrames: frames, durability)
    }

    func offer(_ chunks: Range<Int>, bytes: Int) {
      for chunk in chunks { journal.offer(KeptStore.payload(chunk, bytes: bytes)) }
    }

    /// Writes until the fault, then ends the take as the pump does.
    func end() throws -> ReelFault {
      do throws(ReelFault) {
        _ = try journal.write()
        _ = try journal.finish()
      } catch {
        let fault = error
        journal.abandon()
        try writer.closeTake(
          take.take, journal.takeRows(), reason: StoreFaults.reason(fault),
          safeChunks: journal.chunks.safeChunks)
        try writer.setPhase(.stopped, of: take.recording, reason: StoreFaults.reason(fault))
        writer.close()
        return fault
      }
      throw CocoaError(.featureUnsupported)
    }

    func extent() throws -> ExtentFact? {
      try store.reader().read { db in
        try ChangeLog.state(of: take.recording, db).takes.first?.extent
      }
    }
  }

  @Test("lists the part of a group that was written before the disk was full (J4, J8)")
  func partOfGroup() throws {
    let faulty = try Faulty(.process, chunkBytes: 1 << 20)
    faulty.log.setHook { operation in
      if case .create(let path) = operation, path.hasSuffix("/0001") { return .fail(.full) }
      return .pass
    }
    faulty.offer(0..<10, bytes: 1 << 20)
    let fault = try faulty.end()
    #expect(fault.code == .full && fault.written.count == 7)
    #expect(try faulty.store.rows(of: faulty.take.take).map(\.sequence) == Array(0..<7))
    #expect(try faulty.extent()?.chunks == 7)
    let result = try faulty.store.verify()
    #expect(result.isSound && result.orphans.isEmpty && result.ok == 7)
  }

  @Test("syncs what it names in its extent, after the fault too (J2, S11)")
  func syncs() throws {
    let faulty = try Faulty(.process, chunkBytes: 1_600)
    faulty.offer(0..<4, bytes: 1_600)
    _ = try faulty.journal.write()
    faulty.log.setHook { operation in
      if case .write(let path, _, _) = operation, path.hasPrefix("audio/") { return .fail(.full) }
      return .pass
    }
    faulty.offer(4..<6, bytes: 1_600)
    #expect(try faulty.end().code == .full)
    #expect(try faulty.extent()?.chunks == 4)
    let reel = "audio/\(faulty.take.take)/0000"
    let operations = faulty.log.operations.filter { $0.path == reel }
    let lastWrite = try #require(
      operations.lastIndex { if case .write = $0 { true } else { false } })
    #expect(operations[lastWrite...].contains(.sync(reel)))
  }

  @Test("names nothing in its extent that could not be synced; the rows are there (J2, S11)")
  func unsynced() throws {
    let faulty = try Faulty(.process, chunkBytes: 1_600)
    faulty.offer(0..<4, bytes: 1_600)
    _ = try faulty.journal.write()
    faulty.log.setHook { operation in
      guard operation.path.hasPrefix("audio/") else { return .pass }
      switch operation {
      case .sync, .create, .write: return .fail(.medium)
      default: return .pass
      }
    }
    #expect(try faulty.end().code == .medium)
    #expect(try faulty.store.rows(of: faulty.take.take).count == 4)
    #expect(try faulty.extent()?.chunks == 0)
  }

  @Test("rows that come after later ones leave no jump behind")
  func lateRows() throws {
    let store = try KeptStore()
    let writer = try store.open()
    let id = try writer.startRecording(RecordingSeed())
    let take = try store.capture(writer, id, chunks: 9, indexed: 0)
    let all = try TakeTail(
      directory: store.directory, files: SystemFiles(), hashing: SystemHashing()
    ).scan(take: take, from: nil).chunks
    for part in [all[6...], all[1..<3], all[4..<5], all[0..<1], all[3..<4], all[5..<6]] {
      try writer.index(Array(part), of: take)
    }
    try writer.closeTake(take, [], reason: .stop)
    let summary = try #require(try writer.database.read { try RecordingRows.one(id, $0) })
    #expect(summary.timeline.gaps.isEmpty && summary.takes[0].extentChunks == 9)
    writer.close()
  }

  @Test("tells what came in and could not be kept, in the gap and to the user (J8)")
  func notKept() throws {
    let faulty = try Faulty(.process, chunkBytes: 1_600)
    faulty.offer(0..<4, bytes: 1_600)
    _ = try faulty.journal.write()
    faulty.log.setHook { operation in
      if case .write(let path, _, _) = operation, path.hasPrefix("audio/") { return .fail(.full) }
      return .pass
    }
    faulty.offer(4..<10, bytes: 1_600)
    #expect(throws: ReelFault.self) { try faulty.journal.write() }
    faulty.journal.abandon()
    let path = "\(faulty.store.layout.launches)/\(faulty.writer.launch).launch"
    let noted = try LaunchLog.read(path, SystemFiles())?.progress.first
    #expect(noted?.capturedFrames == 8_000 && noted?.writtenFrames == 3_200)
    try faulty.writer.closeTake(
      faulty.take.take, faulty.journal.takeRows(), reason: .diskFull,
      lostNanoseconds: 600_000_000, safeChunks: faulty.journal.chunks.safeChunks)
    try faulty.writer.setPhase(.stopped, of: faulty.take.recording, reason: .diskFull)
    faulty.writer.close()
    let told = try Outstanding.read(faulty.store.reader())
    #expect(told.hasLoss && told.attention.map(\.code) == ["diskFull"])
    #expect(told.attention[0].message.contains("0.6 s"))
    let summary = try #require(
      try faulty.store.reader().recordings(RecordingRequest()).first)
    let gap = try #require(summary.timeline.gaps.first)
    #expect(gap.reason == .diskFull && gap.seconds ?? 0 >= 0.6 && gap.seconds ?? 9 < 5)
    #expect(summary.timeline.elapsedSeconds >= 1)
  }
}
