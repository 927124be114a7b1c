import Foundation
import HoldfastAudio
import HoldfastModel
import HoldfastPlatform
import HoldfastSQLite
import HoldfastStore
import Testing

/// A file in which the format changes becomes a take for each run (DESIGN: *take*).
@Suite("Import of a file with several runs of audio")
struct ImportRunsTests {
  /// At 44.1 kHz in stereo, and at 48 kHz.
  private static let parts: [[UInt8]] = {
    var other = SoundFiles.adts(frames: 120, seed: 32)
    var place = 0
    while place < other.count {
      let length =
        Int(other[place + 3] & 3) << 11 | Int(other[place + 4]) << 3
        | Int(other[place + 5] >> 5)
      other[place + 2] = 0x4C
      place += length
    }
    let first = SoundFiles.adts(frames: 300, seed: 31)
    return [first, other, SoundFiles.adts(frames: 90, seed: 33)]
  }()

  private func exported(_ store: SoundStore, _ id: RecordingID) throws -> [[UInt8]] {
    var options = ExportOptions()
    options.form = .raw
    let exporter = Exporter(store.writer)
    return try exporter.plan(id, options).parts.map { part in
      let sink = MemorySink()
      _ = try exporter.write(part, to: sink)
      return sink.bytes
    }
  }

  @Test("makes a take for each, without a gap, gives all bytes back, and adds nothing twice")
  func takes() throws {
    let store = try SoundStore()
    let path = try store.file("a.aac", Self.parts.flatMap { $0 })
    let outcome = try store.importFile(path, title: "a")
    #expect(outcome.kind == .imported)
    #expect(outcome.progress.doneBytes == outcome.progress.totalBytes)
    let summary = try store.summary(outcome.recording)
    #expect(summary.takes.map(\.format.sampleRate) == [44_100, 48_000, 44_100])
    #expect(summary.state == "stopped" && summary.timeline.gaps.isEmpty)
    #expect(try exported(store, outcome.recording) == Self.parts)
    #expect(try store.importFile(path, title: "a").kind == .alreadyThere)
    let shorter = try store.file("b.aac", Self.parts[0] + Self.parts[1])
    #expect(try store.importFile(shorter, title: "b").kind == .imported)
  }

  @Test("that was killed anywhere goes on in the run where it stopped (J4)", arguments: 1...9)
  func killed(_ calls: Int) throws {
    let store = try SoundStore()
    let path = try store.file("a.aac", Self.parts.flatMap { $0 })
    let isKilled = try die(store, path, after: calls)
    _ = try store.reopen()
    let outcome = try store.importFile(path, title: "a")
    #expect(isKilled ? outcome.kind == .completed : outcome.kind == .alreadyThere)
    let summary = try store.summary(outcome.recording)
    #expect(try exported(store, outcome.recording) == Self.parts)
    #expect(summary.state == "stopped" && summary.timeline.gaps.isEmpty)
    #expect(try store.recordings().count == 1)
    #expect(try store.importFile(path, title: "a").kind == .alreadyThere)
  }

  private func die(_ store: SoundStore, _ path: String, after calls: Int) throws -> Bool {
    let file = try ImportFile(path, store.environment.files)
    defer { store.die() }
    defer { file.close() }
    let dying = DyingCalls(store.writer, calls: calls)
    let request = ImportRequest(RecordingSeed(title: "a"))
    return (try? Importer(dying, file, request).run()) == nil
  }

  @Test("of plain PCM in several chunks does the same")
  func wave() throws {
    let store = try SoundStore()
    let (one, two) = (SoundFiles.bytes(40_000, seed: 41), SoundFiles.bytes(30_000, seed: 42))
    let format = SoundFiles.format(.s16le, 8_000, 1)
    var chunk = Array("data".utf8)
    chunk += (0..<4).map { UInt8(truncatingIfNeeded: two.count >> ($0 * 8)) }
    let path = try store.file("a.wav", try SoundFiles.wav(format, one) + chunk + two)
    let outcome = try store.importFile(path)
    #expect(try store.summary(outcome.recording).takes.map(\.bytes) == [40_000, 30_000])
    #expect(try store.export(outcome.recording) { $0.form = .raw }.bytes == one + two)
    #expect(try store.importFile(path).kind == .alreadyThere)
  }

  @Test("a file of an app's own recorder is taken whole before it is unlinked (J4)")
  func incoming() throws {
    let store = try SoundStore()
    let id = try store.writer.startRecording(RecordingSeed(title: "a"))
    let file = try store.writer.nameIncoming(for: id, track: "mic", fileExtension: "aac")
    let path = "\(store.directory)/\(file.name)"
    try Data(Self.parts.flatMap { $0 }).write(to: URL(fileURLWithPath: path))
    let seconds = try store.writer.takeIncoming(file, chunkSeconds: 1, reason: .stop)
    try store.writer.setPhase(.stopped, of: id, reason: .stop)
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(try exported(store, id) == Self.parts)
    let expected = (390.0 * 1_024 / 44_100) + (120.0 * 1_024 / 48_000)
    #expect(abs((seconds ?? 0) - expected) < 0.001)
  }
}
