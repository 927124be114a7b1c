import CHoldfastPlatform
import HoldfastModel

/// Runs the jobs of actors on one thread of its own, so that blocking disk I/O keeps no thread of
/// the cooperative pool waiting. An actor names it as its `unownedExecutor` and keeps it alive.
///
/// Invariants:
/// 1. Jobs run one at a time, in the order in which they were enqueued.
/// 2. Every job runs, those enqueued after ``shutdown()`` too: a thread is started whenever there
///    is a job and none runs. Shutting down only means that a thread which finds no more jobs ends.
/// 3. The executor outlives each job that it runs, even if the job lets the last reference go.
/// 4. Alarms ring between jobs, on the same thread. Those that wait when the thread ends are
///    forgotten.
package final class ThreadExecutor: SerialExecutor, Alarm {
  private let queue: JobQueue

  /// An executor whose thread starts with its first job.
  ///
  /// - Parameter name: shown by debuggers and `ps -L`; Linux keeps 15 bytes of it.
  package init(name: String) { queue = JobQueue(name: name) }

  deinit { queue.endWhenEmpty() }

  package func enqueue(_ job: consuming ExecutorJob) {
    queue.append(UnownedJob(job), owner: self)
  }

  package func ring(afterNanoseconds delay: Int64, _ body: @escaping @Sendable () -> Void) {
    queue.ring(at: hf_awake_nanoseconds() + UInt64(max(delay, 0)), body)
  }

  package func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    unsafe UnownedSerialExecutor(ordinary: self)
  }

  /// Stops the process unless the caller is on the executor's thread (`assumeIsolated`).
  package func checkIsolated() {
    precondition(queue.isRunner, "Not on the thread of the executor \(queue.name).")
  }

  /// Runs what is enqueued, then ends the thread; returns when it has ended. On the executor's own
  /// thread it returns at once and the thread ends after its last job.
  package func shutdown() {
    queue.endWhenEmpty()
    queue.waitForEnd()
  }
}

/// The jobs of one executor, and the thread that runs them.
private final class JobQueue: @unchecked Sendable {
  /// A job, and the executor that must live while it runs.
  private struct Entry {
    var job: UnownedJob
    var owner: ThreadExecutor
  }

  let name: String
  private let mutex = ThreadMutex()
  private let condition = ThreadCondition()
  private var waiting: [Entry] = []
  /// Each with the time at which it rings, the nearest last.
  private var alarms: [(due: UInt64, body: @Sendable () -> Void)] = []
  /// A thread is in `run`, or about to be. At most one is.
  private var hasRunner = false
  /// The number of that thread once it is known.
  private var runner: UInt64 = 0
  private var endsWhenEmpty = false

  init(name: String) { self.name = name }

  /// Whether the caller is the thread that runs the jobs.
  var isRunner: Bool {
    mutex.lock()
    defer { mutex.unlock() }
    return hasRunner && runner == hf_thread_id()
  }

  func append(_ job: UnownedJob, owner: ThreadExecutor) {
    change { waiting.append(Entry(job: job, owner: owner)) }
  }

  func ring(at due: UInt64, _ body: @escaping @Sendable () -> Void) {
    change {
      let place = alarms.firstIndex { $0.due < due } ?? alarms.endIndex
      alarms.insert((due, body), at: place)
    }
  }

  /// Changes what is to be done, and sees to it that a thread does it.
  private func change(_ body: () -> Void) {
    mutex.lock()
    body()
    let startsRunner = !hasRunner
    hasRunner = true
    condition.wakeAll()
    mutex.unlock()
    if startsRunner { start() }
  }

  /// Starts the thread. Where the system has none left, the caller's thread runs what is there:
  /// late is better than never.
  private func start() {
    do {
      _ = try BackgroundThread(name: name) { self.run(staying: true) }
    } catch {
      run(staying: false)
    }
  }

  func endWhenEmpty() {
    mutex.lock()
    endsWhenEmpty = true
    condition.wakeAll()
    mutex.unlock()
  }

  func waitForEnd() {
    mutex.lock()
    while hasRunner, runner != hf_thread_id() { condition.wait(mutex) }
    mutex.unlock()
  }

  /// Runs jobs until there are none; when `staying`, then sleeps until there are more or the end
  /// was asked for. The mutex is free while a job runs and while a batch, and with it perhaps the
  /// executor, is let go.
  private func run(staying: Bool) {
    while let (batch, alarm) = next(staying: staying) {
      for entry in batch {
        unsafe entry.job.runSynchronously(on: entry.owner.asUnownedSerialExecutor())
      }
      alarm?()
    }
  }

  /// Everything that waits, in order, and then an alarm that is due; nil when the calling thread is
  /// to run nothing more.
  private func next(staying: Bool) -> ([Entry], (@Sendable () -> Void)?)? {
    mutex.lock()
    defer { mutex.unlock() }
    runner = hf_thread_id()
    while waiting.isEmpty, staying, !endsWhenEmpty {
      guard let due = alarms.last?.due else {
        condition.wait(mutex)
        continue
      }
      let now = hf_awake_nanoseconds()
      if due <= now { break }
      condition.wait(mutex, nanoseconds: due - now)
    }
    let isDue = staying && !endsWhenEmpty && (alarms.last?.due ?? .max) <= hf_awake_nanoseconds()
    guard !waiting.isEmpty || isDue else {
      hasRunner = false
      alarms = []
      condition.wakeAll()
      return nil
    }
    defer { waiting = [] }
    return (waiting, isDue ? alarms.removeLast().body : nil)
  }
}
