import Foundation
import HoldfastAudio
import HoldfastModel
import HoldfastStore
import Testing

@Suite("Export")
struct ExportTests {
  /// 8 kHz, one channel, two bytes a frame.
  static func frames(_ count: Int, seed: UInt64) -> [UInt8] {
    SoundFiles.bytes(count * 2, seed: seed)
  }

  static func joined(_ parts: [UInt8]...) -> [UInt8] { Array(parts.joined()) }

  private func quiet(_ frames: Int) -> [UInt8] { Array(repeating: 0, count: frames * 2) }

  @Test("fills gaps up to 60 s with silence of their length, cuts longer ones, and says so (J5)")
  func gaps() throws {
    let store = try SoundStore()
    let parts = (0..<3).map { Self.frames(4_000, seed: UInt64($0)) }
    let id = try store.record([
      .init(at: 0, reason: .interruption, [parts[0]]),
      .init(at: 10.500_06, reason: .pause, [parts[1]]),
      .init(at: 111.25, [parts[2]]),
    ])
    // 10.00006 s are 80,000.48 frames.
    let silence = quiet(80_000)
    let usual = try store.export(id) { $0.form = .raw }
    #expect(usual.bytes == Self.joined(parts[0], silence, parts[1], parts[2]))
    #expect(usual.report.silence == [.interruption: 80_000])
    #expect(usual.report.cutGaps == 1 && abs(usual.report.cutSeconds - 100.249_94) < 1e-6)
    #expect(!usual.report.hasDamage)
    #expect(usual.report.marks.map(\.fileFrame) == [4_000, 88_000])
    #expect(usual.report.marks.map(\.isSilence) == [true, false])
    #expect(abs(usual.report.marks[1].recordingSeconds - 11.000_06) < 1e-6)

    let cut = try store.export(id) {
      $0.form = .raw
      $0.gaps = .cut
    }
    #expect(cut.bytes == Self.joined(parts[0], parts[1], parts[2]))
    #expect(cut.report.cutGaps == 2)
    let all = try store.export(id) { $0.gaps = .silence }
    #expect(all.report.frames == 12_000 + 80_000 + 802_000)
    #expect(try SoundFiles.audio(all.bytes).info.frames == all.report.frames)
  }

  @Test("of one take has that take alone, of the named track that track")
  func choice() throws {
    let store = try SoundStore()
    let parts = (0..<3).map { Self.frames(4_000, seed: UInt64($0)) }
    var remote = TakeScript(at: 0, [Self.frames(1_000, seed: 9)])
    remote.track = "remote"
    let id = try store.record([
      remote, .init(at: 0, reason: .pause, [parts[0], parts[1]]), .init(at: 5, [parts[2]]),
    ])
    let most = try store.export(id) { $0.form = .raw }
    #expect(most.plan.track == "microphone" && most.plan.otherTracks == ["remote"])
    let second = try store.export(id) {
      $0.form = .raw
      $0.take = 1
    }
    #expect(second.bytes == parts[2])
    #expect(second.plan.parts[0].startSeconds == 5)
    let other = try store.export(id) {
      $0.form = .raw
      $0.track = "remote"
    }
    #expect(other.bytes == remote.chunks[0].bytes)
    for (track, take) in [("tape", UInt32?.none), ("remote", 3)] {
      let error = #expect(throws: HoldfastError.self) {
        try store.export(id) {
          $0.track = track
          $0.take = take
        }
      }
      #expect(error?.code == .notFound)
    }
  }

  @Test("writes one file for each run of takes of one format")
  func formats() throws {
    let store = try SoundStore()
    let parts = (0..<4).map { Self.frames(4_000, seed: UInt64($0)) }
    var takes = parts.enumerated().map { TakeScript(at: Double($0.offset) * 2, [$0.element]) }
    takes[2].format = SoundFiles.format(.s16le, 16_000, 1)
    let id = try store.record(takes)
    let exporter = Exporter(store.writer)
    let plan = try exporter.plan(id, ExportOptions())
    #expect(plan.parts.map(\.number) == [1, 2, 3])
    #expect(plan.parts.map(\.takes.count) == [2, 1, 1])
    #expect(plan.parts.map(\.startSeconds) == [0, 4, 6])
    var bytes: [[UInt8]] = []
    for part in plan.parts {
      let sink = MemorySink()
      let report = try exporter.write(part, to: sink)
      #expect(report.bytes == part.byteCount && UInt64(sink.bytes.count) == part.byteCount)
      let audio = try SoundFiles.audio(sink.bytes)
      #expect(audio.info.oddities.isEmpty)
      #expect(audio.info.format.sampleRate == part.format.sampleRate)
      bytes.append(audio.data)
    }
    #expect(bytes == [Self.joined(parts[0], quiet(12_000), parts[1]), parts[2], parts[3]])
  }

  @Test("puts silence where a chunk is damaged, in its place and its length (J5)")
  func damage() throws {
    let store = try SoundStore()
    let parts = (0..<4).map { Self.frames(2_000, seed: UInt64($0)) }
    let id = try store.record([.init(at: 0, parts)])
    let reel = try #require(try store.reels(id).first)
    let rows = try store.rows(id)
    try store.flip(reel, at: rows[1].payloadOffset + 100)
    try store.flip(reel, at: rows[3].offset + 10)
    let export = try store.export(id)
    let expected = Self.joined(parts[0], quiet(2_000), parts[2], parts[3])
    #expect(try SoundFiles.audio(export.bytes).data == expected)
    #expect(export.report.damagedChunks == 1 && export.report.damagedHeaders == 1)
    #expect(export.report.hasLoss && export.report.silence == [.damaged: 2_000])
    #expect(export.report.marks.map(\.fileFrame) == [2_000])
    #expect(export.report.chunks == 3)

    try FileManager.default.removeItem(atPath: reel)
    let gone = try store.export(id) { $0.form = .raw }
    #expect(gone.bytes == quiet(8_000))
    #expect(gone.report.missingChunks == 4 && gone.report.silence == [.missing: 8_000])
    #expect(gone.report.marks.count == 1)
  }

  @Test("puts silence where a chunk has no row, whatever the gaps' policy")
  func missingRow() throws {
    let store = try SoundStore()
    let parts = (0..<4).map { Self.frames(2_000, seed: UInt64($0)) }
    let id = try store.record([.init(at: 0, parts)])
    for sequence in [1, 3] {
      try store.writer.database.commit { db in
        _ = try db.run("DELETE FROM chunk WHERE sequence = ?1", [.integer(Int64(sequence))])
        try db.run("UPDATE take SET frames = frames - 2000, chunks = chunks - 1", [])
      }
    }
    let export = try store.export(id) {
      $0.form = .raw
      $0.gaps = .cut
    }
    #expect(export.bytes == Self.joined(parts[0], quiet(2_000), parts[2], quiet(2_000)))
    #expect(export.report.missingChunks == 2)
    #expect(export.report.silence == [.missing: 4_000])
  }

  @Test("treats dropped frames inside a take as a gap")
  func overflow() throws {
    let store = try SoundStore()
    let parts = (0..<2).map { Self.frames(2_000, seed: UInt64($0)) }
    var take = TakeScript(at: 0, parts)
    take.chunks[1].dropped = 321
    let id = try store.record([take])
    let export = try store.export(id) { $0.form = .raw }
    #expect(export.bytes == Self.joined(parts[0], quiet(321), parts[1]))
    #expect(export.report.silence == [.overflow: 321] && !export.report.hasLoss)
    let cut = try store.export(id) {
      $0.form = .raw
      $0.gaps = .cut
    }
    #expect(cut.bytes == Self.joined(parts[0], parts[1]) && cut.report.cutGaps == 1)
  }

  @Test("has every chunk that is written, with a row or without, while it is recorded")
  func whileRecording() throws {
    let store = try SoundStore()
    let parts = (0..<4).map { Self.frames(2_000, seed: UInt64($0)) }
    let id = try store.writer.startRecording(RecordingSeed())
    let (take, journal) = try store.begin(.init(at: 0, Array(parts[..<2])), in: id)
    try store.writer.index(journal.takeRows(), of: take.take)
    journal.offer(chunk: parts[2], frames: 2_000)
    _ = try journal.write()
    let reader = try ReaderOpening.open(
      store.directory, temporary: store.root, store.environment)
    let exporter = Exporter(reader)
    let plan = try exporter.plan(id, ExportOptions())
    #expect(plan.isUnfinished && plan.parts[0].frames == 6_000)
    // The take goes on and its rows follow; the file stays what its header says.
    journal.offer(chunk: parts[3], frames: 2_000)
    _ = try journal.write()
    try store.writer.index(journal.takeRows(), of: take.take)
    let sink = MemorySink()
    let report = try exporter.write(plan.parts[0], to: sink)
    #expect(try SoundFiles.audio(sink.bytes).data == Self.joined(parts[0], parts[1], parts[2]))
    #expect(report.marks.isEmpty)
    let now = try store.export(id) { $0.form = .raw }
    #expect(now.bytes == Self.joined(parts[0], parts[1], parts[2], parts[3]))
    _ = try journal.finish()
  }

  @Test("writes RF64 from the limit on, and nothing else changes")
  func rf64() throws {
    let store = try SoundStore()
    let part = Self.frames(5_000, seed: 1)
    let id = try store.record([.init(at: 0, [part])])
    let large = try store.export(id) { $0.rf64From = 10_000 }
    #expect(Array(large.bytes.prefix(4)) == Array("RF64".utf8))
    #expect(large.plan.parts[0].byteCount == UInt64(large.bytes.count))
    let audio = try SoundFiles.audio(large.bytes)
    #expect(audio.data == part && audio.info.oddities.isEmpty)
    let small = try store.export(id) { $0.rf64From = 20_000 }
    #expect(Array(small.bytes.prefix(4)) == Array("RIFF".utf8))
  }

  @Test(
    "pads silence with the encoding's own silence",
    arguments: [
      (SampleEncoding.u8, UInt8(0x80)), (.alaw, 0xD5), (.mulaw, 0xFF),
    ])
  func silenceBytes(_ encoding: SampleEncoding, _ byte: UInt8) throws {
    let store = try SoundStore()
    var takes = (0..<2).map { TakeScript(at: Double($0), reason: .pause, [[1, 2, 3]]) }
    for index in takes.indices {
      takes[index].format = SoundFiles.format(encoding, 8_000, 1)
    }
    let id = try store.record(takes)
    let export = try store.export(id) { $0.form = .raw }
    #expect(
      export.bytes == Self.joined([1, 2, 3], Array(repeating: byte, count: 7_997), [1, 2, 3]))
    let wav = try store.export(id)
    #expect(wav.bytes.count % 2 == 0 && UInt64(wav.bytes.count) == wav.plan.parts[0].byteCount)
  }

  @Test("of a recording without audio is a conflict, of none notFound")
  func nothing() throws {
    let store = try SoundStore()
    let id = try store.writer.startRecording(RecordingSeed())
    let empty = #expect(throws: HoldfastError.self) { try store.export(id) }
    #expect(empty?.code == .conflict)
    let none = #expect(throws: HoldfastError.self) {
      try store.export(RecordingID(random: store.environment.random))
    }
    #expect(none?.code == .notFound)
  }

  @Test("leaves damaged packets out and says so, for a codec")
  func damagedPackets() throws {
    let store = try SoundStore()
    let stream = SoundFiles.adts(frames: 130, seed: 8)
    let outcome = try store.importFile(try store.file("a.aac", stream))
    let rows = try store.rows(outcome.recording)
    #expect(rows.count == 3)
    let reel = try #require(try store.reels(outcome.recording).first)
    try store.flip(reel, at: rows[1].end - 1)
    let export = try store.export(outcome.recording) { $0.form = .raw }
    #expect(export.report.damagedChunks == 1)
    #expect(export.report.frames == 130 * 1_024 - UInt64(rows[1].frames))
    #expect(export.bytes.count < stream.count)
    #expect(stream.starts(with: export.bytes.prefix(5_000)))
    #expect(export.report.marks.map(\.isSilence) == [false])
  }
}

extension SoundStore {
  /// The chunk rows of a recording's only take.
  func rows(_ id: RecordingID) throws -> [ChunkRecord] {
    let take = try summary(id).takes[0]
    return try writer.database.read { db in
      var rows: [ChunkRecord] = []
      try ChunkRows.each(key: take.key, take: take.id, db) {
        rows.append($0)
        return true
      }
      return rows
    }
  }
}
