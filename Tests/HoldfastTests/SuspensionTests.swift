import Foundation
import Holdfast
import HoldfastTesting
import Testing

@Suite("Suspension")
struct SuspensionTests {
  private static let format = PCMFormat(.int16, sampleRate: 8_000)

  private func append(_ take: TakeWriter, frames: Int) -> Bool {
    RecordingStoreTests.samples(frames).withUnsafeBytes {
      take.append($0, frames: UInt32(frames), hostTime: 0)
    }
  }

  /// Descriptors of this process that lead into a directory.
  private func openFiles(in directory: URL) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return names.compactMap {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
    }.filter { $0.hasPrefix(directory.path) }
  }

  @Test("does nothing while capturing, and leaves nothing open otherwise (J9)")
  func suspend() async throws {
    let place = TemporaryStore()
    let store = try await place.open()
    let session = try await store.startRecording()
    let take = try await session.beginTake("microphone", Self.format)
    #expect(append(take, frames: 800))
    #expect(await store.suspend() == .capturing)
    try await session.stop()
    #expect(!openFiles(in: place.directory).isEmpty)
    #expect(await store.suspend() == .suspended)
    #expect(openFiles(in: place.directory) == [])
    await #expect(throws: HoldfastError.self) { try await store.startRecording() }
    try await store.resume()
    var seen: [Recording] = []
    for await now in store.recordings() {
      seen = now
      break
    }
    #expect(seen.count == 1)
    await store.close()
  }

  @Test("from an expiration handler closes takes too, and what was appended is there (J9)")
  func suspendNow() async throws {
    let place = TemporaryStore()
    let store = try await place.open()
    let session = try await store.startRecording(.init(title: "cut short"))
    let take = try await session.beginTake("microphone", Self.format)
    #expect(append(take, frames: 12_000))
    let start = ContinuousClock.now
    let isDone = store.suspendNow()
    // Bounded whether or not it came to its end in time.
    #expect(ContinuousClock.now - start < .milliseconds(500))
    if !isDone { await store.host.settleForTests() }
    #expect(openFiles(in: place.directory) == [])
    let again = RecordingStore(.init(directory: place.directory))
    let report = try await again.open()
    #expect(report.endings.map(\.kind) == ["endedWhileSuspended"])
    for await list in again.recordings() {
      #expect(list.first?.payloadBytes == 24_000)
      break
    }
    await again.close()
  }

  @Test("is an ordinary end: the next launch says so, with evidence (L2)")
  func ending() async throws {
    let place = TemporaryStore()
    let store = try await place.open()
    store.note(.background)
    _ = await store.suspend()
    let report = try await RecordingStore(.init(directory: place.directory)).open()
    let ending = try #require(report.endings.first)
    #expect(ending.kind == "endedWhileSuspended" && !ending.evidence.isEmpty)
  }
}

@Suite("A handle")
struct HandleTests {
  @Test("does no I/O until it is opened, and opening twice is opening once")
  func lazy() async throws {
    let place = TemporaryStore()
    let store = RecordingStore(.init(directory: place.directory))
    store.note(.foreground)
    #expect(!FileManager.default.fileExists(atPath: place.directory.path))
    async let first = store.open()
    async let second = store.open()
    _ = try await (first, second)
    let launches = try FileManager.default.contentsOfDirectory(
      atPath: place.directory.appendingPathComponent("launches").path)
    #expect(launches.count == 1)
    await store.close()
  }

  @Test("waits while the store cannot be opened, and goes on when told; nothing is rebuilt (J6)")
  func waiting() async throws {
    let place = TemporaryStore()
    let first = try await place.open()
    _ = try await first.startRecording(.init(title: "kept")).stop()
    await first.close()
    let locked = LockedDevice()
    locked.isLocked = true
    var environment = StoreEnvironment.system()
    environment.files = locked
    let store = RecordingStore(.init(directory: place.directory), environment: environment)
    let opening = Task { try await store.open() }
    for await state in store.states {
      if case .waiting(let error) = state {
        #expect(error.code == .protectedDataUnavailable)
        break
      }
    }
    locked.isLocked = false
    store.note(.protectedDataAvailable)
    let report = try await opening.value
    #expect(report.attention.isEmpty)
    for await list in store.recordings() {
      #expect(list.map(\.title) == ["kept"])
      break
    }
    await store.close()
  }

  @Test("tells which recordings changed, through a durable cursor")
  func changes() async throws {
    let place = TemporaryStore()
    let store = try await place.open()
    let first = try await store.startRecording(.init(title: "one")).stop()
    var token: ChangeToken?
    for await batch in store.changes(after: nil) {
      #expect(batch.recordings == [first.id])
      token = batch.token
      break
    }
    await store.close()
    let saved = try JSONEncoder().encode(try #require(token))
    let again = try await place.open()
    let second = try await again.startRecording(.init(title: "two")).stop()
    let kept = try JSONDecoder().decode(ChangeToken.self, from: saved)
    for await batch in again.changes(after: kept) {
      #expect(batch.recordings == [second.id])
      break
    }
    try await again.update(first.id) { $0.attributes["n"] = .number(1) }
    try await again.update(first.id) { $0.attributes["n"] = nil }
    for await list in again.recordings() {
      #expect(list.first { $0.id == first.id }?.attributes.isEmpty == true)
      break
    }
    await again.close()
  }

  @Test("takes files of a recorder, and those that a dead launch left (J1, J4)")
  func files() async throws {
    let place = TemporaryStore()
    let store = try await place.open()
    let session = try await store.startRecording(.init(title: "files"))
    let files = try await session.beginFileTake("microphone", .wav)
    let url = try await files.nextFile()
    try WAVBytes.write(frames: 4000, to: url)
    files.finished(url)
    let left = try await files.nextFile()
    try WAVBytes.write(frames: 2000, to: left)
    // The process ends here: nobody reports the second file.
    await store.host.dropForTests()
    let again = RecordingStore(.init(directory: place.directory))
    let report = try await again.open()
    #expect(report.recovered.count == 1)
    #expect(report.attention.isEmpty)
    for await list in again.recordings() {
      #expect(list.first?.payloadBytes == 12_000)
      #expect(list.first?.state == .stopped)
      break
    }
    let incoming = place.directory.appendingPathComponent("incoming").path
    #expect(try FileManager.default.contentsOfDirectory(atPath: incoming) == [])
    await again.close()
  }
}

/// A small WAV file.
enum WAVBytes {
  static func write(frames: Int, to url: URL) throws {
    let format = try #require(AudioFormat(pcm: .s16le, sampleRate: 8_000, channels: 1))
    let header = try WAVHeader(format).bytes(dataLength: UInt64(frames * 2))
    try Data(header + RecordingStoreTests.samples(frames)).write(to: url)
  }
}
