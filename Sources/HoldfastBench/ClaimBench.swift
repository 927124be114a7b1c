import CHoldfastBench
import Foundation
import Holdfast
import HoldfastSQLite

/// Claims and completions, each power-safe, with a result, against the same statements in C on a
/// copy of the same database.
enum ClaimBench {
  static func run(_ settings: Settings) async throws -> [Measured] {
    let sizes: [Int64] = settings.quick ? [500, 5_000] : [500, 5_000, 100_000]
    var rows: [Measured] = []
    var queues: [Int64: Ratios] = [:]
    for size in sizes {
      let ratios = try await measure(try await WorkQueue(ready: size), settings)
      queues[size] = ratios
      rows += ratios.rows("\(size) waiting")
    }
    if let small = queues[500], let last = sizes.last, let large = queues[last] {
      let times = zip(large.times, small.times).map { $0 / $1 }
      rows.append(
        Measured("a claim with \(last) waiting", times, atMost: 1.25, unit: "× with 500"))
    }
    let mixed = try await WorkQueue(ready: 5_000)
    try await mixed.addStanding(5_000, conditions: conditions)
    let ratios = try await measure(mixed, settings)
    rows += ratios.rows("5000 waiting, 20000 that cannot run")
    if let plain = queues[5_000] {
      let times = zip(ratios.times, plain.times).map { $0 / $1 }
      rows.append(
        Measured("a claim beside 20000 that cannot run", times, atMost: 1.25, unit: "× without"))
    }
    return rows
  }

  /// How the device is all the while.
  private static let conditions = DeviceState().spelled
  private static let stamp = HandlerStamp(version: 1, quality: 1)
  private static let text = String(repeating: "what was said and decided; ", count: 18)

  private struct Ratios {
    var two: [Double] = []
    var one: [Double] = []
    var runner: [Double] = []
    /// Nanoseconds of a turn of one commit.
    var times: [Double] = []
    var note = ""

    func rows(_ name: String) -> [Measured] {
      [
        Measured(
          "claim, then complete; \(name)", two, atLeast: 0.8, unit: "× SQLite, two commits",
          note: note),
        Measured(
          "complete and claim the next; \(name)", one, atLeast: 1.2,
          unit: "× SQLite, two commits"),
        Measured(
          "the same through a runner; \(name)", runner, unit: "× SQLite, two commits (no mark)"),
      ]
    }
  }

  private static func measure(_ queue: WorkQueue, _ settings: Settings) async throws -> Ratios {
    let count: Int64 = settings.quick ? 60 : 150
    var ratios = Ratios()
    for _ in 0..<settings.runs {
      let floor = try await floor(queue, count)
      let two = try await twoCommits(queue, count)
      let one = try await oneCommit(queue, count)
      let runner = try await throughRunner(queue, count)
      ratios.two.append(floor / two)
      ratios.one.append(floor / one)
      ratios.runner.append(floor / runner)
      ratios.times.append(one)
      ratios.note = String(
        format: "SQLite %.3f ms, ours %.3f ms in two, %.3f ms in one, %.3f ms through a runner",
        floor / 1e6, two / 1e6, one / 1e6, runner / 1e6)
      try await queue.add(count * 3 + 1)
    }
    return ratios
  }

  // MARK: each returns nanoseconds a task

  private static func floor(_ queue: WorkQueue, _ count: Int64) async throws -> Double {
    try await queue.onWriter { writer throws(HoldfastError) in
      _ = try writer.database.checkpoint(truncate: true)
    }
    let copy = queue.pad.path("floor.sqlite")
    defer {
      for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: copy + end) }
    }
    try FileManager.default.copyItem(
      atPath: "\(queue.directory)/store.sqlite", toPath: copy)
    let total = unsafe hf_floor_work(copy, count, WorkQueue.kind.rawValue, text)
    guard total > 0 else { throw BenchFailure("the floor failed") }
    return Double(total) / Double(count)
  }

  private static func twoCommits(_ queue: WorkQueue, _ count: Int64) async throws -> Double {
    try await queue.onWriter { writer throws(HoldfastError) in
      let start = ContinuousClock.now
      for _ in 0..<count {
        let order = try order(of: try writer.workTurn(nil, next: search))
        try expectTaken(try writer.workTurn(done(order), next: nil))
      }
      return start.nanosecondsUntilNow / Double(count)
    }
  }

  private static func oneCommit(_ queue: WorkQueue, _ count: Int64) async throws -> Double {
    try await queue.onWriter { writer throws(HoldfastError) in
      var turn = try writer.workTurn(nil, next: search)
      let start = ContinuousClock.now
      for _ in 0..<count {
        turn = try writer.workTurn(done(try order(of: turn)), next: search)
        try expectTaken(turn)
      }
      let time = start.nanosecondsUntilNow / Double(count)
      try expectTaken(try writer.workTurn(done(try order(of: turn)), next: nil))
      return time
    }
  }

  /// By an app's runner whose handler answers at once: hand-overs between threads are counted in.
  private static func throughRunner(_ queue: WorkQueue, _ count: Int64) async throws -> Double {
    let runner = WorkRunner(
      queue.store,
      [
        WorkHandler(WorkQueue.kind.rawValue, version: 1) { _ in
          .artefact(kind: "summary", text: text)
        }
      ])
    let start = ContinuousClock.now
    let outcome = try await runner.engine.run(atMost: UInt64(count))
    guard outcome.done == UInt64(count) else {
      throw BenchFailure("the runner did \(outcome.done) of \(count)")
    }
    return start.nanosecondsUntilNow / Double(count)
  }

  private static var search: WorkSearch {
    WorkSearch(kinds: [WorkQueue.kind: []], conditions: conditions) { candidates, _ in
      candidates.min { $0.task.turn < $1.task.turn }?.task.id
    }
  }

  private static func done(_ order: WorkOrder) -> (claim: TaskClaim, ending: WorkEnding) {
    let output = UnitOutput(track: nil, covered: 0..<1_000_000_000, fraction: 1, handler: stamp)
    return (order.claim, .done(output, [Artefact(kind: "summary", text: text)], stamp))
  }

  private static func order(of turn: WorkTurn) throws(HoldfastError) -> WorkOrder {
    guard let order = turn.order else {
      throw HoldfastError(.notFound, "There was nothing to claim.")
    }
    return order
  }

  private static func expectTaken(_ turn: WorkTurn) throws(HoldfastError) {
    guard turn.fate == .taken else {
      throw HoldfastError(.conflict, "A result was not taken: \(turn.fate).")
    }
  }
}

extension ContinuousClock.Instant {
  /// Nanoseconds from here to now.
  var nanosecondsUntilNow: Double { (ContinuousClock.now - self).seconds * 1e9 }
}
