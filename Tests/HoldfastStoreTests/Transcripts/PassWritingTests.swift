import HoldfastModel
import HoldfastSQLite
import HoldfastStore
import Testing

@Suite("X1, T3: passes in the store")
struct PassWritingTests {
  @Test("a unit is a change, and is read back with its range; the next open has it")
  func units() throws {
    let store = try KeptStore()
    var writer = try store.open()
    let made = try store.record(writer)
    let pass = try store.speak(
      [[("hello", "A"), ("there", "B")], [], [("again", "A")]], on: made, writer)
    writer.close()
    writer = try store.open()
    #expect(try store.texts(made.recording, writer) == ["hello", "there", "again"])
    let shown = try store.shown(made.recording, writer)
    #expect(shown.pass == pass && shown.segments.map { Int($0.startSeconds) } == [0, 1, 20])
    let (covered, next, rows) = try writer.database.read { db in
      (
        try TranscriptReading.coveredNanoseconds(of: pass, db),
        try TranscriptReading.nextUnit(of: pass, db),
        try TranscriptReading.passes(of: made.recording, db)
      )
    }
    #expect(covered == [0..<30_000_000_000] && next == 3)
    #expect(rows.map(\.words) == [3] && rows.map(\.segments) == [3] && rows[0].isClosed)
    writer.close()
    try store.expectSound()
  }

  @Test("T3: the same unit delivered twice, with other labels, writes nothing")
  func twice() throws {
    let store = try KeptStore()
    let writer = try store.open()
    let made = try store.record(writer)
    let pass = try store.speak([[("hello", "A")]], live: true, closed: false, on: made, writer)
    let track = try store.track(of: made.take, writer)
    let count = {
      try writer.database.read { db in
        try db.first("SELECT count(*) FROM change", []) { $0.int64(0) }
      }
    }
    let before = try count()
    let isNew = try writer.database.commit { db in
      try PassWriting.append(
        KeptStore.unit(0, [("hello", "B"), ("more", "C")], made.take, track), to: pass,
        of: made.recording, writer.log, db)
    }
    #expect(!isNew)
    #expect(try count() == before)
    #expect(try store.shown(made.recording, writer).segments.map(\.speaker) == ["A"])
    #expect(try store.hits("hello", writer).count == 1)
    writer.close()
  }

  @Test("a closed pass takes no more; a pass that is not here takes nothing")
  func closed() throws {
    let store = try KeptStore()
    let writer = try store.open()
    let made = try store.record(writer)
    let pass = try store.speak([[("hello", "A")]], on: made, writer)
    let track = try store.track(of: made.take, writer)
    let unit = KeptStore.unit(1, [("late", "A")], made.take, track)
    let refusal = #expect(throws: HoldfastError.self) {
      try writer.database.commit { db in
        _ = try PassWriting.append(unit, to: pass, of: made.recording, writer.log, db)
      }
    }
    #expect(refusal?.code == .conflict)
    let unknown = #expect(throws: HoldfastError.self) {
      try writer.database.commit { db in
        _ = try PassWriting.append(
          unit, to: PassID(digest: .zero), of: made.recording, writer.log, db)
      }
    }
    #expect(unknown?.code == .notFound)
    let gone = #expect(throws: HoldfastError.self) {
      try writer.database.commit { db in
        _ = try PassWriting.open(
          PassDraft(), of: RecordingID(high: 1, low: 1), writer.log, db)
      }
    }
    #expect(gone?.code == .notFound)
    writer.close()
  }

  @Test("X1: a re-run with 3 % of the words stays beside, and can be shown and taken back")
  func rerun() throws {
    let store = try KeptStore()
    let writer = try store.open()
    let made = try store.record(writer)
    let long = (0..<100).map { "w\($0)" }.joined(separator: " ")
    let first = try store.speak([[(long, "")]], on: made, writer)
    let second = try store.speak([[("few odd words", "")]], quality: 90, on: made, writer)
    #expect(try store.shown(made.recording, writer).pass == first)
    #expect(try store.hits("odd", writer).isEmpty)
    try writer.choosePass(second, of: made.recording)
    #expect(try store.texts(made.recording, writer) == ["few odd words"])
    #expect(try store.hits("odd", writer).count == 1)
    #expect(try store.hits("w7", writer).isEmpty)
    try writer.choosePass(nil, of: made.recording)
    #expect(try store.shown(made.recording, writer).pass == first)
    let refusal = #expect(throws: HoldfastError.self) {
      try writer.choosePass(PassID(digest: .zero), of: made.recording)
    }
    #expect(refusal?.code == .notFound)
    writer.close()
    try store.expectSound()
  }

  @Test("segments that may still change are shown, never a change, and end with their unit")
  func volatile() throws {
    let store = try KeptStore()
    let writer = try store.open()
    let made = try store.record(writer)
    let pass = try store.speak([], live: true, closed: false, on: made, writer)
    let track = try store.track(of: made.take, writer)
    let log = {
      try writer.database.read { db in
        try db.first("SELECT count(*) FROM change", []) { $0.int64(0) }
      }
    }
    let before = try log()
    let guesses = KeptStore.say(
      [(2..<3, "gues", ""), (12..<13, "late", "")], take: made.take, track: track)
    try writer.database.commit(.repeatable) { db in
      try PassWriting.setVolatile(guesses, of: pass, recording: made.recording, db)
    }
    #expect(try log() == before)
    let shown = try store.shown(made.recording, writer)
    #expect(shown.segments.map(\.text) == ["gues", "late"])
    #expect(shown.segments.allSatisfy { !$0.line.isFinal })
    try writer.database.commit { db in
      _ = try PassWriting.append(
        KeptStore.unit(0, [("guess", "")], made.take, track), to: pass, of: made.recording,
        writer.log, db)
    }
    #expect(try store.texts(made.recording, writer) == ["guess", "late"])
    try writer.database.commit { db in
      try PassWriting.close(pass, of: made.recording, writer.log, db)
    }
    #expect(try store.texts(made.recording, writer) == ["guess"])
    writer.close()
    try store.expectSound()
  }

  @Test("a unit too long for one change is one unit, in the log as in what is shown")
  func long() throws {
    let store = try KeptStore()
    let writer = try store.open()
    let made = try store.record(writer)
    let text = (0..<150_000).map { "w\($0 % 977)" }.joined(separator: " ")
    let pass = try store.speak([[(text, "A")], [("end", "A")]], on: made, writer)
    #expect(try store.texts(made.recording, writer).joined(separator: " ") == text + " end")
    let (rows, largest) = try writer.database.read { db in
      (
        try TranscriptReading.passes(of: made.recording, db),
        try db.first("SELECT max(length(bytes)) FROM change", []) { $0.uint64(0) }
      )
    }
    #expect(rows.map(\.words) == [150_001] && (largest ?? .max) <= Change.maximumBytes)
    #expect(rows.map(\.id) == [pass])
    let hit = try #require(try store.hits("w976", writer, limit: 1).first)
    #expect(hit.snippet.utf8.count < 1_000)
    writer.close()
    try store.expectSound()
  }

  @Test("the state of a recording is read past its transcript, by an index of its own")
  func index() throws {
    let store = try KeptStore()
    let writer = try store.open()
    let made = try store.record(writer)
    try store.speak([[("hello", "A")]], on: made, writer)
    let plan = try writer.database.read { db in
      try db.all(
        "EXPLAIN QUERY PLAN " + ChangeLog.changesOfState, [.blob(made.recording.bytes)]
      ) { $0.text(3) }
    }
    #expect(plan.contains { $0.contains("change_of_recording") }, "\(plan)")
    let changes = try writer.database.read { try ChangeLog.changes(of: made.recording, $0) }
    #expect(!changes.isEmpty && changes.allSatisfy { !$0.kind.isOfTranscript })
    writer.close()
  }

  @Test("X2: names and edits follow to a better pass, are searched, and can be taken back")
  func overlays() throws {
    let store = try KeptStore()
    let writer = try store.open()
    let made = try store.record(writer)
    try store.speak(
      [[("wat is the plan", "0"), ("we ship it", "1"), ("fine", "0")]], on: made, writer)
    try writer.nameSpeaker("0", "Anna", of: made.recording)
    try writer.nameSpeaker("1", "Ben", of: made.recording)
    try writer.editText(.at(0.5), "What is the plan?", of: made.recording)
    #expect(
      try store.shown(made.recording, writer).segments.map(\.speaker) == ["Anna", "Ben", "Anna"])
    #expect(try store.hits("what", writer).map(\.speaker) == ["Anna"])
    #expect(try store.hits("wat", writer).isEmpty)
    try store.speak(
      [[("hot is the plan", "1"), ("we shipped it", "0"), ("fine", "1")]], quality: 5, on: made,
      writer)
    let shown = try store.shown(made.recording, writer)
    #expect(shown.segments.map(\.speaker) == ["Anna", "Ben", "Anna"])
    #expect(shown.segments.map(\.text) == ["What is the plan?", "we shipped it", "fine"])
    try writer.nameSpeaker("Anna", "", of: made.recording)
    try writer.editText(.number(1), "", of: made.recording)
    let bare = try store.shown(made.recording, writer)
    #expect(bare.segments.map(\.speaker) == ["1", "Ben", "1"] && bare.unplaced.isEmpty)
    #expect(bare.segments.map(\.text) == ["hot is the plan", "we shipped it", "fine"])
    for (speaker, code) in [("Zoe", HoldfastError.Code.notFound)] {
      let refusal = #expect(throws: HoldfastError.self) {
        try writer.nameSpeaker(speaker, "X", of: made.recording)
      }
      #expect(refusal?.code == code)
    }
    let nowhere = #expect(throws: HoldfastError.self) {
      try writer.editText(.number(9), "X", of: made.recording)
    }
    #expect(nowhere?.code == .notFound)
    writer.close()
    try store.expectSound()
  }

  @Test("a pass that grows while names are given stays what its changes give")
  func growing() throws {
    let store = try KeptStore()
    let writer = try store.open()
    let made = try store.record(writer)
    let track = try store.track(of: made.take, writer)
    let pass = try store.speak([[("one", "A")]], live: true, closed: false, on: made, writer)
    try writer.nameSpeaker("A", "Anna", of: made.recording)
    for number in UInt64(1)..<12 {
      try writer.database.commit { db in
        _ = try PassWriting.append(
          KeptStore.unit(number, [("more", "A"), ("and", "B")], made.take, track), to: pass,
          of: made.recording, writer.log, db)
      }
      if number == 6 { try writer.editText(.number(3), "edited", of: made.recording) }
    }
    #expect(try store.hits("more", writer, limit: 99).allSatisfy { $0.speaker == "Anna" })
    #expect(try store.hits("edited", writer).count == 1)
    #expect(try store.texts(made.recording, writer).count == 23)
    writer.close()
    try store.expectSound()
  }
}
