import Foundation
import Holdfast
import Testing

/// A store that refuses what the engine brings, as on a full disk, when the test says so.
private final class RefusingStore: WorkStore, @unchecked Sendable {
  private let real: StoreHost
  private let refusals = Locked<[WorkStep]>([])

  /// What may be refused.
  enum WorkStep { case part, end }

  init(_ real: StoreHost) { self.real = real }

  /// Refuses the next call of the kind, once.
  func refuse(_ step: WorkStep) { refusals.withLock { $0.append(step) } }

  private func ask(_ step: WorkStep) throws(HoldfastError) {
    let isRefused = refusals.withLock { refusals -> Bool in
      guard let index = refusals.firstIndex(of: step) else { return false }
      refusals.remove(at: index)
      return true
    }
    if isRefused { throw HoldfastError(.diskFull, "There is no room.", isRetryable: true) }
  }

  func workTurn(
    _ brought: (claim: TaskClaim, ending: WorkEnding)?, next search: WorkSearch?
  ) async throws(HoldfastError) -> WorkTurn {
    if let brought {
      if case .part = brought.ending { try ask(.part) } else { try ask(.end) }
    }
    return try await real.workTurn(brought, next: search)
  }

  func workTimes() async throws(HoldfastError) -> [UnitTimeRow] { try await real.workTimes() }
  func beat(_ heartbeat: LaunchHeartbeat) { real.beat(heartbeat) }
  func rest(_ task: String) { real.rest(task) }
}

@Suite("Work whose store cannot take what was done")
struct FullStoreTests {
  private struct World {
    let place = TemporaryStore()
    let store: RecordingStore
    let recording: Recording.ID
    let refusing: RefusingStore
    let engine: WorkEngine
    let calls = Locked(0)

    init(_ run: @escaping @Sendable (WorkCall) async -> WorkAnswer) async throws {
      store = try await WorkRunnerTests.open(place, ["transcribe"])
      recording = try await WorkRunnerTests.record(store, seconds: 3).id
      refusing = RefusingStore(store.host)
      var traits = HandlerTraits(
        TaskKind(rawValue: "transcribe"), version: 1, unitMilliseconds: 1_000)
      traits.follows = true
      let calls = calls
      let body = WorkHandlerBody(traits, makesPass: true) { call in
        calls.withLock { $0 += 1 }
        return await run(call)
      }
      engine = WorkEngine(
        store: refusing, handlers: [body],
        seams: store.host.workSeams(device: { DeviceState() }))
    }

    func task() async throws -> TaskRow {
      try #require(try await store.host.query { try TaskRows.list(settled: true, $0) }.first)
    }

    func texts() async throws -> [String] {
      var updates = store.transcript(of: recording).makeAsyncIterator()
      return await updates.next()?.segments.map(\.text) ?? []
    }
  }

  private static func say(_ call: WorkCall) -> [SpokenSegment] {
    let range = call.unit.seconds
    return [
      SpokenSegment(
        startSeconds: range.lowerBound, endSeconds: range.upperBound,
        text: "unit \(call.order.task.unit)")
    ]
  }

  @Test("a result is kept until it can be committed; the handler is not run again (T3, T8)")
  func refusedEnd() async throws {
    let world = try await World { call in
      .output(segments: Self.say(call), checkpoint: nil, artefacts: [])
    }
    world.refusing.refuse(.end)
    await #expect(throws: HoldfastError.self) { try await world.engine.run() }
    #expect(try await world.task().phase == .running)
    let outcome = try await world.engine.run()
    #expect(outcome.units == 3 && outcome.done == 1 && outcome.failed == 0)
    #expect(world.calls.withLock { $0 } == 3)
    #expect(try await world.texts() == ["unit 0", "unit 1", "unit 2"])
    #expect(try await world.task().counters.failures == 0)
    await world.store.close()
  }

  @Test("after a part that could not be saved none is, whatever the handler makes of it (T3, T4)")
  func refusedPart() async throws {
    let world = try await World { call in
      let said = Self.say(call)
      for share in [0.25, 0.5, 0.75] {
        let through = call.unit.seconds.lowerBound + share
        try? await call.save(WorkPart(segments: said, checkpoint: [1], throughSeconds: through))
      }
      return .output(segments: said, checkpoint: nil, artefacts: [])
    }
    world.refusing.refuse(.part)
    let outcome = try await world.engine.run()
    #expect(outcome.units == 0 && outcome.failed == 1)
    let task = try await world.task()
    #expect(task.phase == .waiting && task.counters.failures == 0)
    #expect(task.cause == "There is no room." && task.unit == 0)
    #expect(try await world.texts() == [])
    await world.store.close()
  }
}
