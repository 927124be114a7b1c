import Foundation
import HoldfastModel
import HoldfastSQLite
import HoldfastStore
import Testing

@Suite("Search in current transcripts")
struct SpeechSearchTests {
  @Test("the newest recording comes first, then time within it; a limit bounds it")
  func order() throws {
    let store = try KeptStore()
    let writer = try store.open()
    var made: [RecordingID] = []
    for (index, at) in [2_000_000_000_000, 1_000_000_000_000, 3_000_000_000_000].enumerated() {
      let one = try store.record(writer, title: "T\(index)")
      try writer.update(
        one.recording, RecordingSeed(recordedAtMilliseconds: Int64(at)))
      try store.speak(
        [[("the plan", ""), ("no", ""), ("plan again", "")], [("plan", "")]], on: one, writer)
      made.append(one.recording)
    }
    let hits = try store.hits("plan", writer)
    #expect(hits.map(\.recording) == [2, 2, 2, 0, 0, 0, 1, 1, 1].map { made[$0] })
    #expect(hits.prefix(3).map { Int($0.startSeconds) } == [0, 2, 10])
    #expect(hits[0].title == "T2" && abs(hits[0].endSeconds - hits[0].startSeconds - 1) < 1e-9)
    #expect(try store.hits("plan", writer, limit: 4).count == 4)
    // A time that is changed afterwards moves its recording.
    try writer.update(made[1], RecordingSeed(recordedAtMilliseconds: 4_000_000_000_000))
    #expect(try store.hits("plan", writer, limit: 1).map(\.recording) == [made[1]])
    var request = SearchRequest("plan")
    request.recording = made[0]
    #expect(
      try Set(writer.database.read { try SpeechSearch.run(request, $0) }.map(\.recording))
        == [made[0]])
    request.recording = nil
    request.sinceMilliseconds = 2_000_000_000_000
    request.untilMilliseconds = 4_000_000_000_000
    #expect(
      try Set(writer.database.read { try SpeechSearch.run(request, $0) }.map(\.recording))
        == [made[0], made[2]])
    writer.close()
    try store.expectSound()
  }

  @Test("recordings that began in one millisecond are all found")
  func sameTime() throws {
    let store = try KeptStore()
    let writer = try store.open()
    for index in 0..<12 {
      let one = try store.record(writer, title: "T\(index)", chunks: 1)
      try writer.update(one.recording, RecordingSeed(recordedAtMilliseconds: 1_000))
      try store.speak([[("plan", "")]], on: one, writer)
    }
    #expect(try Set(store.hits("plan", writer).map(\.recording)).count == 12)
    writer.close()
    try store.expectSound()
  }

  @Test("the trash is not searched; what comes back is")
  func trash() throws {
    let store = try KeptStore()
    let writer = try store.open()
    let made = try store.record(writer)
    try store.speak([[("secret", "")]], on: made, writer)
    try writer.trash(made.recording)
    #expect(try store.hits("secret", writer).isEmpty)
    try writer.restore(made.recording)
    #expect(try store.hits("secret", writer).count == 1)
    writer.close()
  }

  @Test("S6: a purge leaves no text: not in a row, not in the log, not in the index")
  func purge() throws {
    let store = try KeptStore()
    let writer = try store.open()
    let made = try store.record(writer)
    let other = try store.record(writer)
    try store.speak([[("kept", "")]], on: other, writer)
    let pass = try store.speak([[("secret", "A")]], live: true, closed: false, on: made, writer)
    try writer.nameSpeaker("A", "Confidant", of: made.recording)
    let track = try store.track(of: made.take, writer)
    try writer.database.commit { db in
      try PassWriting.setVolatile(
        KeptStore.say([(15..<16, "secretive", "A")], take: made.take, track: track), of: pass,
        recording: made.recording, db)
    }
    _ = try Removal.purge(made.recording, writer)
    #expect(try store.hits("secret*", writer).isEmpty)
    #expect(try store.hits("kept", writer).count == 1)
    let counts = try writer.database.read { db in
      try ["pass", "unit", "speech", "transcript", "volatile_speech"].map { table in
        try db.first("SELECT count(*) FROM \(table)", []) { $0.int64(0) }
      }
    }
    #expect(counts == [1, 1, 1, 1, 0])
    let bodies = try writer.database.read { db in
      try db.all("SELECT bytes FROM change WHERE bytes IS NOT NULL", []) { $0.blob(0) }
    }
    for word in ["secret", "Confidant"] {
      #expect(!bodies.contains { Data($0).range(of: Data(word.utf8)) != nil })
    }
    let late = #expect(throws: HoldfastError.self) {
      try writer.database.commit { db in
        try PassWriting.close(pass, of: made.recording, writer.log, db)
      }
    }
    #expect(late?.code == .notFound)
    writer.close()
    try store.expectSound()
  }

  @Test(
    "the user's words are taken literally, but for a * at the end",
    arguments: [
      ("don't", 1), ("\"quoted", 1), ("NEAR(a b)", 0), ("alpha OR beta", 0), ("alpha beta", 1),
      ("ALPHA", 1), ("alph", 0), ("alph*", 1), ("text:alpha", 0), ("cafe", 1), ("café", 1),
      ("-alpha", 1), ("(alpha", 1), ("alpha\u{0}", 1), ("beta alpha", 1), ("{alpha}", 1),
      ("^alpha", 1), ("alpha + beta", 1),
    ] as [(String, Int)])
  func literal(words: String, count: Int) throws {
    let store = try KeptStore()
    let writer = try store.open()
    let made = try store.record(writer)
    try store.speak([[("alpha beta don't \"quoted\" café", "")]], on: made, writer)
    #expect(try store.hits(words, writer).count == count)
    writer.close()
  }

  @Test(
    "words that are none are refused, and say so", arguments: ["", "  ", "\"\"", "*", "--", "…"])
  func none(words: String) throws {
    let store = try KeptStore()
    let writer = try store.open()
    let refusal = #expect(throws: HoldfastError.self) { try store.hits(words, writer) }
    #expect(refusal?.code == .invalidArgument)
    writer.close()
  }

  @Test("a lost index is a finding, and rebuilding makes it again")
  func rebuilt() throws {
    let store = try KeptStore()
    var writer = try store.open()
    let made = try store.record(writer)
    try store.speak([[("hello world", "A")]], on: made, writer)
    try writer.nameSpeaker("A", "Anna", of: made.recording)
    writer.close()
    try store.tamper("DELETE FROM speech; DELETE FROM unit")
    let codes = Set(try store.reader().databaseProblems().map(\.code))
    #expect(codes == [.projection])
    let target = store.root + "/new"
    _ = try StoreRebuild.run(
      from: store.directory, to: target, KeptStore.options, store.environment)
    #expect(try store.reader(target).databaseProblems().isEmpty)
    writer = try store.open(target)
    #expect(try store.hits("world", writer).map(\.speaker) == ["Anna"])
    #expect(try store.texts(made.recording, writer) == ["hello world"])
    writer.close()
  }
}
