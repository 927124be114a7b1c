import Foundation
import HoldfastModel
import HoldfastPlatform
import HoldfastTesting
import Testing

@testable import HoldfastStore

/// A writer opens the store while a recorder is starting: the one opening runs whole at every
/// operation of the other, in turn.
@Suite("A recorder that starts beside another writer")
struct BesideTests {
  private static let long = ProcessInfo.processInfo.environment["HOLDFAST_LONG"] == "1"

  /// A recorder: opens, begins a take and writes chunks that have no rows yet.
  private final class Recorder: @unchecked Sendable {
    let writer: StoreWriter
    let take: OpenTake
    private let journal: TakeJournal
    private(set) var chunks: UInt64 = 0

    init(_ directory: String, _ environment: StoreEnvironment, wait: Int64) throws {
      var options = KeptStore.options
      options.lockWaitNanoseconds = wait
      writer = try StoreOpening.open(directory, options, environment).0
      let id = try writer.startRecording(RecordingSeed(title: "Call"))
      take = try writer.openTake(of: id, track: "mic", KeptStore.format, chunkFrames: 800)
      journal = try writer.makeJournal(take, chunkFrames: 800, .process)
      try write()
    }

    func write() throws {
      for _ in 0..<3 {
        journal.offer(KeptStore.payload(Int(chunks)))
        chunks += UInt64(try journal.write().count)
      }
    }

    /// Goes on and ends, as if nobody had been there.
    func end() throws {
      try write()
      _ = try journal.finish()
      try writer.closeTake(take.take, journal.takeRows(), reason: .stop)
      try writer.setPhase(.stopped, of: take.recording, reason: .stop)
      writer.close()
    }
  }

  /// What is to happen at one operation.
  private final class Instant: Sendable {
    private let count = Locked<UInt64>(0)
    private let at: UInt64
    private let body: @Sendable () -> Void

    init(at: UInt64, _ body: @escaping @Sendable () -> Void) {
      self.at = at
      self.body = body
    }

    var isReached: Bool { count.withLock { $0 } >= at }

    func pass(_ operation: DiskOperation) -> DiskVerdict {
      let number = count.withLock { count in
        count += 1
        return count
      }
      if number == at { body() }
      return .pass
    }
  }

  private func environment(_ store: KeptStore, _ moment: Instant) throws -> StoreEnvironment {
    let log = try DiskLog(root: store.directory, on: SystemFiles(), keepsEntries: false)
    log.setHook { moment.pass($0) }
    var environment = store.environment
    environment.files = RecordingFiles(SystemFiles(), log: log)
    return environment
  }

  private func check(_ recorder: Recorder, _ store: KeptStore, _ label: Comment) throws {
    let state = try recorder.writer.database.read { db in
      try db.first(
        "SELECT closed_reason IS NULL, (SELECT ending IS NULL FROM launch WHERE id = t.launch) "
          + "FROM take t WHERE id = ?1", [.blob(recorder.take.take.bytes)]
      ) { [$0.int64(0), $0.int64(1)] }
    }
    #expect(state == [1, 1], label)
    try recorder.end()
    #expect(try UInt64(store.rows(of: recorder.take.take).count) == recorder.chunks, label)
    let result = try store.verify()
    #expect(result.orphans.isEmpty && result.ok == result.chunks, label)
  }

  @Test("is never taken for dead, at whatever point of the other's opening it starts (L1, J12)")
  func startsWithin() throws {
    var at: UInt64 = 1
    var started = 0
    while true {
      let store = try KeptStore()
      try store.filled()
      let recorder = Locked<Recorder?>(nil)
      let directory = store.directory
      let moment = Instant(at: at) {
        // The other writer may hold the lock at this point; then there is nothing to try.
        let made = try? Recorder(directory, .system(), wait: 0)
        recorder.withLock { $0 = made }
      }
      let other = try StoreOpening.open(
        store.directory, KeptStore.options, environment(store, moment)
      ).0
      try other.update(
        try #require(try other.database.read { try RecordingRows.list(.init(), $0).last?.id }),
        RecordingSeed(title: "Renamed"))
      guard moment.isReached else { break }
      if let recorder = recorder.withLock({ $0 }) {
        started += 1
        try check(recorder, store, "operation \(at)")
      }
      other.close()
      at += 1
    }
    #expect(started > 10)
  }

  @Test("is never taken for dead, at whatever point of its start the other opens (L1, J12)")
  func otherWithin() throws {
    var at: UInt64 = 1
    while true {
      let store = try KeptStore()
      try store.filled()
      let directory = store.directory
      let moment = Instant(at: at) {
        var options = KeptStore.options
        options.lockWaitNanoseconds = 0
        (try? StoreOpening.open(directory, options, .system()).0)?.close()
      }
      let recorder = try Recorder(
        store.directory, environment(store, moment), wait: KeptStore.options.lockWaitNanoseconds)
      guard moment.isReached else { break }
      try check(recorder, store, "operation \(at)")
      at += Self.long ? 1 : 3
    }
    #expect(at > 10)
  }
}
