import Foundation
import HoldfastModel
import HoldfastPlatform
import HoldfastTesting
import Testing

@testable import HoldfastStore

/// A store on a disk that is full: the user can always free room (J8, DESIGN section 5, reason 1).
@Suite("A store on a full disk")
struct FullDiskTests {
  /// A store on a disk with a budget.
  private final class Place {
    let root = FileManager.default.temporaryDirectory
      .appendingPathComponent("holdfast-full-\(UUID().uuidString)")
    let budget: DiskBudget
    let log: DiskLog
    let vfs: RecordingVFS
    private let clock = ManualClock()
    private var seed: UInt64 = 1

    init(kilobytes: UInt64) throws {
      try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
      budget = DiskBudget(bytes: kilobytes << 10)
      log = DiskLog(root: root.path, keepsEntries: false)
      vfs = try RecordingVFS(log: log)
      log.setHook(budget.hook)
    }

    deinit { try? FileManager.default.removeItem(at: root) }

    func open() throws -> StoreWriter {
      seed += 1
      let environment = CrashScript.environment(
        RecordingFiles(BudgetedFiles(SystemFiles(), budget), log: log), clock, seed: seed,
        vfs: vfs.name)
      return try StoreOpening.open(root.path, StoreOptions(), environment).0
    }

    /// Records so many chunks, or until the disk is full; the take is closed then.
    func record(_ writer: StoreWriter, chunks: Int = .max, isKilled: Bool = false) throws
      -> RecordingID
    {
      let id = try writer.startRecording(RecordingSeed(title: "A title"))
      let take = try writer.openTake(
        of: id, track: "mic", KeptStore.format, chunkFrames: 2_000)
      let journal = try writer.makeJournal(take, chunkFrames: 2_000, .power)
      var fault: ReelFault?
      var rows: [ChunkRecord] = []
      do throws(ReelFault) {
        var number = 0
        while number < chunks {
          number += 1
          journal.offer(KeptStore.payload(number, bytes: 4_000))
          _ = try journal.write()
          rows += journal.chunks.takeDueRows()
          // What cannot be committed waits for the end.
          if !isKilled, (try? writer.index(rows, of: take.take)) != nil { rows = [] }
        }
        _ = try journal.finish()
      } catch {
        fault = error
        journal.abandon()
      }
      #expect(fault == nil || fault?.code == .full)
      if isKilled { return id }
      try writer.closeTake(
        take.take, rows + journal.takeRows(), reason: fault.map { StoreFaults.reason($0) } ?? .stop)
      try writer.setPhase(.stopped, of: id, reason: fault == nil ? .stop : .diskFull)
      return id
    }

    func kill(_ writer: StoreWriter) {
      writer.launchFile.drop()
      writer.database.close()
    }

    var audioBytes: UInt64 {
      let names = FileManager.default.enumerator(atPath: root.appendingPathComponent("audio").path)
      return (names?.allObjects ?? []).reduce(0) { sum, name in
        let path = root.appendingPathComponent("audio/\(name)").path
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        guard attributes?[.type] as? FileAttributeType == .typeRegular else { return sum }
        return sum + (attributes?[.size] as? UInt64 ?? 0)
      }
    }
  }

  @Test(
    "of any size can be emptied by trash and purge, and takes a recording again (J4, J8)",
    arguments: [640, 768, 1_024, 1_536, 2_048, 6_000], [false, true])
  func emptied(kilobytes: UInt64, isKilled: Bool) throws {
    let place = try Place(kilobytes: kilobytes)
    let first = try place.open()
    let id = try place.record(first, isKilled: isKilled)
    #expect(kilobytes < 1_024 || place.audioBytes > 100_000)
    if isKilled { place.kill(first) } else { first.close() }
    place.budget.fill()
    let writer = try place.open()
    try writer.trash(id)
    let receipt = try Removal.purge(id, writer)
    #expect(receipt.stubs > 0 && (kilobytes < 1_024 || receipt.freedBytes > 90_000))
    #expect(place.audioBytes == 0)
    if kilobytes >= 1_024 { _ = try place.record(writer, chunks: 2) }
    writer.close()
  }

  @Test("leaves room for audio, however often it was opened (J8)")
  func reserveIsBounded() throws {
    let place = try Place(kilobytes: 1_024)
    try place.open().close()
    let path = place.root.appendingPathComponent("reserve").path
    func reserved() throws -> UInt64 {
      try FileManager.default.attributesOfItem(atPath: path)[.size] as? UInt64 ?? 0
    }
    let first = try reserved()
    for _ in 0..<12 { try place.open().close() }
    // Launch files that are kept take their room meanwhile; the reserve never grows.
    #expect(try reserved() <= first && first > 0)
    let writer = try place.open()
    _ = try place.record(writer, chunks: 4)
    writer.close()
  }

  @Test("that stays full whatever little is purged can be purged on and on (J8)")
  func littleByLittle() throws {
    let place = try Place(kilobytes: 1_024)
    let first = try place.open()
    let small = try (0..<12).map { _ in try place.record(first, chunks: 1) }
    let large = try place.record(first)
    first.close()
    for id in small {
      place.budget.fill()
      let writer = try place.open()
      try writer.trash(id)
      _ = try Removal.purge(id, writer)
      writer.close()
    }
    place.budget.fill()
    let writer = try place.open()
    _ = try Removal.purge(large, writer)
    #expect(place.audioBytes == 0)
    writer.close()
  }

  @Test("is purged by a process that has it open, without opening it anew (J8)")
  func whileOpen() throws {
    let place = try Place(kilobytes: 1_024)
    let writer = try place.open()
    let id = try place.record(writer)
    place.budget.fill()
    _ = try Removal.purge(id, writer)
    #expect(place.audioBytes == 0)
    _ = try place.record(writer, chunks: 2)
    writer.close()
  }

  @Test(
    "a purge that is cut after its intent is ended by the next opening, rows and stubs too (J4)")
  func cutShort() throws {
    let place = try Place(kilobytes: 4_096)
    let writer = try place.open()
    let id = try place.record(writer, chunks: 3)
    let hook = place.budget.hook
    place.log.setHook { operation in
      if case .unlink(let path) = operation, path.hasPrefix("audio/") { return .fail(.medium) }
      return hook(operation)
    }
    let receipt = try Removal.purge(id, writer)
    #expect(place.audioBytes > 0 && receipt.freedBytes == 0)
    #expect(receipt.leftBytes == place.audioBytes && receipt.leftCause != nil)
    #expect(try writer.database.read { try RecordingRows.one(id, $0) } == nil)
    place.kill(writer)
    place.log.setHook(hook)
    let again = try place.open()
    #expect(place.audioBytes == 0)
    let rows = try again.database.read { db in
      try db.first(
        "SELECT (SELECT count(*) FROM chunk) + (SELECT count(*) FROM take)", []
      ) { $0.int64(0) }
    }
    #expect(rows == 0)
    again.close()
  }
}
