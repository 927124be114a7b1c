import HoldfastModel
import Testing

@Suite("Segments in seconds find their frames")
struct PlacingTests {
  private func take(
    _ index: UInt32, rate: Double, start: Double, seconds: Double, open: Bool = false,
    track: UInt64 = 1
  ) -> TakeSpan {
    TakeSpan(
      take: TakeID(high: track, low: UInt64(index)), track: TrackID(high: 3, low: track),
      index: index, sampleRate: rate, startNanoseconds: Int64(start * 1e9), known: .monotonic,
      endFrame: UInt64(seconds * rate), frames: UInt64(seconds * rate),
      closedReason: open ? nil : .stop, closedMilliseconds: 0, lostAtMostNanoseconds: 0,
      openedMilliseconds: 0, jumps: [])
  }

  private func say(_ start: Double, _ end: Double) -> SpokenSegment {
    SpokenSegment(startSeconds: start, endSeconds: end, text: "t")
  }

  /// Ten seconds at 48 kHz, five without sound, ten at 16 kHz.
  private var takes: [TakeSpan] {
    [take(0, rate: 48_000, start: 0, seconds: 10), take(1, rate: 16_000, start: 15, seconds: 10)]
  }

  @Test("frames count from the take that holds the start, at its rate")
  func rates() throws {
    let placing = SegmentPlacing(takes: takes)
    let first = try placing.place(say(2, 3.5))
    #expect(first.take == takes[0].take && first.firstFrame == 96_000 && first.endFrame == 168_000)
    let second = try placing.place(say(16, 17))
    #expect(second.take == takes[1].take && second.firstFrame == 16_000)
    #expect(second.endFrame == 32_000)
    // An end may lie beyond its take.
    let long = try placing.place(say(9, 16))
    #expect(long.take == takes[0].take && long.endFrame == 768_000)
  }

  @Test("what begins in a gap begins with the next take; just after the end, at the end")
  func gap() throws {
    let placing = SegmentPlacing(takes: takes)
    let inGap = try placing.place(say(12, 16))
    #expect(inGap.take == takes[1].take && inGap.firstFrame == 0 && inGap.endFrame == 16_000)
    let silent = try placing.place(say(12, 13))
    #expect(silent.firstFrame == 0 && silent.endFrame == 0)
    let after = try placing.place(say(25.5, 40))
    #expect(after.take == takes[1].take && after.firstFrame == 160_000)
    #expect(after.endFrame == 400_000)
  }

  @Test(
    "times that make no sense are refused, and say which and why",
    arguments: [
      (.nan, 1, .notANumber), (1, .infinity, .notANumber), (-.infinity, 2, .notANumber),
      (-0.5, 2, .negative), (3, 2, .inverted), (27, 28, .outOfRange), (1, 1e300, .outOfRange),
      (1e300, 1e301, .outOfRange),
    ] as [(Double, Double, SegmentRefusal.Reason)])
  func refused(start: Double, end: Double, reason: SegmentRefusal.Reason) {
    let (placed, refused) = SegmentPlacing(takes: takes).place(
      [say(1, 2), say(start, end), say(0, 1)])
    #expect(placed.count == 2 && placed[0].firstFrame == 0)
    #expect(refused.map(\.index) == [1] && refused.map(\.reason) == [reason])
    #expect(refused[0].description.contains("segment 1"))
  }

  @Test("segments out of order are sorted by their start; those that begin together stay")
  func sorted() {
    var segments = [say(5, 6), say(1, 9), say(1, 2), say(0, 1)]
    for index in segments.indices { segments[index].text = "\(index)" }
    let (placed, _) = SegmentPlacing(takes: takes).place(segments)
    #expect(placed.map(\.text) == ["3", "1", "2", "0"])
  }

  @Test("a take that is still recorded holds what was heard, though few of its frames are indexed")
  func open() throws {
    let open = [takes[0], take(1, rate: 16_000, start: 15, seconds: 1, open: true)]
    let heard = SegmentPlacing(takes: open, endNanoseconds: 60_000_000_000)
    #expect(try heard.place(say(50, 55)).firstFrame == 560_000)
    #expect(throws: SegmentRefusal.self) { try heard.place(say(62, 63)) }
  }

  @Test("each track has its own takes; without any there is no place")
  func tracks() throws {
    let all = takes + [take(0, rate: 8_000, start: 1, seconds: 20, track: 2)]
    let second = SegmentPlacing(takes: all, track: TrackID(high: 3, low: 2))
    #expect(try second.place(say(2, 3)).firstFrame == 8_000)
    #expect(try second.place(say(0.5, 3)).firstFrame == 0)
    let none = SegmentPlacing(takes: []).place([say(0, 1)])
    #expect(none.refused.map(\.reason) == [.noAudio])
  }

  @Test("words keep their places within the segment; those without a number are left out")
  func words() throws {
    var segment = say(2, 4)
    segment.words = [
      .init(startSeconds: 2, endSeconds: 2.5, text: "a"),
      .init(startSeconds: .nan, endSeconds: 3, text: "b"),
      .init(startSeconds: 1, endSeconds: 0, text: "c"),
    ]
    let placed = try SegmentPlacing(takes: takes).place(segment)
    #expect(placed.words.map(\.offsetFrames) == [0, 0])
    #expect(placed.words.map(\.frames) == [24_000, 0])
  }

  @Test("shown times are take start and frame by rate, through gaps and two rates")
  func shown() throws {
    let placing = SegmentPlacing(takes: takes)
    let (placed, _) = placing.place([say(16, 17), say(2, 3.5), say(9, 11)])
    let pass = Speaking.pass(1)
    let shown = ShownTranscript(
      Speaking.recording, pass, PassProjection(pass, placed, []), takes: takes, tracks: [])
    #expect(shown.segments.map(\.startSeconds) == [2, 9, 16])
    #expect(shown.segments.map(\.endSeconds) == [3.5, 11, 17])
    // A line whose take is not here waits for it.
    let part = ShownTranscript(
      Speaking.recording, pass, PassProjection(pass, placed, []), takes: [takes[0]], tracks: [])
    #expect(part.segments.count == 2)
  }
}
