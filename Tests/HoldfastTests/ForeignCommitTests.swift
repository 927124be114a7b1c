import Foundation
import Holdfast
import HoldfastTesting
import Testing

/// What another process writes is seen by who observes. Two handles stand for two processes: each
/// has a connection of its own, and neither tells the other.
@Suite("Changes of another process")
struct ForeignCommitTests {
  private let place = TemporaryStore()
  private let alarm = ManualAlarm()

  private func observed() async throws -> RecordingStore {
    var environment = StoreEnvironment.system()
    environment.alarm = alarm
    let store = RecordingStore(.init(directory: place.directory), environment: environment)
    _ = try await store.open()
    return store
  }

  /// Observes in a task of its own.
  private func observing<Value: Sendable>(_ updates: Updates<Value>) -> AsyncStream<Value> {
    let (stream, post) = AsyncStream.makeStream(of: Value.self)
    let task = Task {
      for await value in updates { post.yield(value) }
      post.finish()
    }
    post.onTermination = { _ in task.cancel() }
    return stream
  }

  @Test("reach an observer at the next look, in the list and in the changes")
  func seen() async throws {
    let store = try await observed()
    let other = try await place.open()
    var lists = observing(store.recordings()).makeAsyncIterator()
    var batches = observing(store.changes(after: nil)).makeAsyncIterator()
    #expect(await lists.next()?.isEmpty == true)
    #expect(await batches.next()?.recordings == [])
    let id = try await other.startRecording(.init(title: "Elsewhere")).id
    await alarm.whenSet()
    alarm.ring()
    #expect(await lists.next()?.map(\.title) == ["Elsewhere"])
    #expect(await batches.next()?.recordings == [id])
    await other.close()
    await store.close()
  }

  @Test("between a read and the wait after it are not missed")
  func betweenReadAndWait() async throws {
    let store = try await observed()
    let other = try await place.open()
    var lists = store.recordings().makeAsyncIterator()
    _ = await lists.next()
    _ = try await other.startRecording(.init(title: "Elsewhere"))
    // Another read sees it first; the observer is told all the same.
    for await list in store.recordings() {
      #expect(list.count == 1)
      break
    }
    #expect(await lists.next()?.count == 1)
    await other.close()
    await store.close()
  }

  @Test("are looked for only while somebody observes, and not twice for two")
  func onlyWhileObserved() async throws {
    let store = try await observed()
    #expect(alarm.count == 0)
    let observers = (0..<2).map { _ in
      Task { for await _ in store.recordings() {} }
    }
    await alarm.whenSet()
    alarm.ring()
    await alarm.whenSet()
    #expect(alarm.count == 1)
    for observer in observers { observer.cancel() }
    for observer in observers { await observer.value }
    alarm.ring()
    // What the ring began is behind this call on the host's thread, or ahead of it and finds
    // nobody.
    _ = await store.suspend()
    #expect(alarm.count == 0)
    await store.close()
  }

  @Test("are not looked for while the store is suspended, and are seen after it (J9)")
  func suspended() async throws {
    let store = try await observed()
    let other = try await place.open()
    var lists = observing(store.recordings()).makeAsyncIterator()
    #expect(await lists.next()?.isEmpty == true)
    await alarm.whenSet()
    #expect(await store.suspend() == .suspended)
    alarm.ring()
    _ = try await other.startRecording(.init(title: "Elsewhere"))
    try await store.resume()
    #expect(await lists.next()?.count == 1)
    await other.close()
    await store.close()
  }
}
