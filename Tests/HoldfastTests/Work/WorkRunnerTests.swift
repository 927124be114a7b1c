import Foundation
import Holdfast
import Testing

/// Deferred work as an app runs it, on a real store.
@Suite("A runner of deferred work")
struct WorkRunnerTests {
  static let format = PCMFormat(.float32, sampleRate: 16_000)

  /// An open store whose recordings get a pipeline.
  static func open(
    _ place: TemporaryStore, _ pipeline: [String] = ["transcribe", "summarize"],
    _ alarm: (any Alarm)? = nil
  ) async throws -> RecordingStore {
    var configuration = RecordingStore.Configuration(directory: place.directory)
    configuration.reserveBytes = 0
    configuration.pipeline = pipeline
    var environment = StoreEnvironment.system()
    environment.alarm = alarm
    let store = RecordingStore(configuration, environment: environment)
    try await store.open()
    return store
  }

  /// Says where each unit lies, one segment a unit.
  static func transcriber(_ window: Duration = .seconds(1)) -> WorkHandler {
    WorkHandler("transcribe", version: 3, quality: 2, every: window) { unit in
      let samples = try await unit.pcm(WorkRunnerTests.format)
      return .segments([Segment(unit.range, "\(samples.count) samples", speaker: "A")])
    }
  }

  /// A stopped recording of so many seconds.
  static func record(_ store: RecordingStore, seconds: Int) async throws -> Recording {
    let session = try await store.startRecording(.init(title: "Stand-up"))
    let take = try await session.beginTake("microphone", PCMFormat(.int16, sampleRate: 16_000))
    append(RecordingStoreTests.samples(16_000 * seconds), to: take)
    return try await session.stop()
  }

  /// Appends in pieces that the ring has room for.
  static func append(_ samples: [UInt8], to take: TakeWriter) {
    for start in stride(from: 0, to: samples.count, by: 8_000) {
      #expect(take.appendWaiting(Array(samples[start..<min(start + 8_000, samples.count)])))
    }
  }

  static let summarizer = WorkHandler("summarize", version: 1, after: ["transcribe"]) { unit in
    .artefact(kind: "summary", text: "\(unit.transcript.segments.count) segments")
  }

  static func items(_ runner: WorkRunner, of id: Recording.ID) async -> [String: WorkItem] {
    var updates = runner.items(of: id).makeAsyncIterator()
    let items = await updates.next() ?? []
    return Dictionary(items.map { ($0.kind, $0) }) { _, last in last }
  }

  @Test("transcribes in units, then summarizes, and nothing is left (T3, X1)")
  func pipeline() async throws {
    let place = TemporaryStore()
    let store = try await Self.open(place)
    let recording = try await Self.record(store, seconds: 5)
    let runner = WorkRunner(store, [Self.transcriber(), Self.summarizer])
    let report = await runner.drain()
    #expect(report.done == 2 && report.left == 0)
    let items = await Self.items(runner, of: recording.id)
    #expect(items["summarize"]?.results == ["summary": "5 segments"])
    #expect(items.values.allSatisfy { $0.state == "done" && $0.progress == 1 })
    var updates = store.transcript(of: recording.id).makeAsyncIterator()
    let transcript = try #require(await updates.next())
    #expect(transcript.segments.map(\.text) == Array(repeating: "16000 samples", count: 5))
    #expect(await runner.drain().done == 0)
    await store.close()
  }

  @Test(
    "returns before the deadline though the handler ignores it; its late result is kept (T2, T6)")
  func deadline() async throws {
    let place = TemporaryStore()
    let alarm = HandAlarm()
    let store = try await Self.open(place, ["summarize"], alarm)
    let recording = try await Self.record(store, seconds: 1)
    let (begun, gate) = (Gate(), Gate())
    let slow = WorkHandler("summarize", version: 1) { _ in
      await begun.open()
      await gate.wait()
      return .artefact(kind: "summary", text: "late words")
    }
    let runner = WorkRunner(store, [slow])
    async let drained = runner.drain(until: .now + .seconds(7_200))
    await begun.wait()
    #expect(alarm.ringLong() == 1)
    let report = await drained
    #expect(report.done == 0 && report.left == 1)
    let item = try #require(await Self.items(runner, of: recording.id)["summarize"])
    #expect(item.state == "ready" && item.interruptions == 1 && item.failures == 0)
    await gate.open()
    var updates = runner.items(of: recording.id).makeAsyncIterator()
    var results = await updates.next()?.first?.results ?? [:]
    while results.isEmpty { results = await updates.next()?.first?.results ?? [:] }
    #expect(results == ["summary": "late words"])
    #expect(await Self.items(runner, of: recording.id)["summarize"]?.state == "ready")
    await store.close()
  }

  @Test("follows a recording while it runs; after the stop at most a unit is left (T3)")
  func following() async throws {
    let place = TemporaryStore()
    let store = try await Self.open(place)
    let runner = WorkRunner(store, [Self.transcriber(), Self.summarizer])
    runner.start()
    let session = try await store.startRecording(.init(title: "Live"))
    let take = try await session.beginTake("microphone", PCMFormat(.int16, sampleRate: 16_000))
    Self.append(RecordingStoreTests.samples(16_000 * 4), to: take)
    // Three whole units are there before the stop; the fourth may be.
    var updates = store.transcript(of: session.id).makeAsyncIterator()
    while let now = await updates.next(), now.segments.count < 3 {}
    _ = try await session.stop()
    var items = runner.items(of: session.id).makeAsyncIterator()
    while let now = await items.next(), !now.allSatisfy({ $0.state == "done" }) {}
    let summary = await Self.items(runner, of: session.id)["summarize"]?.results
    #expect(summary == ["summary": "4 segments"])
    runner.expire()
    await store.close()
  }

  @Test("a stream commits what it finalized, and resumes there after its store was suspended (T3)")
  func stream() async throws {
    let place = TemporaryStore()
    let store = try await Self.open(place, ["transcribe"])
    let recording = try await Self.record(store, seconds: 6)
    let seen = Gate()
    let first = WorkHandler.stream("transcribe", version: 4) { stream in
      for try await samples in stream.audio(WorkRunnerTests.format) {
        try await stream.commit(
          [Segment(0.1..<1.9, "\(samples.count)")], finalizedThrough: 2)
        await seen.open()
        try await Task.sleep(for: .seconds(60))
      }
    }
    let runner = WorkRunner(store, [first])
    runner.start()
    await seen.wait()
    runner.expire()
    #expect(await store.suspend() == .suspended)
    try await store.resume()
    let second = WorkHandler.stream("transcribe", version: 4) { stream in
      var at = stream.resumeFrom
      for try await samples in stream.audio(WorkRunnerTests.format) {
        let end = at + Double(samples.count) / 16_000
        try await stream.commit([Segment(at..<end, "from \(Int(at))")], finalizedThrough: end)
        at = end
      }
    }
    let again = WorkRunner(store, [second])
    #expect(await again.drain().done == 1)
    var updates = store.transcript(of: recording.id).makeAsyncIterator()
    let texts = try #require(await updates.next()).segments.map(\.text)
    // The take begins a little after its recording, so that there may be more; nothing is twice.
    #expect(texts.prefix(3) == ["32000", "from 2", "from 4"])
    #expect(Set(texts).count == texts.count)
    await store.close()
  }

  @Test("three ends while suspended in the middle of a unit are no deaths (T1, J9)")
  func suspended() async throws {
    let place = TemporaryStore()
    let store = try await Self.open(place, ["summarize"])
    let recording = try await Self.record(store, seconds: 1)
    for _ in 0..<3 {
      let begun = Gate()
      let endless = WorkHandler("summarize", version: 1) { _ in
        await begun.open()
        try await Task.sleep(for: .seconds(60))
        return .retry(after: .zero)
      }
      let runner = WorkRunner(store, [endless])
      runner.start()
      await begun.wait()
      #expect(await store.suspend() == .suspended)
      runner.expire()
      try await store.resume()
    }
    let runner = WorkRunner(store, [])
    let item = try #require(await Self.items(runner, of: recording.id)["summarize"])
    #expect(item.deaths == 0 && item.interruptions == 3 && item.state == "ready")
    await store.close()
  }

  @Test("failures are told apart: later costs nothing, impossible ends, errors spend (T4)")
  func failures() async throws {
    struct Broken: Error {}
    let place = TemporaryStore()
    let store = try await Self.open(place, ["later", "never", "broken"])
    let recording = try await Self.record(store, seconds: 1)
    let runner = WorkRunner(
      store,
      [
        WorkHandler("later", version: 1) { _ in .retry(after: .seconds(3_600)) },
        WorkHandler("never", version: 1) { _ in .impossible("no speech") },
        WorkHandler("broken", version: 1) { _ in throw Broken() },
      ])
    // They come one after the other in a pipeline; here each is asked for.
    for kind in ["never", "broken"] {
      let items = await Self.items(runner, of: recording.id)
      try await runner.cancel(try #require(items[kind]).id)
      try await runner.add(kind, to: recording.id)
    }
    _ = await runner.drain()
    let items = await Self.items(runner, of: recording.id)
    #expect(items["later"]?.state == "waiting" && items["later"]?.failures == 0)
    #expect(items["never"]?.state == "failed" && items["never"]?.cause == "no speech")
    #expect(items["broken"]?.state == "waiting" && items["broken"]?.failures == 1)
    await store.close()
  }

  @Test("a recording that is purged while its task runs takes the task with it (T7)")
  func purged() async throws {
    let place = TemporaryStore()
    let store = try await Self.open(place, ["summarize"])
    let recording = try await Self.record(store, seconds: 1)
    let (begun, gate) = (Gate(), Gate())
    let handler = WorkHandler("summarize", version: 1) { _ in
      await begun.open()
      await gate.wait()
      return .artefact(kind: "summary", text: "of what is gone")
    }
    let runner = WorkRunner(store, [handler])
    async let report = runner.drain()
    await begun.wait()
    _ = try await store.purge(recording.id)
    await gate.open()
    #expect(await report.done == 0)
    #expect(await Self.items(runner, of: recording.id).isEmpty)
    await store.close()
  }

  @Test("the next open finishes what a dead process left, without anyone asking")
  func nextLaunch() async throws {
    let place = TemporaryStore()
    let store = try await Self.open(place)
    let recording = try await Self.record(store, seconds: 3)
    _ = await WorkRunner(store, [Self.transcriber()]).drain()
    await store.host.dropForTests()
    let next = try await Self.open(place)
    let runner = WorkRunner(next, [Self.transcriber(), Self.summarizer])
    runner.start()
    var items = runner.items(of: recording.id).makeAsyncIterator()
    while let now = await items.next(), !now.allSatisfy({ $0.state == "done" }) {}
    let summary = await Self.items(runner, of: recording.id)["summarize"]?.results
    #expect(summary == ["summary": "3 segments"])
    runner.expire()
    await next.close()
  }
}

/// An alarm of which the long waits are over when the test says so; the others never are.
final class HandAlarm: Alarm {
  private let waits = Locked<[(Int64, @Sendable () -> Void)]>([])

  func ring(afterNanoseconds delay: Int64, _ body: @escaping @Sendable () -> Void) {
    waits.withLock { $0.append((delay, body)) }
  }

  /// Ends the waits of an hour and more; answers how many there were.
  func ringLong() -> Int { ring(over: 3_600) }

  /// Ends the waits of so many seconds and more; answers how many there were.
  func ring(over seconds: Int64) -> Int {
    let due = waits.withLock { waits in
      let due = waits.filter { $0.0 >= seconds * 1_000_000_000 }
      waits.removeAll { $0.0 >= seconds * 1_000_000_000 }
      return due
    }
    for (_, body) in due { body() }
    return due.count
  }
}

/// Something that is opened once, and may be waited for.
actor Gate {
  private var isOpen = false
  private var waiters: [CheckedContinuation<Void, Never>] = []

  func open() {
    isOpen = true
    for waiter in waiters { waiter.resume() }
    waiters = []
  }

  func wait() async {
    if isOpen { return }
    await withCheckedContinuation { waiters.append($0) }
  }
}
