import Foundation
import Holdfast
import Testing

@Suite("Audio of an app's recordings")
struct AudioTests {
  static let format = PCMFormat(.int16, sampleRate: 16_000)

  /// A WAV file of 16-bit samples, one channel (RIFF: "Multimedia Programming Interface and Data
  /// Specifications 1.0", 1991).
  static func wav(_ data: [UInt8], rate: UInt32 = 16_000) -> Data {
    func little(_ value: UInt32, _ width: Int) -> [UInt8] {
      (0..<width).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
    var bytes = Array("RIFF".utf8) + little(UInt32(data.count) + 36, 4) + Array("WAVEfmt ".utf8)
    bytes += little(16, 4) + little(1, 2) + little(1, 2) + little(rate, 4)
    bytes += little(rate * 2, 4) + little(2, 2) + little(16, 2)
    bytes += Array("data".utf8) + little(UInt32(data.count), 4)
    return Data(bytes + data)
  }

  static func append(_ bytes: [UInt8], to take: TakeWriter) {
    bytes.withUnsafeBytes { raw in
      #expect(take.append(raw, frames: UInt32(raw.count / 2), hostTime: 0))
    }
  }

  static func record(
    _ store: RecordingStore, title: String, _ bytes: [UInt8]
  ) async throws -> Recording {
    let session = try await store.startRecording(.init(title: title))
    append(bytes, to: try await session.beginTake("microphone", format))
    return try await session.stop()
  }

  @Test("wav(to:) writes every sample, whole or not at all")
  func wavFile() async throws {
    let place = TemporaryStore()
    let store = try await place.open()
    let bytes = RecordingStoreTests.samples(20_000)
    let recording = try await Self.record(store, title: "a", bytes)
    let folder = place.outside.appendingPathComponent("out")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appendingPathComponent("a.wav")
    try Data([1, 2, 3]).write(to: file)
    let audio = try await store.audio(of: recording.id)
    #expect(audio.tracks == ["microphone"])
    let export = try await audio.wav(to: file)
    #expect(try Data(contentsOf: file) == Self.wav(bytes))
    #expect(export.files == [file] && export.seconds == 1.25)
    #expect(export.marks.isEmpty && !export.hasLoss)
    let raw = folder.appendingPathComponent("a.pcm")
    try await audio.raw(to: raw)
    #expect(try Data(contentsOf: raw) == Data(bytes))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2)
    await #expect(throws: HoldfastError.self) {
      try await audio.wav(to: folder.appendingPathComponent("none/a.wav"))
    }
    await store.close()
  }

  @Test("wav(to:) of a track whose format changed gives a file for each run")
  func formats() async throws {
    let place = TemporaryStore()
    let store = try await place.open()
    let session = try await store.startRecording()
    let bytes = RecordingStoreTests.samples(8_000)
    let first = try await session.beginTake("microphone", Self.format)
    Self.append(bytes, to: first)
    try await first.end(.routeChange)
    let second = try await session.beginTake(
      "microphone", PCMFormat(.int16, sampleRate: 8_000))
    Self.append(bytes, to: second)
    let recording = try await session.stop()
    let file = place.outside.appendingPathComponent("talk.of.monday.wav")
    let export = try await store.audio(of: recording.id).wav(to: file)
    #expect(
      export.files.map(\.lastPathComponent) == ["talk.of.monday-1.wav", "talk.of.monday-2.wav"])
    #expect(try Data(contentsOf: export.files[0]) == Self.wav(bytes))
    #expect(try Data(contentsOf: export.files[1]) == Self.wav(bytes, rate: 8_000))
    #expect(export.seconds == 1.5)
    await store.close()
  }

  @Test("importFile makes a recording once, for the same name and for the same content")
  func imports() async throws {
    let place = TemporaryStore()
    let store = try await place.open()
    let file = place.outside.appendingPathComponent("old.wav")
    let bytes = RecordingStoreTests.samples(30_000)
    try Self.wav(bytes).write(to: file)
    let at = Date(timeIntervalSince1970: 1_000_000)
    let id = try await store.importFile(
      file, as: .init(title: "Old", recordedAt: at, attributes: ["n": .number(1)]),
      externalID: "item-1")
    #expect(try await store.importFile(file, as: .init(title: "x"), externalID: "item-1") == id)
    #expect(try await store.importFile(file, as: .init()) == id)
    let recording = try await store.host.recording(id)
    #expect(recording.title == "Old" && recording.startedAt == at)
    #expect(recording.attributes == ["n": .number(1)] && recording.state == .stopped)
    #expect(recording.capturedSeconds == 30_000.0 / 16_000)
    let other = place.outside.appendingPathComponent("other.wav")
    try Self.wav(bytes.reversed()).write(to: other)
    let conflict = await #expect(throws: HoldfastError.self) {
      try await store.importFile(other, as: .init(), externalID: "item-1")
    }
    #expect(conflict?.code == .conflict)
    try Data("no audio".utf8).write(to: other)
    let refused = await #expect(throws: HoldfastError.self) {
      try await store.importFile(other, as: .init(), externalID: "item-2")
    }
    #expect(refused?.code == .inputRefused && refused?.message.contains("other.wav") == true)
    await store.close()
  }

  @Test("importFile of one file by several tasks at once makes one recording")
  func parallel() async throws {
    let place = TemporaryStore()
    let store = try await place.open()
    let file = place.outside.appendingPathComponent("old.wav")
    try Self.wav(RecordingStoreTests.samples(30_000)).write(to: file)
    let ids = try await withThrowingTaskGroup(of: Recording.ID.self) { group in
      for _ in 0..<4 { group.addTask { try await store.importFile(file) } }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(ids.count == 1)
    #expect(try await store.host.recordings(.init()).count == 1)
    await store.close()
  }

  @Test("importFile ends when its task is cancelled, and goes on when it is called again")
  func cancelled() async throws {
    let place = TemporaryStore()
    let store = try await place.open()
    let file = place.outside.appendingPathComponent("long.wav")
    let bytes = Self.longBytes
    try Self.wav(bytes).write(to: file)
    // Cancelled before it begins, so that the import cannot be faster.
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await store.importFile(file)
    }
    let error = await #expect(throws: HoldfastError.self) { try await task.value }
    #expect(error?.code == .interrupted)
    let id = try await store.importFile(file)
    #expect(error?.context["recording"] == nil || error?.context["recording"] == "\(id)")
    #expect(try await store.host.recording(id).payloadBytes == Int64(bytes.count))
    #expect(try await store.host.recordings(.init()).count == 1)
    await store.close()
  }

  @Test("a suspension ends an import, which goes on afterwards (J9)")
  func suspended() async throws {
    let place = TemporaryStore()
    let store = try await place.open()
    let file = place.outside.appendingPathComponent("long.wav")
    let bytes = Self.longBytes
    try Self.wav(bytes).write(to: file)
    let task = Task { try? await store.importFile(file) }
    #expect(await store.suspend() == .suspended)
    _ = await task.value
    try await store.resume()
    let id = try await store.importFile(file)
    #expect(try await store.host.recording(id).payloadBytes == Int64(bytes.count))
    #expect(try await store.host.recordings(.init()).count == 1)
    await store.close()
  }

  /// More than waits between the reading and the writing of an import.
  private static let longBytes: [UInt8] = {
    let piece = RecordingStoreTests.samples(10_000)
    return (0..<600).flatMap { index in piece[(index * 2)...] + piece[..<(index * 2)] }
  }()
}
