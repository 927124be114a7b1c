import CHoldfastBench
import Foundation
import Holdfast
import HoldfastSQLite

/// Claims and completions, each power-safe, with a result, against the same statements in C on a
/// copy of the same database, and against the fewest that would do.
enum ClaimBench {
  static func run(_ settings: Settings) async throws -> [Measured] {
    let sizes: [Int64] = settings.quick ? [500, 5_000] : [500, 5_000, 100_000]
    let standing: Int64 = 5_000
    var queues: [WorkQueue] = []
    for size in sizes + [5_000] { queues.append(try await WorkQueue(ready: size)) }
    try await queues[sizes.count].addStanding(standing, conditions: conditions)
    var ratios = queues.map { _ in Ratios() }
    for _ in 0..<settings.runs {
      for (index, queue) in queues.enumerated() {
        try await measure(queue, count: settings.quick ? 60 : 150, &ratios[index])
      }
    }
    var rows: [Measured] = []
    for (size, ratios) in zip(sizes, ratios) { rows += ratios.rows("\(size) waiting") }
    rows += ratios[sizes.count].rows("5000 waiting, \(standing * 4) that cannot run")
    return rows + [
      Measured(
        "a claim with \(sizes[sizes.count - 1]) waiting", ratios[sizes.count - 1] / ratios[0],
        atMost: 1.25, unit: "× with 500"),
      Measured(
        "a claim beside \(standing * 4) that cannot run", ratios[sizes.count] / ratios[1],
        atMost: 1.25, unit: "× without"),
    ]
  }

  /// How the device is all the while.
  private static let conditions = DeviceState().spelled
  private static let stamp = HandlerStamp(version: 1, quality: 1)
  private static let text = String(repeating: "what was said and decided; ", count: 18)

  private struct Ratios {
    var two: [Double] = []
    var one: [Double] = []
    var runner: [Double] = []
    /// One commit against the fewest statements.
    var fewest: [Double] = []
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
          "the same over the fewest statements; \(name)", fewest,
          unit: "× SQLite, two commits (no mark)"),
        Measured(
          "the same through a runner; \(name)", runner, unit: "× SQLite, two commits (no mark)"),
      ]
    }

    /// The times of two queues, run by run.
    static func / (left: Ratios, right: Ratios) -> [Double] {
      zip(left.times, right.times).map { $0 / $1 }
    }
  }

  private static func measure(
    _ queue: WorkQueue, count: Int64, _ ratios: inout Ratios
  ) async throws {
    let floor = try await floor(queue, count, same: true)
    let fewest = try await self.floor(queue, count, same: false)
    let two = try await twoCommits(queue, count)
    try await queue.add(count)
    let one = try await oneCommit(queue, count)
    try await queue.add(count + 1)
    let runner = try await throughRunner(queue, count)
    try await queue.add(count)
    ratios.two.append(floor / two)
    ratios.one.append(floor / one)
    ratios.fewest.append(fewest / one)
    ratios.runner.append(floor / runner)
    ratios.times.append(one)
    ratios.note = String(
      format: "SQLite %.3f ms (%.3f with the fewest), ours %.3f ms in two, %.3f ms in one, "
        + "%.3f ms through a runner",
      floor / 1e6, fewest / 1e6, two / 1e6, one / 1e6, runner / 1e6)
  }

  // MARK: each returns nanoseconds a task

  private static func floor(
    _ queue: WorkQueue, _ count: Int64, same: Bool
  ) async throws -> Double {
    try await queue.onWriter { writer throws(HoldfastError) in
      // Without truncating it: a log that grows costs more a commit than one written over.
      _ = try writer.database.checkpoint()
    }
    let copy = queue.pad.path("floor.sqlite")
    defer {
      for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: copy + end) }
    }
    try FileManager.default.copyItem(
      atPath: "\(queue.directory)/store.sqlite", toPath: copy)
    let total = unsafe hf_floor_work(copy, count, WorkQueue.kind.rawValue, text, same ? 1 : 0)
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
