import Foundation
import Holdfast
import Testing

/// A directory of its own for each test, removed afterwards.
final class TemporaryStore: Sendable {
  /// The store's directory, which the store makes.
  let directory: URL
  /// The directory around it.
  let outside: URL

  init() {
    outside = FileManager.default.temporaryDirectory
      .appendingPathComponent("holdfast-test-\(UUID().uuidString)")
    directory = outside.appendingPathComponent("store")
    try? FileManager.default.createDirectory(at: outside, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: outside) }

  func open() async throws -> RecordingStore {
    let store = RecordingStore(.init(directory: directory))
    _ = try await store.open()
    return store
  }
}

@Suite("An app's store")
struct RecordingStoreTests {
  static let format = PCMFormat(.int16, sampleRate: 16_000)

  static func samples(_ frames: Int) -> [UInt8] {
    (0..<frames).flatMap { frame -> [UInt8] in
      let value = Int16(truncatingIfNeeded: frame &* 7919)
      return [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
    }
  }

  @Test("keeps what was appended, and stop answers the recording (J1, J2)")
  func recordAndStop() async throws {
    let place = TemporaryStore()
    let store = try await place.open()
    let session = try await store.startRecording(
      .init(title: "Stand-up", attributes: ["event": .string("E-42"), "n": .number(2)]))
    let take = try await session.beginTake("microphone", Self.format)
    let bytes = Self.samples(16_000 * 3 + 500)
    bytes.withUnsafeBytes { raw in
      #expect(take.append(.init(rebasing: raw[0..<48_000]), frames: 24_000, hostTime: 0))
      #expect(take.append(.init(rebasing: raw[48_000...]), frames: 24_500, hostTime: 0))
    }
    let recording = try await session.stop()
    #expect(recording.title == "Stand-up")
    #expect(recording.state == .stopped)
    #expect(recording.payloadBytes == Int64(bytes.count))
    #expect(abs(recording.capturedSeconds - 48_500.0 / 16_000) < 1e-9)
    #expect(recording.attributes == ["event": .string("E-42"), "n": .number(2)])
    await store.close()
    let again = try await place.open()
    var list: [Recording] = []
    for await now in again.recordings() {
      list = now
      break
    }
    #expect(list == [recording])
    await again.close()
  }
}
