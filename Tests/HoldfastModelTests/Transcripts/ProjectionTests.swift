import HoldfastModel
import Testing

@Suite("X2: names and edits on the current pass")
struct ProjectionTests {
  private func speakers(_ projection: PassProjection?) -> [String?] {
    projection?.lines.map(\.speaker) ?? []
  }

  @Test("X2: a name holds for its cluster on the pass that it was given on")
  func samePass() throws {
    var speaking = Speaking()
    speaking.pass(
      1,
      units: [
        [Speaking.segment(0..<50, "a", cluster: "A"), Speaking.segment(50..<90, "b", cluster: "B")]
      ])
    speaking.lay(.name, on: 1, cluster: "A", [0..<50], "Anna")
    let shown = try #require(Speaking.shown(speaking.state))
    #expect(speakers(shown) == ["Anna", "B"] && shown.unplaced.isEmpty)
  }

  @Test("X2: permuted clusters of a later pass come out right")
  func permuted() throws {
    var speaking = Speaking()
    let talk: [(Range<UInt64>, String)] = [
      (0..<100, "A"), (100..<180, "B"), (180..<300, "C"), (300..<420, "A"), (420..<500, "B"),
    ]
    speaking.pass(1, units: [talk.map { Speaking.segment($0.0, "one two", cluster: $0.1) }])
    speaking.lay(.name, on: 1, cluster: "A", [0..<100, 300..<420], "Anna")
    speaking.lay(.name, on: 1, cluster: "B", [100..<180, 420..<500], "Ben")
    speaking.lay(.name, on: 1, cluster: "C", [180..<300], "Cleo")
    let permuted = ["A": "B", "B": "C", "C": "A"]
    speaking.pass(
      2, quality: 5,
      units: [
        talk.map {
          // The later engine cuts a little elsewhere.
          Speaking.segment(
            $0.0.lowerBound + 4..<$0.0.upperBound + 4, "one two", cluster: permuted[$0.1] ?? "")
        }
      ])
    let state = speaking.state
    #expect(state.current(chosen: nil)?.id == Speaking.pass(2))
    let shown = try #require(Speaking.shown(state))
    #expect(speakers(shown) == ["Anna", "Ben", "Cleo", "Anna", "Ben"])
    #expect(shown.unplaced.isEmpty)
    #expect(speakers(Speaking.shown(state, chosen: 1)) == ["Anna", "Ben", "Cleo", "Anna", "Ben"])
  }

  @Test("X2: a name that covers less than half of what is named of a cluster is kept aside")
  func minority() throws {
    var speaking = Speaking()
    speaking.pass(1, units: [[Speaking.segment(0..<300, "w", cluster: "X")]])
    speaking.lay(.name, on: 9, cluster: "A", [0..<60], "Anna")
    speaking.lay(.name, on: 9, cluster: "B", [60..<120], "Ben")
    speaking.lay(.name, on: 9, cluster: "C", [120..<180], "Cleo")
    let shown = try #require(Speaking.shown(speaking.state))
    #expect(speakers(shown) == ["X"] && shown.unplaced.count == 3)
    // Of other tracks' speech a name says nothing.
    let other = TrackID(high: 3, low: 2)
    let fact = OverlayFact(
      .name, on: Speaking.pass(9), SpeakerCluster(track: other, label: "A"),
      FrameSet([TakeRange(take: Speaking.take, firstFrame: 0, endFrame: 300)]), value: "Dora")
    speaking.say(.overlay, fact.body)
    #expect(Speaking.shown(speaking.state)?.unplaced.count == 4)
  }

  @Test("X2, S5: of two names the later is shown and the other kept; an empty one takes back")
  func conflict() throws {
    var speaking = Speaking()
    speaking.pass(1, units: [[Speaking.segment(0..<300, "w", cluster: "X")]])
    let first = speaking.lay(.name, on: 1, cluster: "X", [0..<300], "Anna", at: 500)
    let second = speaking.lay(.name, on: 1, cluster: "X", [0..<300], "Ben", at: 400)
    let shown = try #require(Speaking.shown(speaking.state))
    #expect(speakers(shown) == ["Anna"] && shown.unplaced.map(\.name) == [second])
    speaking.lay(.name, on: 1, cluster: "X", [0..<300], "", replaces: [first, second])
    let taken = try #require(Speaking.shown(speaking.state))
    #expect(speakers(taken) == ["X"] && taken.unplaced.isEmpty)
  }

  @Test("X2: an edit replaces the text of its segment, and on a later pass of those inside it")
  func edits() throws {
    var speaking = Speaking()
    speaking.pass(
      1,
      units: [
        [Speaking.segment(0..<100, "teh", cluster: "A"), Speaking.segment(100..<200, "next")]
      ])
    speaking.lay(.text, on: 1, cluster: "A", [0..<100], "the words")
    #expect(Speaking.shown(speaking.state)?.lines.map(\.segment.text) == ["the words", "next"])
    speaking.pass(
      2, quality: 5,
      units: [
        [
          Speaking.segment(0..<40, "t", cluster: "B"),
          Speaking.segment(40..<103, "eh", cluster: "C"),
          Speaking.segment(103..<200, "next"),
        ]
      ])
    let shown = try #require(Speaking.shown(speaking.state))
    #expect(shown.lines.map(\.segment.text) == ["the words", "next"])
    #expect(shown.lines[0].segment.cluster == "C" && shown.lines[0].segment.endFrame == 100)
    #expect(shown.unplaced.isEmpty)
  }

  @Test("X2: an edit that fits nowhere is kept and shown aside")
  func unplaced() throws {
    var speaking = Speaking()
    speaking.pass(1, units: [[Speaking.segment(0..<1_000, "one long sentence")]])
    let inside = speaking.lay(.text, on: 9, [0..<300], "a part")
    let nowhere = speaking.lay(.text, on: 9, [5_000..<6_000], "later")
    let unknown = speaking.lay(.init(rawValue: "colour"), on: 1, [0..<5], "red")
    let shown = try #require(Speaking.shown(speaking.state))
    #expect(shown.lines.map(\.segment.text) == ["one long sentence"])
    #expect(shown.unplaced.map(\.name) == [inside, nowhere, unknown])
  }

  @Test(
    "S1, X2: what is shown is the same for every order of arrival, and nothing said is lost",
    arguments: UInt64(1)...60)
  func anyOrder(seed: UInt64) throws {
    let dice = Dice(seed)
    var speaking = Speaking()
    var overlays: [ChangeName] = []
    for pass in UInt64(1)...3 {
      var frame: UInt64 = 0
      let segments = (0..<8).map { index in
        let length = UInt64(20 + dice.below(60))
        defer { frame += length }
        return Speaking.segment(frame..<frame + length, "s\(index)", cluster: "\(dice.below(3))")
      }
      speaking.pass(pass, quality: Int32(dice.below(3)), units: [segments])
      for _ in 0..<4 {
        let segment = segments[dice.below(segments.count)]
        let isName = dice.below(2) == 0
        overlays.append(
          speaking.lay(
            isName ? .name : .text, on: pass, cluster: segment.cluster,
            [segment.firstFrame..<segment.endFrame], "v\(dice.below(4))",
            replaces: dice.below(4) == 0 ? overlays.suffix(1) : [],
            at: Int64(dice.below(500))))
      }
    }
    let state = speaking.state
    let shown = try #require(Speaking.shown(state))
    let shuffled = TranscriptState(Speaking.recording, changes: dice.shuffled(speaking.changes))
    #expect(shuffled == state)
    #expect(Speaking.shown(shuffled) == shown)
    let pass = try #require(state.current(chosen: nil))
    #expect(
      PassProjection(pass.id, pass.segments, dice.shuffled(state.overlays)) == shown,
      "the order of overlays means nothing")
    // Each overlay is shown, or aside, or says what is shown there already.
    let names = Set(shown.lines.compactMap(\.named) + shown.lines.compactMap(\.edited))
    for overlay in state.overlays where !shown.unplaced.contains(overlay) {
      #expect(
        names.contains(overlay.name)
          || shown.lines.contains { $0.speaker == overlay.fact.value })
    }
  }
}

@Suite("Sets of frames")
struct FrameSetTests {
  @Test("union and overlap agree with counting frame by frame", arguments: UInt64(1)...40)
  func counted(seed: UInt64) {
    let dice = Dice(seed)
    func ranges() -> [TakeRange] {
      (0..<dice.below(12)).map { _ in
        let first = UInt64(dice.below(80))
        return TakeRange(
          take: TakeID(high: UInt64(dice.below(2)), low: 0), firstFrame: first,
          endFrame: first + UInt64(dice.below(20)))
      }
    }
    func frames(_ ranges: [TakeRange]) -> Set<[UInt64]> {
      Set(
        ranges.flatMap { range in
          (range.firstFrame..<range.endFrame).map { [range.take.high, $0] }
        })
    }
    let (left, right) = (ranges(), ranges())
    let (a, b) = (FrameSet(left), FrameSet(right))
    #expect(frames(a.ranges) == frames(left))
    #expect(a.overlap(b) == UInt64(frames(left).intersection(frames(right)).count))
    let few = a.simplified(to: 3)
    #expect(few.ranges.count <= 3)
    if a.ranges.count <= 3 { #expect(few == a) }
  }

  @Test("an overlay over thousands of stretches names at most 256 of them, and still fits a change")
  func bounded() {
    let ranges = (UInt64(0)..<5_000).map {
      TakeRange(take: Speaking.take, firstFrame: $0 * 100, endFrame: $0 * 100 + 50 + $0 % 7)
    }
    let fact = OverlayFact(
      .name, on: Speaking.pass(1), SpeakerCluster(track: Speaking.track, label: "A"),
      FrameSet(ranges), value: String(repeating: "x", count: 9_000))
    #expect(fact.frames.ranges.count == 256 && fact.value.utf8.count == 200)
    #expect(CanonicalEncoder.encode(.map(fact.body)).count < 20_000)
    #expect(OverlayFact(fact.body) == fact)
    #expect(fact.frames.overlap(FrameSet(ranges)) == FrameSet(ranges).overlap(FrameSet(ranges)))
  }
}
