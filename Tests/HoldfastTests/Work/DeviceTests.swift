import Foundation
import Holdfast
import HoldfastTesting
import Testing

/// What a runner makes of the device, and what the flight log tells of it.
@Suite("Work and the device")
struct DeviceTests {
  /// A device that a test makes hot.
  final class TestDevice: DeviceSense {
    private let state = Locked<(DeviceVitals, TaskConditions)>(
      (DeviceVitals(footprintBytes: 64 << 20, thermal: .nominal), [.network, .power]))

    func vitals() -> DeviceVitals { state.withLock { $0.0 } }
    func conditions() -> TaskConditions { state.withLock { $0.1 } }
    func set(_ thermal: DeviceVitals.Thermal, _ conditions: TaskConditions = [.network, .power]) {
      state.withLock { state in
        state.0.thermal = thermal
        state.1 = conditions
      }
    }
  }

  private static func open(
    _ place: TemporaryStore, _ device: TestDevice, _ alarm: any Alarm
  ) async throws -> RecordingStore {
    var configuration = RecordingStore.Configuration(directory: place.directory)
    configuration.reserveBytes = 0
    configuration.pipeline = ["summarize"]
    var environment = StoreEnvironment.system()
    environment.alarm = alarm
    environment.device = device
    let store = RecordingStore(configuration, environment: environment)
    try await store.open()
    return store
  }

  /// The newest launch, as another process sees it.
  private static func launch(_ place: TemporaryStore) throws -> LaunchInfo {
    let reader = try ReaderOpening.open(
      place.directory.path, temporary: NSTemporaryDirectory(), .system())
    return try #require(try LaunchList.read(reader).first)
  }

  private static let summarizer = WorkHandler(
    "summarize", version: 1, needs: [.network, .power]
  ) { _ in .artefact(kind: "summary", text: "words") }

  @Test("what the app tells of power and network holds work back, says so, and sets it going (S8)")
  func told() async throws {
    let place = TemporaryStore()
    let store = try await Self.open(place, TestDevice(), HandAlarm())
    let recording = try await WorkRunnerTests.record(store, seconds: 1)
    let runner = WorkRunner(store, [Self.summarizer])
    runner.conditionsChanged(to: [.network])
    #expect(await runner.drain().done == 0)
    let item = try #require(await WorkRunnerTests.items(runner, of: recording.id)["summarize"])
    #expect(item.state == "waiting" && item.cause == "needs power")
    #expect(item.wake == "there is external power" && item.interruptions == 0)
    runner.start()
    runner.conditionsChanged(to: [.network, .power])
    var items = runner.items(of: recording.id).makeAsyncIterator()
    while let now = await items.next(), now.first?.state != "done" {}
    let done = try #require(await WorkRunnerTests.items(runner, of: recording.id)["summarize"])
    #expect(done.cause == nil && done.wake == nil)
    runner.expire()
    await store.close()
  }

  @Test("what the system tells holds it back too: no network, heat (S8)")
  func measured() async throws {
    let place = TemporaryStore()
    let device = TestDevice()
    let store = try await Self.open(place, device, HandAlarm())
    let recording = try await WorkRunnerTests.record(store, seconds: 1)
    let runner = WorkRunner(store, [Self.summarizer])
    for (thermal, conditions, cause, wake) in [
      (
        DeviceVitals.Thermal.nominal, TaskConditions.power, "needs network",
        "a network is reachable"
      ),
      (.serious, [.network, .power], "the device is too hot", "the device has cooled"),
    ] {
      device.set(thermal, conditions)
      #expect(await runner.drain().left == 1)
      let item = try #require(await WorkRunnerTests.items(runner, of: recording.id)["summarize"])
      #expect(item.state == "waiting" && item.cause == cause && item.wake == wake)
    }
    device.set(.fair)
    #expect(await runner.drain().done == 1)
    await store.close()
  }

  @Test("a capture beats without any work, and stops with it (L2)")
  func capture() async throws {
    let place = TemporaryStore()
    let (device, alarm) = (TestDevice(), ManualAlarm())
    let store = try await Self.open(place, device, alarm)
    func beat() throws -> LaunchHeartbeat? { try Self.launch(place).heartbeat }
    #expect(try beat() == nil)
    let session = try await store.startRecording(.init(title: "Quiet"))
    let first = try #require(try beat())
    #expect(first.vitals.footprintBytes == 64 << 20 && first.task.isEmpty)
    device.set(.serious)
    alarm.ring()
    let second = try #require(try beat())
    #expect(second.counter == first.counter + 1 && second.vitals.thermal == .serious)
    _ = try await session.stop()
    alarm.ring()
    alarm.ring()
    #expect(try beat() == second)
    await store.close()
  }

  @Test("a warning of memory is noted with what the process held (L2)")
  func memory() async throws {
    let place = TemporaryStore()
    let store = try await Self.open(place, TestDevice(), HandAlarm())
    store.note(.memoryWarning)
    #expect(try Self.launch(place).events.last?.detail == "67108864 bytes")
    await store.close()
  }

  @Test("the user's choice of a result is shown, and taken back (T9)")
  func choice() async throws {
    let place = TemporaryStore()
    let store = try await Self.open(place, TestDevice(), HandAlarm())
    let recording = try await WorkRunnerTests.record(store, seconds: 1)
    let runner = WorkRunner(store, [Self.summarizer])
    let item = try #require(await WorkRunnerTests.items(runner, of: recording.id)["summarize"])
    let name = item.id.description
    let stale = try await store.host.write { writer throws(HoldfastError) in
      try writer.database.commit { db in
        try writer.tasks.claim(try TaskRows.resolve(name, db).id, db)
      }
    }
    let claim = try #require(stale)
    try await runner.cancel(item.id)
    try await runner.retry(item.id)
    #expect(await runner.drain().done == 1)
    // The worker that was called off brings a worse one.
    try await store.host.write { writer throws(HoldfastError) in
      try writer.database.commit { db in
        let fact = ResultFact(
          task: claim.task, artefact: Artefact(kind: "summary", text: "other words"),
          quality: -1, version: 1, inputRevision: 1)
        _ = try writer.tasks.complete(claim, [fact], db)
      }
    }
    let two = try #require(await WorkRunnerTests.items(runner, of: recording.id)["summarize"])
    #expect(two.results == ["summary": "words"] && two.candidates.count == 2)
    let other = try #require(two.candidates.last)
    try await runner.choose(other.id, of: item.id)
    let chosen = try #require(await WorkRunnerTests.items(runner, of: recording.id)["summarize"])
    #expect(chosen.results == ["summary": "other words"])
    #expect(chosen.candidates.map(\.isChosen) == [true, false])
    try await runner.choose(nil, of: item.id)
    let again = try #require(await WorkRunnerTests.items(runner, of: recording.id)["summarize"])
    #expect(again.results == ["summary": "words"])
    await #expect(throws: HoldfastError.self) { try await runner.choose("0000", of: item.id) }
    await store.close()
  }
}
