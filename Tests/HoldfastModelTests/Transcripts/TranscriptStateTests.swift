import HoldfastModel
import Testing

@Suite("X1, S1: passes and their units")
struct TranscriptStateTests {
  @Test(
    "X1: three passes of 100, 40 and 15 words come to the same, in whatever order their changes",
    arguments: UInt64(1)...40)
  func threePasses(seed: UInt64) {
    var speaking = Speaking()
    for (name, words, quality) in [(3, 100, 0), (2, 40, 50), (1, 15, 99)]
      as [(UInt64, UInt64, Int32)]
    {
      speaking.pass(
        name, quality: quality,
        units: [
          [Speaking.segment(0..<80, Speaking.words(words / 2))],
          [Speaking.segment(80..<160, Speaking.words(words - words / 2))],
        ])
    }
    let dice = Dice(seed)
    let shuffled = dice.shuffled(speaking.changes + Array(speaking.changes.prefix(dice.below(9))))
    let state = TranscriptState(Speaking.recording, changes: shuffled)
    #expect(state == speaking.state)
    #expect(state.current(chosen: nil)?.id == Speaking.pass(3))
    #expect(state.passes.map(\.words) == [100, 40, 15])
    #expect(state.current(chosen: Speaking.pass(1))?.id == Speaking.pass(1))
    // While some have not arrived, what is here decides, and never fails.
    let part = TranscriptState(
      Speaking.recording, changes: shuffled.prefix(dice.below(shuffled.count)))
    #expect(part.passes.count <= 3)
  }

  @Test("X1: a re-run that yields 3 % of the words stays beside what is shown")
  func rerun() {
    var speaking = Speaking()
    speaking.pass(5, units: [[Speaking.segment(0..<100, Speaking.words(1_000))]])
    speaking.pass(1, quality: 90, units: [[Speaking.segment(0..<100, Speaking.words(30))]])
    #expect(speaking.state.current(chosen: nil)?.id == Speaking.pass(5))
    #expect(speaking.state.passes.count == 2)
    #expect(speaking.state.passes[1].segments.first?.text == Speaking.words(30))
  }

  @Test("T3, S1: a unit that came twice with other labels is there once, in every order")
  func twice() {
    var one = Speaking(origin: 1)
    one.pass(7, units: [[Speaking.segment(0..<10, "hello", cluster: "A")]])
    var two = Speaking(origin: 2)
    two.unit(7, 0, [Speaking.segment(0..<10, "hello", cluster: "B")])
    two.unit(7, 0, [Speaking.segment(0..<10, "hello there", cluster: "C")])
    for seed in UInt64(0)..<20 {
      let changes = Dice(seed).shuffled(one.changes + two.changes)
      let state = TranscriptState(Speaking.recording, changes: changes)
      // Both began at one stamp, or the other earlier: the smallest (stamp, origin) counts.
      #expect(state.passes[0].segments.count == 1)
      #expect(state.passes[0].segments[0].cluster == "B")
      #expect(state.passes[0].words == 1)
    }
  }

  @Test("units of a pass that is not here yet wait for it; a doubled pass is one")
  func early() {
    var speaking = Speaking()
    speaking.unit(4, 0, [Speaking.segment(0..<10, "early")])
    #expect(speaking.state.passes.isEmpty)
    speaking.pass(4, closed: false, units: [])
    speaking.pass(4, quality: 9, units: [])
    #expect(speaking.state.passes.count == 1)
    #expect(speaking.state.passes[0].segments.map(\.text) == ["early"])
    #expect(speaking.state.passes[0].fact.draft.quality == 0 && speaking.state.passes[0].isClosed)
  }

  @Test("changes that make no sense are passed over, and change nothing else")
  func nonsense() {
    var speaking = Speaking()
    speaking.pass(4, units: [[Speaking.segment(0..<10, "fine")]])
    let before = speaking.state
    speaking.say(.passOpened, ["pass": .bytes([1, 2])])
    speaking.say(.passSegments, ["pass": .bytes(Speaking.pass(4).bytes), "unit": .unsigned(1)])
    speaking.say(
      .passSegments,
      [
        "pass": .bytes(Speaking.pass(4).bytes), "unit": .unsigned(1), "from": .integer(9),
        "to": .integer(3), "words": .unsigned(0), "takes": .array([]), "segments": .array([]),
      ])
    speaking.say(
      .passSegments,
      [
        "pass": .bytes(Speaking.pass(4).bytes), "unit": .unsigned(1), "from": .integer(0),
        "to": .integer(3), "words": .unsigned(0), "takes": .array([]),
        "segments": .array([.array([.unsigned(5)])]),
      ])
    speaking.say(.overlay, ["kind": .text("name")])
    #expect(speaking.state == before)
  }
}

@Suite("S1: the changes of a unit")
struct UnitFactTests {
  @Test("what is written is what is read", arguments: UInt64(1)...60)
  func coding(seed: UInt64) {
    let dice = Dice(seed)
    let segments = (0..<dice.below(6)).map { index in
      let first = dice.next() >> UInt64(2 + dice.below(60))
      return PassSegment(
        take: TakeID(high: UInt64(dice.below(3)), low: 7),
        track: TrackID(high: UInt64(index), low: 1), firstFrame: first,
        endFrame: first + UInt64(dice.below(100_000)), text: "é語😀 \(index)\nzwei",
        cluster: dice.below(2) == 0 ? "" : "S\(index)",
        confidence: dice.below(2) == 0 ? nil : 0.25,
        words: (0..<dice.below(4)).map {
          PassWord(
            offsetFrames: UInt64($0), frames: 2, text: "w\($0)",
            confidence: dice.below(2) == 0 ? nil : 0.5)
        })
    }
    // Of one take there is one track.
    var tracks: [TakeID: TrackID] = [:]
    let sound = segments.map { segment in
      var segment = segment
      segment.track = tracks[segment.take] ?? segment.track
      tracks[segment.take] = segment.track
      return segment
    }
    let fact = UnitFact(
      pass: Speaking.pass(seed), number: seed, part: 3, delivery: [1, 2],
      coveredNanoseconds: -5..<9,
      words: 4, segments: sound)
    #expect(UnitFact(fact.body) == fact)
  }

  @Test("a unit without words makes one change: it covers its range")
  func empty() {
    let unit = TranscriptUnit(
      number: 3, coveredNanoseconds: 5..<9,
      segments: [Speaking.segment(0..<1, " \t\u{0}\r\n"), Speaking.segment(1..<2, "")])
    let facts = UnitSplitting.facts(unit, of: Speaking.pass(1), hashing: Speaking.hashing)
    #expect(facts.count == 1 && facts[0].segments.isEmpty && facts[0].words == 0)
    #expect(facts[0].coveredNanoseconds == 5..<9)
  }

  @Test("1 MiB of text is kept whole, in changes that are each small enough, at its place")
  func long() throws {
    let text = (0..<180_000).map { "w\($0 % 977)" }.joined(separator: " ")
    #expect(text.utf8.count > 800_000)
    var segment = Speaking.segment(1_000..<901_000, text, cluster: "A")
    segment.words = (0..<1_000).map {
      PassWord(offsetFrames: UInt64($0) * 900, frames: 900, text: "w\($0)")
    }
    let unit = TranscriptUnit(number: 0, coveredNanoseconds: 0..<9, segments: [segment])
    var speaking = Speaking()
    speaking.pass(1, units: [])
    let facts = UnitSplitting.facts(unit, of: Speaking.pass(1), hashing: Speaking.hashing)
    #expect(facts.count > 1 && Set(facts.map(\.delivery)).count == 1)
    for fact in facts {
      speaking.say(.passSegments, fact.body)
      #expect(UInt64(speaking.changes.last?.bytes.count ?? 0) <= Change.maximumBytes)
    }
    let pass = TranscriptState(
      Speaking.recording, changes: speaking.changes.reversed()
    ).passes[0]
    #expect(pass.segments.map(\.text).joined(separator: " ") == text)
    #expect(pass.words == 180_000)
    #expect(pass.segments.first?.firstFrame == 1_000 && pass.segments.last?.endFrame == 901_000)
    #expect(pass.segments.flatMap(\.words).count == 1_000)
    for (left, right) in zip(pass.segments, pass.segments.dropFirst()) {
      #expect(left.endFrame == right.firstFrame)
    }
    // Two deliveries of it do not mix.
    var other = unit
    other.segments[0].cluster = "B"
    for fact in UnitSplitting.facts(other, of: Speaking.pass(1), hashing: Speaking.hashing) {
      speaking.say(.passSegments, fact.body)
    }
    #expect(Set(speaking.state.passes[0].segments.map(\.cluster)) == ["A"])
  }

  @Test("text without any blank, and one mark on another without end, are cut between scalars")
  func unbroken() {
    for text in [
      String(repeating: "語", count: 40_000), "e" + String(repeating: "\u{301}", count: 60_000),
    ] {
      let pieces = UnitSplitting.pieces(of: Speaking.segment(0..<100, text))
      #expect(pieces.count > 1)
      #expect(
        Array(pieces.map(\.text).joined().utf8) == Array(text.utf8), "nothing is lost or repaired")
    }
  }

  @Test("words whose times alone are too long lose their times, and the text stays")
  func manyWords() {
    var segment = Speaking.segment(0..<100, "short")
    segment.words = (0..<60_000).map { _ in
      PassWord(offsetFrames: 1, frames: 1, text: "wordword")
    }
    let pieces = UnitSplitting.pieces(of: segment)
    #expect(pieces.map(\.text) == ["short"] && pieces[0].words.isEmpty)
  }
}

@Suite("Text of transcripts")
struct TranscriptTextTests {
  @Test("control characters go, lines end by one newline, what only deceives the eye stays")
  func cleaned() {
    #expect(
      TranscriptText.cleaned("\u{1B}[31mred\u{7}\u{0}\r\nnext\rlast\u{85}x\u{9B}y\t")
        == "[31mred\nnext\nlast\nxy")
    #expect(TranscriptText.cleaned("a\u{202E}b") == "a\u{202E}b")
    #expect(TranscriptText.cleaned(" \n\t ") == "")
    #expect(TranscriptText.cleaned("\r\n\r\nx") == "x")
  }

  @Test("labels are one line, and not longer than 200 bytes")
  func labels() {
    #expect(TranscriptText.label("  Anna\nMaria ") == "Anna Maria")
    #expect(TranscriptText.label(String(repeating: "é", count: 500)).utf8.count == 200)
  }

  @Test(
    "words are counted with and without blanks between them",
    arguments: [
      ("", 0), ("hello, world!", 2), ("don't — stop", 2), ("3 apples", 2), ("...", 0),
      ("今日は", 3), ("東京 Tokyo 2026", 4), ("a\nb\u{A0}c", 3),
    ] as [(String, UInt64)])
  func counted(text: String, words: UInt64) {
    #expect(TranscriptText.wordCount(text) == words)
  }
}
