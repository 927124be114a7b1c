import Foundation
import HoldfastModel
import HoldfastPlatform
import HoldfastTesting
import Testing

@testable import HoldfastStore

/// The same session with a disk that fails: at each operation once, in turn.
@Suite("A disk that fails under a session", .serialized)
struct FaultRunTests {
  private static let isLong = ProcessInfo.processInfo.environment["HOLDFAST_LONG"] == "1"

  /// Counts operations and says when one is to fail.
  private final class Trigger: Sendable {
    private let state: Locked<UInt64>
    private let at: UInt64
    private let stays: Bool
    private let kind: FileFault.Kind
    private let matches: @Sendable (DiskOperation) -> Bool

    init(
      at: UInt64, stays: Bool, _ kind: FileFault.Kind,
      matches: @escaping @Sendable (DiskOperation) -> Bool
    ) {
      state = Locked(0)
      self.at = at
      self.stays = stays
      self.kind = kind
      self.matches = matches
    }

    var count: UInt64 { state.withLock { $0 } }

    func ask(_ operation: DiskOperation) -> DiskVerdict {
      guard matches(operation) else { return .pass }
      let number = state.withLock { count in
        count += 1
        return count
      }
      return number == at || (stays && number > at) ? .fail(kind) : .pass
    }
  }

  private static func place() -> URL {
    FileManager.default.temporaryDirectory
      .appendingPathComponent("holdfast-fault-\(UUID().uuidString)")
  }

  /// Runs the session with the fault at each matching operation in turn; in the default run at one
  /// of so many.
  private func tryAll(
    _ kind: FileFault.Kind, stays: Bool, each stride: UInt64, _ expected: Set<HoldfastError.Code>,
    matches: @escaping @Sendable (DiskOperation) -> Bool
  ) throws {
    var at: UInt64 = 1
    var tried = 0
    while true {
      let root = Self.place()
      defer { try? FileManager.default.removeItem(at: root) }
      try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
      let trigger = Trigger(at: at, stays: stays, kind, matches: matches)
      let script = try CrashScript(root: root, keepsEntries: false) { log, _ in
        log.setHook { trigger.ask($0) }
      }
      script.log.setHook(nil)
      if trigger.count < at { break }
      tried += 1
      if let failure = script.failure {
        #expect(expected.contains(failure.code), "operation \(at): \(failure)")
      }
      let (outcome, _) = try CrashScript.reopen(root.path, boot: 2, seed: 9)
      #expect(outcome.blankTails == [], "operation \(at)")
      for promise in script.promises {
        #expect(promise.holds(outcome), "operation \(at): not so: \(promise.text)")
      }
      at += Self.isLong ? 1 : stride
    }
    #expect(tried > 3)
  }

  @Test("that is full from some write on keeps what was acknowledged and says diskFull (J8)")
  func full() throws {
    try tryAll(.full, stays: true, each: 23, [.diskFull]) { operation in
      switch operation {
      case .write, .create, .makeDirectory, .allocate: true
      default: false
      }
    }
  }

  @Test("whose sync fails once is never believed: a new reel, or a clear error (J2)")
  func failedSync() throws {
    try tryAll(.medium, stays: false, each: 5, [.medium, .diskFull, .protectedDataUnavailable]) {
      if case .sync = $0 { true } else { false }
    }
  }

  @Test("whose write fails once loses nothing that was acknowledged (J2)")
  func failedWrite() throws {
    try tryAll(.medium, stays: false, each: 23, [.medium, .diskFull, .protectedDataUnavailable]) {
      if case .write = $0 { true } else { false }
    }
  }

  @Test("writes database and write-ahead log only under the writer lock (J7)")
  func writerLock() throws {
    let root = Self.place()
    defer { try? FileManager.default.removeItem(at: root) }
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    let lock = root.appendingPathComponent("writer.lock").path
    let breaches = Locked<[String]>([])
    let guarded = Locked<UInt64>(0)
    let script = try CrashScript(root: root, keepsEntries: false) { _, vfs in
      vfs.setWriteGuard { operation in
        guarded.withLock { $0 += 1 }
        guard let file = try? SystemFiles().open(lock, .read) else {
          return breaches.withLock { $0.append("no lock file at \(operation)") }
        }
        defer { file.close() }
        // Another descriptor gets the lock only when the writer does not hold it.
        if (try? file.tryLock(exclusive: true)) == true {
          breaches.withLock { $0.append("\(operation.verb) \(operation.path) without the lock") }
        }
      }
    }
    #expect(script.failure == nil)
    #expect(guarded.withLock { $0 } > 20)
    #expect(breaches.withLock { $0 } == [])
  }
}
