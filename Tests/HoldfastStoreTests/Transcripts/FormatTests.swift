import HoldfastModel
import HoldfastStore
import Testing

@Suite("Transcripts as text, subtitles and Markdown")
struct FormatTests {
  private let take = TakeSpan(
    take: TakeID(high: 1, low: 1), track: TrackID(high: 2, low: 2), index: 0, sampleRate: 1_000,
    startNanoseconds: 0, known: .monotonic, endFrame: 9_000_000, frames: 9_000_000,
    closedReason: .stop, closedMilliseconds: 0, lostAtMostNanoseconds: 0, openedMilliseconds: 0,
    jumps: [])

  private func transcript(
    _ lines: [(Range<UInt64>, String, String)]
  ) -> ShownTranscript {
    let segments = lines.map { line in
      PassSegment(
        take: take.take, track: take.track, firstFrame: line.0.lowerBound,
        endFrame: line.0.upperBound, text: line.1, cluster: line.2)
    }
    let pass = PassID(digest: .zero)
    return ShownTranscript(
      RecordingID(high: 1, low: 1), pass, PassProjection(pass, segments, []), takes: [take],
      tracks: [])
  }

  @Test("plain text has a paragraph a speaker, and one after a long silence")
  func plain() {
    let shown = transcript([
      (0..<1_000, "Hello.", "Anna"), (1_000..<2_000, "Anyone?", "Anna"),
      (2_000..<3_000, "Yes.", "Ben"),
      (30_000..<31_000, "Later.", "Ben"),
    ])
    #expect(shown.plainText == "Anna: Hello. Anyone?\n\nBen: Yes.\n\nBen: Later.\n")
    #expect(transcript([]).plainText == "")
    #expect(transcript([(0..<1, "No names.", "")]).plainText == "No names.\n")
  }

  @Test("SubRip: numbers, hours, no cue without length, no blank line or arrow in a text")
  func srt() {
    let shown = transcript([
      (0..<0, "a --> b\n\n \nc", "Anna"), (3_661_234..<3_662_000, "later", ""),
    ])
    #expect(
      shown.srt == """
        1
        00:00:00,000 --> 00:00:00,001
        Anna: a --› b
        c

        2
        01:01:01,234 --> 01:01:02,000
        later


        """)
  }

  @Test("WebVTT: escaped text, voices; cues begin in order")
  func vtt() {
    let shown = transcript([
      (5_000..<6_000, "x", ""), (500..<1_500, "1 < 2 & 3 > 2 -->", "A>b"),
    ])
    #expect(
      shown.vtt == """
        WEBVTT

        00:00:00.500 --> 00:00:01.500
        <v A&gt;b>1 &lt; 2 &amp; 3 &gt; 2 --&gt;

        00:00:05.000 --> 00:00:06.000
        x

        """)
  }

  @Test("Markdown: title, date, speakers in bold with the time; signs of text stay text")
  func markdown() {
    let shown = transcript([(3_725_000..<3_726_000, "*1. Point* <b>\n- item\n2) x", "An_na")])
    #expect(
      shown.markdown(title: "Plan #1", date: "2026-12-01") == """
        # Plan \\#1

        2026-12-01

        **An\\_na** (1:02:05)

        \\*1. Point\\* \\<b\\>\\
        \\- item\\
        2\\) x

        """)
  }

  @Test(
    "times as people read them",
    arguments: [(0, "0:00:00.0"), (3_723.44, "1:02:03.4"), (59.96, "0:01:00.0"), (-1, "0:00:00.0")])
  func clock(seconds: Double, text: String) {
    #expect(TimeCode.clock(seconds) == text)
  }
}
