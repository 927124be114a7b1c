import Foundation
import Holdfast
import Testing

@testable import HoldfastCommand

@Suite("transcript and search", .serialized)
struct TranscriptCommandTests {
  private struct Shown: Decodable {
    struct Segment: Decodable {
      let startSeconds, endSeconds: Double
      let text: String
      let speaker: String?
      let final: Bool
    }
    let pass: String?
    let segments: [Segment]
  }
  private struct Hits: Decodable {
    struct Hit: Decodable {
      let recording, title, text, snippet: String
      let startSeconds, endSeconds: Double
      let speaker: String?
    }
    let hits: [Hit]
  }
  private struct Passes: Decodable {
    struct Pass: Decodable {
      let pass: String
      let number: Int
      let current, chosen, final: Bool
    }
    let passes: [Pass]
  }

  /// Adds a pass as a handler would; lines of a second each.
  private func speak(
    _ place: Place, _ id: String, _ lines: [(String, String)], quality: Int32 = 0
  ) async throws {
    let store = RecordingStore(.init(directory: URL(fileURLWithPath: place.store)))
    let model = try #require(RecordingID(id))
    try await store.host.write { writer throws(HoldfastError) in
      try writer.database.commit { db in
        // On a slow machine a take begins late in its recording.
        let takes = try TranscriptReading.takes(of: model, db)
        let start = Double(takes[0].startNanoseconds) / 1e9
        let spoken = lines.enumerated().map { index, line in
          SpokenSegment(
            startSeconds: start + Double(index), endSeconds: start + Double(index) + 1,
            text: line.0, speaker: line.1)
        }
        let placing = SegmentPlacing(
          takes: takes, endNanoseconds: takes[0].startNanoseconds + 60_000_000_000)
        let pass = try PassWriting.open(
          PassDraft(engine: "test", quality: quality), of: model, writer.log, db)
        try PassWriting.append(
          TranscriptUnit(
            number: 0, coveredNanoseconds: 0..<9, segments: placing.place(spoken).placed),
          to: pass, of: model, writer.log, db)
        try PassWriting.close(pass, of: model, writer.log, db)
      }
    }
    await store.close()
  }

  private func json<T: Decodable>(_ type: T.Type, _ result: Binary.Result) throws -> T {
    try JSONDecoder().decode(type, from: Data(result.output.utf8))
  }

  @Test("a transcript is shown in every form, and a recording without one says so")
  func shown() async throws {
    let place = try Place()
    let id = try place.recorded("Board")
    let none = try place.run(["transcript", id])
    #expect(none.status == 0 && none.output.isEmpty && none.error.contains("no transcript yet"))
    #expect(try json(Shown.self, place.run(["transcript", id, "--json"])).pass == nil)
    try await speak(place, id, [("1 < 2 \u{202E}evil", "A"), ("fine", "B")])
    let text = try place.run(["transcript", id])
    #expect(text.output == "A: 1 < 2 \u{202E}evil\n\nB: fine\n", "a pipe gets the text as it is")
    let srt = try place.run(["transcript", id, "--format", "srt"]).output
    #expect(srt.hasPrefix("1\n00:00:0") && srt.contains("A: 1 < 2"))
    #expect(try place.run(["transcript", id, "--format", "vtt"]).output.contains("<v A>1 &lt; 2"))
    #expect(try place.run(["transcript", id, "--format", "md"]).output.hasPrefix("# Board\n"))
    let document = try json(Shown.self, place.run(["transcript", id, "--format", "json"]))
    #expect(document.segments.map(\.speaker) == ["A", "B"] && document.segments[0].final)
    let file = place.path("out.srt")
    #expect(try place.run(["transcript", id, "--format", "srt", "-o", file]).status == 0)
    #expect(try String(contentsOfFile: file, encoding: .utf8) == srt)
    #expect(try place.run(["transcript", id, "-o", file]).status != 0, "it exists")
    #expect(try place.run(["transcript", id, "-o", file, "--force"]).status == 0)
  }

  @Test("a terminal gets text with what could act on it, or deceive, made visible")
  func onTerminal() async throws {
    let place = try Place()
    let id = try place.recorded("Board")
    try await speak(place, id, [("exe\u{202E}gnp \u{1B}[2J\nnext", "A\u{2066}b")])
    for (words, shown) in [
      (["transcript", id], "A\\u{2066}b: exe\\u{202E}gnp [2J\nnext\n"),
      (["search", "next"], "exe\\u{202E}gnp [2J\\nnext"),
    ] {
      let device = MemoryDevice()
      let ending = await CommandLineTool.test(
        device, registry: .all, terminal: .screen(200, [:]),
        environment: ["HOLDFAST_STORE": place.store]
      ).run(words)
      #expect(ending == .exit(.done))
      #expect(device.output.contains(shown), "\(device.output)")
    }
  }

  @Test("what fits nowhere on the pass that is shown is told, and stands in the JSON")
  func unplaced() async throws {
    let place = try Place()
    let id = try place.recorded("Board")
    try await speak(place, id, [("one two", ""), ("three four", "")])
    #expect(
      try place.run(["transcript", id, "edit", "--segment", "2", "--text", "3 4", "-q"]).status
        == 0)
    try await speak(place, id, [("one two three four and more", "")], quality: 9)
    let shown = try place.run(["transcript", id])
    #expect(shown.output == "one two three four and more\n")
    #expect(shown.error.contains("1 name or edit of another pass fits nowhere here"))
    let document = try place.run(["transcript", id, "--json"]).output
    #expect(document.contains("\"unplaced\":[{\"cluster\":\"\",\"kind\":\"text\""))
  }

  @Test("passes are listed, chosen by number or hash, and left to themselves")
  func passes() async throws {
    let place = try Place()
    let id = try place.recorded()
    try await speak(place, id, [("one two three", "")])
    try await speak(place, id, [("one two four", "")], quality: 5)
    let list = try json(Passes.self, place.run(["transcript", id, "passes", "--json"])).passes
    #expect(list.map(\.number) == [1, 2] && list.map(\.current) == [false, true])
    #expect(try place.run(["transcript", "passes", id]).output.contains("complete, shown"))
    #expect(try place.run(["transcript", id, "--pass", "1"]).output == "one two three\n")
    let hash = String(list[0].pass.prefix(9))
    #expect(try place.run(["transcript", id, "--pass", hash]).output == "one two three\n")
    #expect(try place.run(["transcript", id, "restore", "1", "-q"]).status == 0)
    #expect(try place.run(["transcript", id]).output == "one two three\n")
    #expect(try place.run(["transcript", "restore", id, "0", "-q"]).status == 0)
    #expect(try place.run(["transcript", id]).output == "one two four\n")
    let absent = try place.run(["transcript", id, "restore", "7"])
    #expect(absent.status == 1 && absent.error.contains("lists 1 to 2"))
    let show = try place.run(["show", id, "--json"]).output
    #expect(show.contains("\"passes\":[{") && show.contains("\"engine\":\"test\""))
    #expect(try place.run(["show", id]).output.contains("ENGINE"))
  }

  @Test("speakers get names and lines other words; both are found")
  func changed() async throws {
    let place = try Place()
    let id = try place.recorded("Board")
    try await speak(place, id, [("wat is it", "SPEAKER_01"), ("yes", "SPEAKER_02")])
    #expect(try place.run(["transcript", id, "name", "SPEAKER_01", "Anna", "-q"]).status == 0)
    let edit = ["transcript", id, "edit", "--segment", "1", "--text", "What is it?", "--json"]
    let document = try json(Shown.self, place.run(edit))
    #expect(document.segments.map(\.text) == ["What is it?", "yes"])
    #expect(document.segments.map(\.speaker) == ["Anna", "SPEAKER_02"])
    #expect(try place.run(["transcript", id]).output.hasPrefix("Anna: What is it?\n"))
    let unknown = try place.run(["transcript", id, "name", "Zoe", "Ann"])
    #expect(unknown.status == 1 && unknown.error.contains("There are: Anna"))
    let found = try json(Hits.self, place.run(["search", "WHAT", "--json"]))
    #expect(found.hits.map(\.text) == ["What is it?"] && found.hits[0].speaker == "Anna")
    #expect(found.hits[0].recording == id && found.hits[0].title == "Board")
    let table = try place.run(["search", "wh*"]).output
    #expect(table.contains("0:00:0") && table.contains("What is it?"))
    #expect(try place.run(["search", "what", "--recording", String(id.prefix(8))]).status == 0)
    #expect(try place.run(["search", "what", "--until", "2001-01-01"]).status == 1)
    let nothing = try place.run(["search", "wat"])
    #expect(nothing.status == 1 && nothing.output.isEmpty)
    #expect(try place.run(["search", "--json", "wat"]).output == "{\"hits\":[]}\n")
    #expect(try place.run(["search", "?!"]).status == 2)
  }

  @Test(
    "words that make no sense say what would",
    arguments: [
      (["transcript", "4f2a", "pases"], "did you mean"),
      (["transcript", "passes"], "the ID of a recording is missing"),
      (["transcript", "4f2a", "restore"], "restore needs N"),
      (["transcript", "4f2a", "name", "A"], "name needs SPEAKER NAME"),
      (["transcript", "4f2a", "passes", "x"], "one too many"),
      (["transcript", "4f2a", "edit", "--at", "1"], "--text TEXT is missing"),
      (["transcript", "4f2a", "edit", "--text", "x"], "--at SECONDS or --segment N"),
      (["transcript", "4f2a", "--text", "x"], "belong to edit"),
      (["transcript", "4f2a", "passes", "--track", "x"], "belongs to name"),
      (["transcript", "4f2a", "restore", "1", "--pass", "1"], "current transcript"),
      (["transcript", "4f2a", "edit", "--at", "1", "--segment", "1"], "cannot be given together"),
      (["transcript", "4f2a", "--format", "doc"], "one of txt, srt, vtt, json, md"),
      (["search"], "WORDS is missing"),
    ])
  func usage(words: [String], said: String) throws {
    let place = try Place()
    let result = try place.run(words)
    #expect(result.status == 2 && result.error.contains(said), "\(result.error)")
  }
}
