import Foundation
import Holdfast
import Testing

@Suite("Archive in open formats")
struct ArchiveTests {
  private struct Index: Decodable {
    struct Entry: Decodable { let id, title, folder: String }
    let recordings: [Entry]
  }

  private struct Document: Decodable {
    struct Audio: Decodable {
      let file, sha256, track: String
      let fileBytes, frames: Int
    }
    let title: String
    let externalID: String?
    let audio: [Audio]
    let tracks: [String]
    let takes: [Take]
    struct Take: Decodable { let reason: String? }
  }

  @Test("has every recording, those of the trash apart, with audio and what is known of it")
  func everything() async throws {
    let place = TemporaryStore()
    let store = try await place.open()
    let bytes = RecordingStoreTests.samples(8_000)
    let one = try await AudioTests.record(store, title: "Board: Q1/Q2", bytes)
    let two = try await AudioTests.record(store, title: "", bytes)
    let gone = try await AudioTests.record(store, title: "..", bytes)
    try await store.trash(gone.id)
    try await store.update(one.id) {
      $0.recordedAt = Date(timeIntervalSince1970: 86_400)
      $0.attributes["at"] = .date(Date(timeIntervalSince1970: 0.5))
      $0.attributes["ok"] = .bool(true)
    }
    let empty = try await store.startRecording(.init(title: "Nothing")).stop()
    let archive = place.outside.appendingPathComponent("archive")
    let report = try await store.archive(to: archive)
    #expect(report.recordings == 4 && report.files == 3 && report.damaged.isEmpty)

    let index = try decode(Index.self, archive.appendingPathComponent("index.json"))
    #expect(Set(index.recordings.map(\.id)) == Set([one, two, gone, empty].map(\.id.description)))
    let folder = try #require(index.recordings.first { $0.id == one.id.description }?.folder)
    #expect(folder == "1970-01-02 00.00.00 Board- Q1-Q2")
    let trashed = try #require(index.recordings.first { $0.id == gone.id.description }?.folder)
    #expect(trashed.hasPrefix("trash/2"))

    for entry in index.recordings where entry.id != empty.id.description {
      let place = archive.appendingPathComponent(entry.folder)
      let document = try decode(Document.self, place.appendingPathComponent("recording.json"))
      let audio = try #require(document.audio.first)
      let data = try Data(contentsOf: place.appendingPathComponent(audio.file))
      #expect(data == AudioTests.wav(bytes))
      #expect(audio.fileBytes == data.count && audio.frames == 8_000)
      #expect(audio.sha256 == store.host.environment.hashing.sha256(Array(data)).description)
      #expect(document.takes.map(\.reason) == ["stop"])
    }
    let text = try String(
      contentsOf: archive.appendingPathComponent(folder + "/recording.json"), encoding: .utf8)
    #expect(text.contains("\"date\" : \"1970-01-01T00:00:00.500Z\""))
    #expect(text.contains("\"ok\" : true"))
    await store.close()
  }

  @Test("refuses a directory with something in it, and touches nothing there")
  func refuses() async throws {
    let place = TemporaryStore()
    let store = try await place.open()
    let archive = place.outside.appendingPathComponent("archive")
    let report = try await store.archive(to: archive)
    #expect(report.recordings == 0)
    let error = await #expect(throws: HoldfastError.self) { try await store.archive(to: archive) }
    #expect(error?.code == .conflict)
    #expect(try FileManager.default.contentsOfDirectory(atPath: archive.path) == ["index.json"])
    await store.close()
  }

  @Test("gives recordings of one name folders of their own")
  func sameNames() async throws {
    let place = TemporaryStore()
    let store = try await place.open()
    let at = Date(timeIntervalSince1970: 86_400)
    for (index, title) in ["A", "a", "a"].enumerated() {
      let file = place.outside.appendingPathComponent("\(index).wav")
      try AudioTests.wav([UInt8(index), 0]).write(to: file)
      _ = try await store.importFile(file, as: .init(title: title, recordedAt: at))
    }
    let archive = place.outside.appendingPathComponent("archive")
    try await store.archive(to: archive)
    let index = try decode(Index.self, archive.appendingPathComponent("index.json"))
    #expect(Set(index.recordings.map { $0.folder.lowercased() }).count == 3)
    await store.close()
  }

  private func decode<T: Decodable>(_ type: T.Type, _ url: URL) throws -> T {
    try JSONDecoder().decode(type, from: Data(contentsOf: url))
  }
}
