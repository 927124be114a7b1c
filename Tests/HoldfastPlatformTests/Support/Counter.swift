import HoldfastPlatform

/// An actor that lives on a thread of its own.
actor Counter {
  nonisolated let executor: ThreadExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  private(set) var total = 0
  private(set) var order: [Int] = []
  private(set) var threads: Set<UInt64> = []

  init(executor: ThreadExecutor) { self.executor = executor }

  func add(_ number: Int) -> Int {
    threads.insert(currentThread())
    total += number
    return total
  }

  /// Makes tasks that each note their number; they inherit this actor, so they are enqueued here,
  /// in order, while this job runs.
  func noteAll(_ numbers: Range<Int>) -> [Task<Void, Never>] {
    numbers.map { number in Task { order.append(number) } }
  }
}
