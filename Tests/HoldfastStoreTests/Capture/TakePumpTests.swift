import Foundation
import HoldfastModel
import HoldfastPlatform
import HoldfastStore
import Testing

/// A take's threads, from the ring to the reels.
@Suite struct TakePumpTests {
  private static let format = SoundFiles.format(.s16le, 8_000, 1)

  /// What the hooks heard.
  private final class Heard: Sendable {
    let acknowledged = Locked<[ChunkRecord]>([])
    let faults = Locked<[ReelFault]>([])
    let ended = WakeSignal()
    let outcome = Locked<TakePump.Outcome?>(nil)

    var hooks: TakePump.Hooks {
      TakePump.Hooks(
        acknowledged: { records, _ in self.acknowledged.withLock { $0 += records } },
        index: { _ in },
        failed: { fault in self.faults.withLock { $0.append(fault) } })
    }

    /// Ends the take and waits for it.
    func finish(_ pump: TakePump) throws -> TakePump.Outcome {
      pump.finish { outcome in
        self.outcome.withLock { $0 = outcome }
        self.ended.signal()
      }
      ended.wait(timeoutNanoseconds: 30_000_000_000)
      return try #require(outcome.withLock { $0 })
    }
  }

  /// A take in a store of its own.
  private final class Stage {
    let heard = Heard()
    let root = FileManager.default.temporaryDirectory.path + "/holdfast-pump-\(UUID().uuidString)"
    let writer: StoreWriter
    let recording: RecordingID
    let take: OpenTake
    let pump: TakePump

    init(
      chunkFrames: UInt64 = 100, ringBytes: UInt32 = 4_096, files: (any FileSystem)? = nil
    ) throws {
      var environment = StoreEnvironment.system()
      if let files { environment.files = files }
      writer = try StoreOpening.open(root, StoreOptions(), environment).0
      recording = try writer.startRecording(RecordingSeed())
      take = try writer.openTake(
        of: recording, track: "microphone", TakePumpTests.format, chunkFrames: chunkFrames)
      let wake = WakeSignal()
      pump = try TakePump(
        try writer.makeJournal(take, chunkFrames: chunkFrames, .power),
        ring: AudioRing(capacityBytes: ringBytes, wake: wake), wake: wake, heard.hooks)
    }

    deinit {
      writer.close()
      try? FileManager.default.removeItem(atPath: root)
    }

    func push(_ frames: Int) -> Bool {
      let bytes = [UInt8](repeating: 7, count: frames * 2)
      guard pump.waitForRoom(UInt32(min(bytes.count + 64, 2_048))) else { return false }
      return pump.ring.push(bytes.span.bytes, frames: UInt32(frames), hostTime: 0)
    }
  }

  @Test("everything that was pushed before the end is acknowledged, once, in order")
  func order() throws {
    let stage = try Stage()
    var frames = 0
    for piece in 0..<300 {
      #expect(stage.push(piece % 90))
      frames += piece % 90
    }
    let outcome = try stage.heard.finish(stage.pump)
    #expect(outcome.fault == nil && outcome.lostFrames == 0 && outcome.droppedFrames == 0)
    let records = stage.heard.acknowledged.withLock { $0 }
    #expect(records.map(\.sequence) == Array(0..<UInt64(records.count)))
    #expect(records.map { Int($0.frames) }.reduce(0, +) == frames)
    #expect(!stage.push(1), "An ended take takes nothing more.")
  }

  @Test("frames that found no room after the last chunk become a jump at the take's end")
  func trailingDrops() throws {
    let stage = try Stage(ringBytes: 1_024)
    #expect(stage.push(100))
    let tooLarge = [UInt8](repeating: 0, count: 4_000)
    let isTaken = stage.pump.ring.push(tooLarge.span.bytes, frames: 2_000, hostTime: 0)
    #expect(!isTaken)
    let outcome = try stage.heard.finish(stage.pump)
    #expect(outcome.droppedFrames == 2_000 && outcome.lostFrames == 0)
    try stage.writer.closeTake(
      stage.take.take, outcome.records, reason: .stop, droppedFrames: outcome.droppedFrames)
    let summary = try #require(
      try stage.writer.database.read { try RecordingRows.one(stage.recording, $0) })
    let jump = try #require(summary.takes.first?.span.jumps.first)
    #expect(jump.atFrame == 100 && jump.frames == 2_000 && jump.reason == .overflow)
  }

  @Test("J8: on a full disk what was taken in and not written is counted, and nothing else")
  func fullDisk() throws {
    let stage = try Stage(files: FullDisk(room: 2_000))
    var pushed: UInt64 = 0
    for _ in 0..<40 where stage.push(100) { pushed += 100 }
    let outcome = try stage.heard.finish(stage.pump)
    #expect(outcome.fault?.code == .full)
    #expect(stage.heard.faults.withLock { $0.map(\.code) } == [.full])
    let end = outcome.records.map { $0.firstFrame + UInt64($0.frames) }.max() ?? 0
    #expect(end < pushed && outcome.lostFrames == pushed - end)
    let acknowledged = stage.heard.acknowledged.withLock { $0 }
    #expect(acknowledged == Array(outcome.records.prefix(acknowledged.count)))
    #expect(!stage.push(100))
  }

  /// The device's files, of which reels fail one sync.
  private final class FailingSync: WrappedFiles, @unchecked Sendable {
    private let left: Locked<UInt64>
    init(at number: UInt64) { left = Locked(number) }

    override func wrap(_ file: any OpenFile) -> any OpenFile {
      file.path.contains("/audio/") ? Failing(file, self) : file
    }

    private final class Failing: WrappedFile, @unchecked Sendable {
      let owner: FailingSync
      init(_ file: any OpenFile, _ owner: FailingSync) {
        self.owner = owner
        super.init(file)
      }

      override func sync() throws(FileFault) {
        let number = owner.left.withLock { left in
          defer { left = left == 0 ? 0 : left - 1 }
          return left
        }
        guard number != 1 else {
          throw FileFault(
            kind: .medium, operation: "sync", path: path, errno: 5, reason: "Input/output error")
        }
        try super.sync()
      }
    }
  }

  @Test("J2: after a failed sync each chunk is acknowledged once", arguments: UInt64(1)...4)
  func acknowledgedOnce(at number: UInt64) throws {
    let stage = try Stage(files: FailingSync(at: number))
    for _ in 0..<30 { #expect(stage.push(100)) }
    let outcome = try stage.heard.finish(stage.pump)
    #expect(outcome.fault == nil && outcome.safeChunks == 30)
    let records = stage.heard.acknowledged.withLock { $0 }
    #expect(records.map(\.sequence) == Array(0..<30))
  }

  @Test("J8: of a group that does not fit whole, all chunks that fit are kept")
  func whatFits() throws {
    var environment = StoreEnvironment.system()
    environment.files = FullDisk(room: 5_000)
    let root = FileManager.default.temporaryDirectory.path + "/holdfast-pump-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: root) }
    let writer = try StoreOpening.open(root, StoreOptions(), environment).0
    defer { writer.close() }
    let recording = try writer.startRecording(RecordingSeed())
    let take = try writer.openTake(
      of: recording, track: "microphone", Self.format, chunkFrames: 100)
    let journal = try writer.makeJournal(take, chunkFrames: 100, .power)
    for _ in 0..<30 { journal.offer(chunk: [UInt8](repeating: 1, count: 1_000), frames: 100) }
    let fault = #expect(throws: ReelFault.self) { try journal.write() }
    journal.abandon()
    #expect(fault?.code == .full)
    // A header of some 400 bytes, then frames of 1,096.
    #expect(journal.takeRows().map(\.sequence) == [0, 1, 2, 3])
    #expect(journal.chunks.safeChunks == 4)
  }

  @Test("J8: chunks of a group that stand on the disk get their rows, though the group failed")
  func writtenBeforeTheFault() throws {
    let files = FullDisk(room: 7 << 20)
    var environment = StoreEnvironment.system()
    environment.files = files
    let root = FileManager.default.temporaryDirectory.path + "/holdfast-pump-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: root) }
    let writer = try StoreOpening.open(root, StoreOptions(), environment).0
    defer { writer.close() }
    let recording = try writer.startRecording(RecordingSeed())
    let take = try writer.openTake(
      of: recording, track: "microphone", Self.format, chunkFrames: 100)
    let journal = try writer.makeJournal(take, chunkFrames: 100, .power)
    for _ in 0..<4 { journal.offer(chunk: [UInt8](repeating: 1, count: 3 << 20), frames: 100) }
    #expect(throws: ReelFault.self) { try journal.write() }
    journal.abandon()
    // Two of them fill a reel; the second reel had no room.
    #expect(journal.takeRows().map(\.sequence) == [0, 1])
  }
}
