import HoldfastModel
import HoldfastSQLite
import HoldfastStore
import Testing

@Suite("Transcripts while a recording is made")
struct LiveTranscriptTests {
  @Test("a unit reads neither the recording's other changes nor the units before it")
  func linear() throws {
    let store = try KeptStore()
    var writer = try store.open()
    let made = try store.record(writer)
    let track = try store.track(of: made.take, writer)
    let pass = try store.speak(
      [[("one", "A")], [("two", "A")]], live: true, closed: false, on: made, writer)
    writer.close()
    // Whoever read these would fail.
    try store.tamper("UPDATE change SET bytes = x'00' WHERE kind IN ('set', 'take', 'segments')")
    writer = try store.open()
    try writer.database.commit { db in
      _ = try PassWriting.append(
        KeptStore.unit(2, [("three", "A")], made.take, track), to: pass, of: made.recording,
        writer.log, db)
    }
    #expect(try store.hits("three", writer).map(\.speaker) == ["A"])
    #expect(throws: HoldfastError.self) { try store.texts(made.recording, writer) }
    writer.close()
  }

  @Test("what is said of a take that is still open is shown, in its gap's right place too")
  func recording() throws {
    let store = try KeptStore()
    let writer = try store.open()
    let id = try writer.startRecording(RecordingSeed(title: "Now"))
    let first = try store.capture(writer, id, chunks: 20)
    let takes = try writer.database.read { try TranscriptReading.takes(of: id, $0) }
    let placing = SegmentPlacing(takes: takes, endNanoseconds: 2_500_000_000)
    let spoken = [
      SpokenSegment(startSeconds: 1, endSeconds: 2, text: "first"),
      SpokenSegment(startSeconds: 2, endSeconds: 2.5, text: "maybe", isFinal: false),
    ].map { try? placing.place($0) }
    let segments = spoken.compactMap(\.self)
    let pass = try writer.database.commit { db in
      let pass = try PassWriting.open(PassDraft(isLive: true), of: id, writer.log, db)
      try PassWriting.append(
        TranscriptUnit(
          number: 0, coveredNanoseconds: 0..<2_000_000_000, segments: [segments[0]]),
        to: pass, of: id, writer.log, db)
      try PassWriting.setVolatile([segments[1]], of: pass, recording: id, db)
      return pass
    }
    #expect(try store.texts(id, writer) == ["first", "maybe"])
    #expect(try store.hits("first", writer).count == 1)
    #expect(try store.hits("maybe", writer).isEmpty)
    // A reader beside the recorder sees the same.
    let beside = try store.reader().read { try TranscriptReading.current(of: id, $0) }
    #expect(beside.segments.map(\.text) == ["first", "maybe"] && beside.pass == pass)
    try writer.closeTake(first, [], reason: .pause)
    let second = try store.capture(writer, id, chunks: 20)
    let later = try writer.database.read { try TranscriptReading.takes(of: id, $0) }
    let start = try #require(later.first { $0.take == second }).startNanoseconds
    try writer.database.commit { db in
      let track = later[0].track
      try PassWriting.append(
        TranscriptUnit(
          number: 1, coveredNanoseconds: 2_000_000_000..<start + 1_000_000_000,
          segments: [
            PassSegment(
              take: second, track: track, firstFrame: 8_000, endFrame: 16_000, text: "second")
          ]),
        to: pass, of: id, writer.log, db)
    }
    let shown = try store.shown(id, writer)
    #expect(shown.segments.map(\.text).filter { $0 != "maybe" } == ["first", "second"])
    #expect(shown.segments.last?.startNanoseconds == start + 1_000_000_000)
    try writer.closeTake(second, [], reason: .stop)
    try writer.setPhase(.stopped, of: id, reason: .stop)
    try writer.database.commit { try PassWriting.close(pass, of: id, writer.log, $0) }
    writer.close()
    try store.expectSound()
  }

  @Test("speakers of two tracks are told apart by their track, and named apart")
  func twoTracks() throws {
    let store = try KeptStore()
    let writer = try store.open()
    let id = try writer.startRecording(RecordingSeed(title: "Call"))
    var takes: [TakeID] = []
    for name in ["mic", "remote"] {
      let take = try store.capture(writer, id, chunks: 10, track: name)
      try writer.closeTake(take, [], reason: .stop)
      takes.append(take)
    }
    let tracks = try takes.map { try store.track(of: $0, writer) }
    let lines: [PassSegment] = zip(takes, tracks).flatMap { take, track in
      KeptStore.say([(0..<1, "hello", "S0"), (2..<3, "bye", "")], take: take, track: track)
    }
    try writer.database.commit { db in
      let pass = try PassWriting.open(PassDraft(), of: id, writer.log, db)
      try PassWriting.append(
        TranscriptUnit(number: 0, coveredNanoseconds: 0..<9, segments: lines), to: pass, of: id,
        writer.log, db)
      try PassWriting.close(pass, of: id, writer.log, db)
    }
    #expect(
      try Set(store.shown(id, writer).segments.compactMap(\.speaker)) == ["S0", "mic", "remote"])
    #expect(try Set(store.hits("bye", writer).compactMap(\.speaker)) == ["mic", "remote"])
    let several = #expect(throws: HoldfastError.self) {
      try writer.nameSpeaker("S0", "Anna", of: id)
    }
    #expect(several?.code == .conflict && several?.hint.contains("mic, remote") == true)
    try writer.nameSpeaker("S0", "Anna", of: id, track: "remote")
    try writer.nameSpeaker("mic", "Me", of: id)
    let named = try store.shown(id, writer).segments
    #expect(Set(named.compactMap(\.speaker)) == ["S0", "Anna", "Me", "remote"])
    #expect(named.first { $0.speaker == "Anna" }?.line.segment.track == tracks[1])
    writer.close()
    try store.expectSound()
  }

  @Test("S1: the dump is a function of the changes, and differs with every word")
  func dump() throws {
    let store = try KeptStore()
    let writer = try store.open()
    let made = try store.record(writer)
    try store.speak([[("hello \u{202E}x", "A")]], on: made, writer)
    try writer.nameSpeaker("A", "Anna", of: made.recording)
    var text = ""
    try writer.database.read { db in try StateDump.write(db) { text += $0 } }
    #expect(text.contains("engine \"test\" version 1 quality 0 closed\n"))
    #expect(text.contains("cluster \"A\" text \"hello \\u{202e}x\"\n"))
    #expect(text.contains("value \"Anna\"\n"))
    _ = try Removal.purge(made.recording, writer)
    var purged = ""
    try writer.database.read { db in try StateDump.write(db) { purged += $0 } }
    #expect(!purged.contains("hello") && !purged.contains("Anna"))
    writer.close()
  }
}
