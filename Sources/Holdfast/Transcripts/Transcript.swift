package import HoldfastModel
import HoldfastStore

/// What was said in a recording, as it is shown: the current pass with the user's names and edits.
public struct Transcript: Sendable {
  /// By time. Those that the engine may still change are among them, with `isFinal` false.
  public var segments: [Segment]

  /// A transcript of segments.
  public init(segments: [Segment] = []) { self.segments = segments }

  /// Plain text: a paragraph whenever somebody else speaks, begun by the name and a colon where it
  /// is known, with a blank line between two. "" when nothing was said.
  public var plainText: String {
    Paragraphs(
      segments.map {
        Paragraphs.Paragraph(
          speaker: $0.speaker, startSeconds: $0.range.lowerBound,
          endSeconds: $0.range.upperBound, text: $0.text)
      }
    ).plainText
  }
}

/// One stretch of a transcript.
public struct Segment: Hashable, Sendable {
  /// Recording time: seconds since the recording's start, gaps included.
  public var range: Range<Double>
  /// What was said.
  public var text: String
  /// Who said it: the name that the user gave, else the engine's label; nil where nobody knows.
  public var speaker: String?
  /// False for a segment that the engine may still change.
  public var isFinal: Bool

  /// A segment.
  public init(
    _ range: Range<Double>, _ text: String, speaker: String? = nil, isFinal: Bool = true
  ) {
    self.range = range
    self.text = text
    self.speaker = speaker
    self.isFinal = isFinal
  }
}

extension Transcript {
  /// A transcript as an app sees it.
  package init(_ shown: ShownTranscript) {
    segments = shown.segments.map { segment in
      Segment(
        segment.startSeconds..<max(segment.endSeconds, segment.startSeconds), segment.text,
        speaker: segment.speaker, isFinal: segment.line.isFinal)
    }
  }
}
