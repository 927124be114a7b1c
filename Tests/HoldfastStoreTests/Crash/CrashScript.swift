import Foundation
import HoldfastModel
import HoldfastPlatform
import HoldfastTesting

@testable import HoldfastStore

/// A scripted session on a recorded disk, with what was promised at which operation.
struct CrashScript {
  /// A promise given when so many operations had happened.
  struct Promise {
    let after: Int
    let holds: @Sendable (Outcome) -> Bool
    let text: String
  }

  /// What a store says after a crash.
  struct Outcome {
    /// Chunks that are there, whole, by take and sequence.
    var chunks: [String: Digest] = [:]
    var titles: [RecordingID: String] = [:]
    var deleted: Set<RecordingID> = []
    /// Reels of recovered takes that end in room they were grown by.
    var blankTails: [String] = []
  }

  let log: DiskLog
  private(set) var promises: [Promise] = []
  private(set) var takes: [TakeID] = []
  /// Why the session broke off; nil when it came to its end.
  private(set) var failure: HoldfastError?

  let root: URL
  private let environment: StoreEnvironment
  private let clock: ManualClock
  private let vfs: RecordingVFS

  /// Runs the session: two recordings, three takes, edits, trash; nothing is closed at the end.
  ///
  /// - Parameter prepare: called before the first operation, to set faults and guards.
  init(
    root: URL, keepsEntries: Bool = true,
    prepare: (DiskLog, RecordingVFS) -> Void = { _, _ in }
  ) throws {
    self.root = root
    log = DiskLog(root: root.path, keepsEntries: keepsEntries)
    vfs = try RecordingVFS(log: log)
    prepare(log, vfs)
    clock = ManualClock()
    environment = Self.environment(
      RecordingFiles(SystemFiles(), log: log), clock, seed: 1, vfs: vfs.name)
    do { try run() } catch let error as HoldfastError {
      failure = error
    } catch let fault as ReelFault {
      failure = StoreFaults.error(fault)
    }
  }

  static func environment(
    _ files: any FileSystem, _ clock: any DeviceClock, seed: UInt64, vfs: String? = nil
  ) -> StoreEnvironment {
    StoreEnvironment(
      files: files, clock: clock, random: SeededRandom(seed), hashing: SystemHashing(),
      pause: SystemPause(), machine: [1, 2, 3], process: 1, program: "script", vfs: vfs)
  }

  private mutating func promise(
    _ text: String, _ holds: @escaping @Sendable (Outcome) -> Bool
  ) {
    promises.append(Promise(after: log.entries.count, holds: holds, text: text))
  }

  private mutating func run() throws {
    var options = StoreOptions()
    options.reserveBytes = 65_536
    let (writer, _) = try StoreOpening.open(root.path, options, environment)
    let first = try writer.startRecording(RecordingSeed(title: "First"))
    promise("the first recording is there") { $0.titles[first] != nil }
    try record(writer, first, .power, chunks: 5, seed: 10, index: 2)
    try writer.update(first, RecordingSeed(title: "Renamed"))
    promise("the new title is there") { $0.titles[first] == "Renamed" }
    try record(writer, first, .power, chunks: 2, seed: 40, index: 1)
    let second = try writer.startRecording(RecordingSeed(title: "Second"))
    promise("the second recording is there") { $0.titles[second] == "Second" }
    try record(writer, second, .power, chunks: 3, seed: 70, index: nil)
    try writer.setPhase(.stopped, of: first, reason: .stop)
    try writer.trash(first)
    promise("the first recording is in the trash") { $0.deleted.contains(first) }
    try writer.database.checkpoint(truncate: true)
    _ = try writer.startRecording(RecordingSeed(title: "Third"))
  }

  private mutating func record(
    _ writer: StoreWriter, _ recording: RecordingID, _ durability: ChunkDurability, chunks: Int,
    seed: UInt8, index: Int?
  ) throws {
    guard let format = AudioFormat(pcm: .s16le, sampleRate: 8_000, channels: 1) else { return }
    let take = try writer.openTake(
      of: recording, track: "microphone", format, chunkFrames: 400)
    takes.append(take.take)
    let journal = try writer.makeJournal(take, chunkFrames: 400, durability)
    for number in 0..<chunks {
      clock.advance(seconds: 0.05)
      let payload = (0..<800).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ number &+ Int(seed)) }
      journal.offer(payload)
      for record in try journal.write() {
        let key = "\(take.take)/\(record.sequence)"
        let hash = record.sha256
        promise("chunk \(key) is there") { $0.chunks[key] == hash }
      }
      if index == number { try writer.index(journal.takeRows(), of: take.take) }
    }
    if index != nil {
      _ = try journal.finish()
      try writer.closeTake(take.take, journal.takeRows(), reason: .pause)
    }
  }

  /// Opens what a crash left, in another boot, and reads what is there.
  static func reopen(
    _ directory: String, boot: UInt8, seed: UInt64
  ) throws -> (Outcome, OpeningReport) {
    let clock = ManualClock(boot: boot)
    let environment = environment(SystemFiles(), clock, seed: seed)
    let (writer, report) = try StoreOpening.open(directory, StoreOptions(), environment)
    defer { writer.close() }
    var outcome = Outcome()
    var request = RecordingRequest()
    request.includesDeleted = true
    let summaries = try writer.database.read { try RecordingRows.list(request, $0) }
    for summary in summaries {
      outcome.titles[summary.id] = summary.title
      if summary.isDeleted { outcome.deleted.insert(summary.id) }
      for take in summary.takes { try read(take, writer, &outcome) }
      for take in summary.takes where take.span.closedReason == .termination {
        try findBlankTails(take.id, writer, &outcome)
      }
    }
    return (outcome, report)
  }

  private static func findBlankTails(
    _ take: TakeID, _ writer: StoreWriter, _ outcome: inout Outcome
  ) throws {
    let tail = try TakeTail(
      directory: writer.layout.directory, files: SystemFiles(), hashing: SystemHashing()
    ).scan(take: take, from: nil)
    outcome.blankTails += BlankTail.of(tail.reels).map { "\($0)" }
  }

  private static func read(
    _ take: TakeRow, _ writer: StoreWriter, _ outcome: inout Outcome
  ) throws {
    var records: [ChunkRecord] = []
    try writer.database.read { db in
      try ChunkRows.each(key: take.key, take: take.id, db) { record in
        records.append(record)
        return true
      }
    }
    for record in records {
      let reader = ReelReader(
        directory: writer.layout.directory, reel: ReelPath(take: take.id, reel: record.reel),
        files: SystemFiles(), hashing: SystemHashing())
      guard case .ok = try reader.readChunk(record, verify: true) else { continue }
      outcome.chunks["\(take.id)/\(record.sequence)"] = record.sha256
    }
  }
}
