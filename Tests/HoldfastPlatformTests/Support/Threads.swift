import Foundation
import HoldfastPlatform

/// A number of the calling thread.
func currentThread() -> UInt64 { UInt64(UInt(bitPattern: pthread_self().hashValue)) }

/// The names of this process's threads.
func threadNames() -> [String] {
  let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
  return tasks.compactMap { task in
    try? String(contentsOfFile: "/proc/self/task/\(task)/comm", encoding: .utf8)
      .trimmingCharacters(in: .newlines)
  }
}

/// Runs the bodies at once, each on a thread of its own, until all have returned.
func together(_ bodies: [@Sendable () -> Void]) throws {
  let threads = try bodies.map { try BackgroundThread(name: "test", $0) }
  for thread in threads { thread.join() }
}

/// Gives way to other threads until the condition holds; false when it never does (ten seconds).
func eventually(_ condition: () -> Bool) -> Bool {
  let clock = ContinuousClock()
  let end = clock.now + .seconds(10)
  while !condition() {
    if clock.now > end { return false }
    sched_yield()
  }
  return true
}
