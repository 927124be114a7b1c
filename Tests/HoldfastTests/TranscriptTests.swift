import Foundation
import Holdfast
import Testing

@Suite("Transcripts as an app sees them")
struct TranscriptTests {
  /// A stopped recording with a pass over it that says the given lines, one a second.
  private func spoken(
    _ store: RecordingStore, _ lines: [(text: String, speaker: String)], quality: Int32 = 0,
    title: String = "Stand-up"
  ) async throws -> Recording {
    let recording = try await AudioTests.record(
      store, title: title, RecordingStoreTests.samples(16_000 * 4))
    try await speak(store, recording.id, lines, quality: quality)
    return recording
  }

  private func speak(
    _ store: RecordingStore, _ id: Recording.ID, _ lines: [(text: String, speaker: String)],
    quality: Int32 = 0
  ) async throws {
    let model = id.model
    try await store.host.write { writer throws(HoldfastError) in
      try writer.database.commit { db in
        // On a slow machine a take begins late in its recording.
        let takes = try TranscriptReading.takes(of: model, db)
        let start = Double(takes[0].startNanoseconds) / 1e9
        let spoken = lines.enumerated().map { index, line in
          SpokenSegment(
            startSeconds: start + Double(index) + 0.1, endSeconds: start + Double(index) + 1,
            text: line.text, speaker: line.speaker)
        }
        let placing = SegmentPlacing(takes: takes)
        let draft = PassDraft(engine: "test", quality: quality)
        let pass = try PassWriting.open(draft, of: model, writer.log, db)
        let unit = TranscriptUnit(
          number: 0, coveredNanoseconds: 0..<4_000_000_000, segments: placing.place(spoken).placed)
        try PassWriting.append(unit, to: pass, of: model, writer.log, db)
        try PassWriting.close(pass, of: model, writer.log, db)
      }
    }
  }

  @Test("an observer sees each transcript that comes, and names and edits (X1, X2)")
  func observed() async throws {
    let place = TemporaryStore()
    let store = try await place.open()
    let recording = try await AudioTests.record(
      store, title: "Stand-up", RecordingStoreTests.samples(16_000 * 4))
    var updates = store.transcript(of: recording.id).makeAsyncIterator()
    #expect(await updates.next()?.segments.isEmpty == true)
    try await speak(store, recording.id, [("wat", "A"), ("yes", "B")])
    var now = await updates.next()
    while now?.segments.isEmpty == true { now = await updates.next() }
    #expect(now?.segments.map(\.text) == ["wat", "yes"])
    #expect(now?.plainText == "A: wat\n\nB: yes\n")
    let first = try #require(now?.segments.first)
    try await store.nameSpeaker("A", "Anna", in: recording.id)
    try await store.editTranscript(
      of: recording.id, at: first.range.lowerBound, text: "What?")
    var updatesAgain = store.transcript(of: recording.id).makeAsyncIterator()
    let edited = try #require(await updatesAgain.next()?.segments.first)
    #expect(edited.text == "What?" && edited.speaker == "Anna" && edited.isFinal)
    #expect(edited.range == first.range)
    await store.close()
  }

  @Test("passes can be listed, shown and left to themselves; search follows")
  func passes() async throws {
    let place = TemporaryStore()
    let store = try await place.open()
    let one = try await spoken(store, [("the first plan", "A"), ("again", "A")])
    try await speak(store, one.id, [("the second plan", "A"), ("again", "A")], quality: 3)
    let passes = try await store.passes(of: one.id)
    #expect(passes.map(\.number) == [1, 2] && passes.map(\.isCurrent) == [false, true])
    #expect(passes.allSatisfy { $0.isFinal && !$0.isChosen && $0.words == 4 })
    #expect(try await store.search("second").count == 1)
    try await store.showPass(passes[0].id, of: one.id)
    #expect(try await store.search("second").isEmpty)
    let hit = try #require(try await store.search("FIRST pla*").first)
    #expect(hit.recording == one.id && hit.speaker == "A" && hit.title == "Stand-up")
    #expect(hit.range.upperBound > hit.range.lowerBound)
    try await store.showPass(nil, of: one.id)
    #expect(try await store.passes(of: one.id).map(\.isCurrent) == [false, true])
    let coded = try JSONDecoder().decode(
      TranscriptPass.ID.self, from: JSONEncoder().encode(passes[0].id))
    #expect(coded == passes[0].id && TranscriptPass.ID("4f") == nil)
    await store.close()
  }

  @Test("an archive has the transcript as text, and as JSON with all passes")
  func archive() async throws {
    struct Document: Decodable {
      struct Segment: Decodable {
        let startSeconds, endSeconds: Double
        let text: String
        let speaker: String?
        let final: Bool
      }
      let pass: String?
      let segments: [Segment]
      let otherPasses: [Document]?
    }
    let place = TemporaryStore()
    let store = try await place.open()
    let one = try await spoken(store, [("good", "A")], quality: 3)
    try await speak(store, one.id, [("worse", "")])
    _ = try await AudioTests.record(
      store, title: "Silent", RecordingStoreTests.samples(16_000))
    let archive = place.outside.appendingPathComponent("archive")
    _ = try await store.archive(to: archive)
    let folders = try FileManager.default.contentsOfDirectory(atPath: archive.path)
    let spoken = try #require(folders.first { $0.hasSuffix("Stand-up") })
    let folder = archive.appendingPathComponent(spoken)
    let document = try JSONDecoder().decode(
      Document.self, from: Data(contentsOf: folder.appendingPathComponent("transcript.json")))
    #expect(document.segments.map(\.text) == ["good"] && document.segments[0].final)
    #expect(document.otherPasses?.map { $0.segments.map(\.text) } == [["worse"]])
    let text = try String(
      contentsOf: folder.appendingPathComponent("transcript.txt"), encoding: .utf8)
    #expect(text == "A: good\n")
    let silent = archive.appendingPathComponent(
      try #require(folders.first { $0.hasSuffix("Silent") }))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: silent.path)
        .allSatisfy { !$0.hasPrefix("transcript") })
    await store.close()
  }
}
