import HoldfastModel
import HoldfastPlatform

/// Checks a number of reels on the caller's thread and, where that is allowed, on one more.
///
/// Hashing is the cost of a verification, and one thread hashes at most as fast as
/// `openssl dgst -sha256`; reading takes part of its time. Two threads by reel give the reading
/// back. Memory is that of two windows and of the rows of the batch.
struct ReelBatch {
  /// Bytes of reels that make a batch: both threads have many reels to share, and rows of no more
  /// are in memory.
  static let wantedBytes: UInt64 = 128 << 20
  /// Reels that make a batch, when they are small.
  static let wantedJobs: UInt64 = 256

  private(set) var jobs: [ReelJob] = []
  private var bytes: UInt64 = 0

  /// Whether it is time to run.
  var isFull: Bool { bytes >= Self.wantedBytes || UInt64(jobs.count) >= Self.wantedJobs }

  /// Adds a reel.
  mutating func add(_ job: ReelJob) {
    jobs.append(job)
    bytes += job.bytes
  }

  /// Checks all reels.
  ///
  /// - Parameter progress: called on this thread after each reel that was checked here, with the
  ///   bytes that both threads have done.
  /// - Returns: outcomes in the order of the jobs.
  func run(
    _ check: ReelCheck, threads: UInt32, _ progress: (UInt64) -> Void
  ) -> [ReelOutcome] {
    let queue = JobQueue(jobs)
    // Without another thread the work is done on this one.
    let helper =
      jobs.count > 1 && threads > 1
      ? try? BackgroundThread(name: "holdfast-verify") { while queue.runNext(check) {} } : nil
    while queue.runNext(check) { progress(queue.doneBytes) }
    helper?.join()
    return queue.outcomes
  }
}

/// Jobs that several threads take from.
private final class JobQueue: Sendable {
  private struct State: Sendable {
    var next = 0
    var doneBytes: UInt64 = 0
    var outcomes: [ReelOutcome?]
  }

  private let jobs: [ReelJob]
  private let state: Locked<State>

  init(_ jobs: [ReelJob]) {
    self.jobs = jobs
    state = Locked(State(outcomes: Array(repeating: nil, count: jobs.count)))
  }

  var doneBytes: UInt64 { state.withLock { $0.doneBytes } }
  var outcomes: [ReelOutcome] { state.withLock { $0.outcomes.compactMap(\.self) } }

  /// Takes and runs one job; false when none is left.
  func runNext(_ check: ReelCheck) -> Bool {
    let mine: Int? = state.withLock { state in
      guard state.next < jobs.count else { return nil }
      state.next += 1
      return state.next - 1
    }
    guard let mine else { return false }
    let outcome = check.run(jobs[mine])
    state.withLock { state in
      state.outcomes[mine] = outcome
      state.doneBytes += outcome.job.bytes
    }
    return true
  }
}
