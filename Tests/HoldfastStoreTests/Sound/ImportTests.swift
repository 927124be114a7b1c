import Foundation
import HoldfastAudio
import HoldfastModel
import HoldfastPlatform
import HoldfastSQLite
import HoldfastStore
import Testing

@Suite("Import of a file")
struct ImportTests {
  static let format = SoundFiles.format(.s16le, 8_000, 1)

  static let formats: [AudioFormat] = [
    SoundFiles.format(.u8, 8_000, 1),
    SoundFiles.format(.s16le, 44_100, 2),
    SoundFiles.format(.s24le, 48_000, 2),
    SoundFiles.format(.s32le, 16_000, 1),
    SoundFiles.format(.f32le, 16_000, 3),
    SoundFiles.format(.f64le, 22_050, 1),
    SoundFiles.format(.alaw, 8_000, 1),
    SoundFiles.format(.mulaw, 8_000, 2),
  ]

  @Test("keeps every sample of every PCM encoding; export gives them back", arguments: formats)
  func everyEncoding(_ format: AudioFormat) throws {
    let store = try SoundStore()
    let frames = Int(format.sampleRate * 2.3)
    let data = SoundFiles.bytes(frames * Int(format.bytesPerFrame), seed: 1)
    let wav = try SoundFiles.wav(format, data)
    let path = try store.file("in.wav", wav)
    let outcome = try store.importFile(path, title: "Minutes")
    #expect(outcome.kind == .imported)
    #expect(outcome.progress.doneBytes == UInt64(data.count))
    let summary = try store.summary(outcome.recording)
    #expect(summary.title == "Minutes")
    #expect(summary.state == "stopped" && !summary.phase.recovered)
    #expect(summary.takes.count == 1 && summary.tracks.count == 1)
    #expect(summary.chunks == 3)
    #expect(summary.timeline.gaps.isEmpty)
    #expect(summary.takes[0].span.endFrame == UInt64(frames))
    #expect(try store.export(outcome.recording) { $0.form = .raw }.bytes == data)
    let exported = try store.export(outcome.recording)
    #expect(exported.bytes == wav)
    #expect(exported.report.marks.isEmpty && exported.report.chunks == 3)
    #expect(exported.plan.parts[0].byteCount == UInt64(wav.count))
  }

  @Test("of no samples makes a recording of no chunks, once")
  func noSamples() throws {
    let store = try SoundStore()
    let path = try store.file("empty.wav", try SoundFiles.wav(Self.format, []))
    let outcome = try store.importFile(path)
    #expect(outcome.kind == .imported)
    let summary = try store.summary(outcome.recording)
    #expect(summary.state == "stopped" && summary.chunks == 0 && summary.takes.count == 1)
    let exported = try store.export(outcome.recording)
    #expect(try SoundFiles.audio(exported.bytes).info.frames == 0)
    #expect(try store.importFile(path).kind == .alreadyThere)
    #expect(try store.recordings().count == 1)
  }

  @Test("uses the time that is given, and never the file's")
  func recordedAt() throws {
    let store = try SoundStore()
    let path = try store.file("in.wav", try SoundFiles.wav(Self.format, [1, 2]))
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 86_400)], ofItemAtPath: path)
    let file = try ImportFile(path, store.environment.files)
    let given = try Importer(
      store.writer, file, ImportRequest(RecordingSeed(recordedAtMilliseconds: 1_000_000))
    ).run()
    #expect(try store.summary(given.recording).startedMilliseconds == 1_000_000)
    let other = try store.importFile(try store.file("b.wav", SoundFiles.wav(Self.format, [3, 4])))
    let now = store.environment.clock.now().wallMilliseconds
    #expect(abs(try store.summary(other.recording).startedMilliseconds - now) < 60_000)
  }

  @Test("refuses what is no audio and names the file, and makes nothing")
  func refusals() throws {
    let store = try SoundStore()
    let text = try store.file("notes.txt", Array("Minutes of the meeting of Monday.".utf8))
    let nothing = try store.file("nothing.wav", [])
    for path in [text, nothing, store.root] {
      let error = #expect(throws: HoldfastError.self) { try store.importFile(path) }
      #expect(error?.code == .inputRefused)
      #expect(error?.message.contains(path) == true)
    }
    let missing = #expect(throws: HoldfastError.self) {
      try store.importFile(store.root + "/none.wav")
    }
    #expect(missing?.code == .notFound)
    #expect(try store.recordings().isEmpty)
  }

  @Test("of an ADTS stream and of CAF packets keeps every packet as it came")
  func packets() throws {
    let store = try SoundStore()
    let stream = SoundFiles.adts(frames: 150, seed: 3)
    let first = try store.importFile(try store.file("in.aac", stream))
    let raw = try store.export(first.recording) { $0.form = .raw }
    #expect(raw.bytes == stream)
    #expect(raw.plan.parts[0].container == .adts)
    #expect(raw.report.frames == 150 * 1_024)
    #expect(try store.summary(first.recording).chunks == 4)

    var random = ReelRandom(4)
    let codec = AudioFormat(
      encoding: SampleEncoding(rawValue: "opus"), sampleRate: 48_000, channels: 1,
      bytesPerFrame: 0, framesPerPacket: 960, configuration: [1, 2, 3])
    let packets = (0..<120).map { _ in random.bytes(Int(random.next() % 300)) }
    let caf = try SoundFiles.caf(codec, packets: packets)
    let second = try store.importFile(try store.file("in.caf", caf))
    #expect(try store.export(second.recording) { $0.form = .raw }.bytes == caf)

    let error = #expect(throws: HoldfastError.self) { try store.export(second.recording) }
    #expect(error?.code == .conflict && error?.message.contains("opus") == true)
    #expect(error?.hint.contains("raw") == true)
    #expect(try store.importFile(store.root + "/in.aac").kind == .alreadyThere)
    #expect(try store.importFile(store.root + "/in.caf").kind == .alreadyThere)
  }

  @Test("keeps one packet that is larger than a chunk whole (an unfinished CAF)")
  func opaque() throws {
    let store = try SoundStore()
    let codec = AudioFormat(
      encoding: SampleEncoding(rawValue: "alac"), sampleRate: 48_000, channels: 1,
      bytesPerFrame: 0, framesPerPacket: 4_096, configuration: [1, 2, 3])
    let packet = SoundFiles.bytes(2_500_000, seed: 5)
    let outcome = try store.importFile(
      try store.file("in.caf", try SoundFiles.caf(codec, packets: [packet])))
    #expect(try store.summary(outcome.recording).chunks == 3)
    let raw = try store.export(outcome.recording) { $0.form = .raw }
    let info = try AudioFile.probe(ArrayByteSource(raw.bytes), name: "")
    var reader = try PacketReader(info, in: ArrayByteSource(raw.bytes))
    let back = try #require(try reader.next())
    #expect(try reader.next() == nil)
    #expect(Array(raw.bytes[Int(back.offset)..<Int(back.offset + back.length)]) == packet)
  }

  @Test("tells its progress, and the last is the whole")
  func progress() throws {
    let store = try SoundStore()
    let data = SoundFiles.bytes(3 << 20, seed: 6)
    let file = try ImportFile(
      try store.file("in.wav", try SoundFiles.wav(Self.format, data)), store.environment.files)
    var told: [ImportProgress] = []
    let outcome = try Importer(store.writer, file, ImportRequest()).run(
      progress: { told.append($0) })
    #expect(told.count >= 2)
    #expect(told.map(\.doneBytes) == told.map(\.doneBytes).sorted())
    #expect(told.allSatisfy { $0.totalBytes == UInt64(data.count) })
    #expect(outcome.progress.doneBytes == UInt64(data.count))
  }

  @Test("of samples without a header takes the whole frames, in the format that is named")
  func rawSamples() throws {
    let store = try SoundStore()
    let format = SoundFiles.format(.s24le, 12_000, 2)
    let data = SoundFiles.bytes(6 * 20_000, seed: 7)
    let path = try store.file("in.pcm", data + [1, 2, 3])
    let file = try ImportFile(path, raw: format, store.environment.files)
    let outcome = try Importer(store.writer, file, ImportRequest(track: "remote")).run()
    #expect(outcome.progress == ImportProgress(doneBytes: 120_000, totalBytes: 120_000))
    #expect(try store.summary(outcome.recording).tracks.map(\.name) == ["remote"])
    let export = try store.export(outcome.recording)
    let audio = try SoundFiles.audio(export.bytes)
    #expect(audio.data == data && audio.info.format.encoding == .s24le)
    #expect(audio.info.format.sampleRate == 12_000 && audio.info.format.channels == 2)
  }
}
