import Foundation
import Holdfast
import Testing

/// L2: what the system tells a capture session is in the flight log as it comes.
@Suite struct HeardTests {
  @Test("an event is journaled when it is heard, before anybody handles it")
  func heard() async throws {
    let place = TemporaryStore()
    let store = try await place.open()
    let session = try await store.startRecording()
    session.heard(.interruptionEnded(shouldResume: true))
    let launches = try LaunchList.read(
      ReaderOpening.open(
        place.directory.path, temporary: NSTemporaryDirectory(), store.host.environment))
    #expect(launches.first?.events.last?.name == "heard")
    #expect(launches.first?.events.last?.detail == "interruptionEnded")
    try await session.stop()
    await store.close()
  }

  @Test("who waits for the stop waits no longer than that, and not at all after it")
  func untilStopped() async throws {
    let place = TemporaryStore()
    let store = try await place.open()
    let session = try await store.startRecording()
    let waiting = Task { await session.untilStopped() }
    try await session.stop()
    await waiting.value
    await session.untilStopped()
    await store.close()
  }
}
