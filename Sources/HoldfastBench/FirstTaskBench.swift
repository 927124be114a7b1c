import CHoldfastBench
import Foundation
import Holdfast
import HoldfastSQLite

/// From the start of an open to the first deferred task running, through an app's calls, after a
/// death that left a task claimed; over SQLite's open of the same database.
enum FirstTaskBench {
  static func run(_ settings: Settings) async throws -> [Measured] {
    let many: Int64 = settings.quick ? 5_000 : 100_000
    let rows: Int64 = settings.quick ? 100_000 : 1_000_000
    let small = try await measure(ready: 20, chunkRows: 0, settings)
    let large = try await measure(ready: many, chunkRows: rows, settings)
    let name = "open to the first task running, over SQLite's open"
    return [
      Measured(
        "\(name); a small store", small.over, atMost: 50, unit: "ms", note: small.note),
      Measured(
        "\(name); \(many) waiting, \(rows) chunk rows", large.over, atMost: 50, unit: "ms",
        note: large.note),
    ]
  }

  private static func measure(
    ready: Int64, chunkRows: Int64, _ settings: Settings
  ) async throws -> (over: [Double], note: String) {
    let queue = try await WorkQueue(ready: ready)
    if chunkRows > 0 {
      try await queue.onWriter { writer throws(HoldfastError) in
        try OpenBench.fill(writer, rows: chunkRows)
      }
    }
    await queue.store.close()
    var over: [Double] = []
    var note = ""
    for _ in 0..<settings.runs {
      try leaveClaim(queue.directory)
      let floor = try OpenBench.floor(queue.pad, queue.directory)
      let ours = try await ours(queue.directory)
      over.append(ours - floor)
      note = String(format: "%.1f ms, SQLite %.1f ms", ours, floor)
    }
    return (over, note)
  }

  /// A launch that claims a task and is gone.
  private static func leaveClaim(_ directory: String) throws {
    let (writer, _) = try StoreOpening.open(directory, StoreOptions(), .system())
    let search = WorkSearch(kinds: [WorkQueue.kind: []], conditions: "") { candidates, _ in
      candidates.first?.task.id
    }
    guard try writer.workTurn(nil, next: search).order != nil else {
      throw BenchFailure("there was nothing to claim")
    }
    writer.launchFile.drop()
    writer.database.close()
  }

  /// Milliseconds until the handler runs.
  private static func ours(_ directory: String) async throws -> Double {
    let (runs, telling) = AsyncStream.makeStream(of: ContinuousClock.Instant.self)
    var configuration = RecordingStore.Configuration(
      directory: URL(fileURLWithPath: directory))
    configuration.durability = .power
    let start = ContinuousClock.now
    let store = RecordingStore(configuration)
    _ = try await store.open()
    let runner = WorkRunner(
      store,
      [
        WorkHandler(WorkQueue.kind.rawValue, version: 1) { _ in
          telling.yield(.now)
          return .artefact(kind: "summary", text: "done")
        }
      ])
    runner.start()
    guard let first = await runs.first(where: { _ in true }) else {
      throw BenchFailure("no task ran")
    }
    runner.expire()
    await store.close()
    return (first - start).seconds * 1000
  }
}
