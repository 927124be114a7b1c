/// A transcript as it is shown, in recording time.
package struct ShownTranscript: Hashable, Sendable {
  /// A line with its place in time.
  package struct Segment: Hashable, Sendable {
    package var line: ShownLine
    /// Recording time of its first frame, nanoseconds.
    package var startNanoseconds: Int64
    /// Recording time after its last frame, nanoseconds; not before the start.
    package var endNanoseconds: Int64
    /// Frames a second of its take.
    package var sampleRate: Double

    package var startSeconds: Double { Double(startNanoseconds) / 1e9 }
    package var endSeconds: Double { Double(endNanoseconds) / 1e9 }
    package var text: String { line.segment.text }
    package var speaker: String? { line.speaker }
  }

  /// An overlay that fits nowhere, at the recording time where it was made; nil where the take is
  /// not here.
  package struct Unplaced: Hashable, Sendable {
    package var overlay: Overlay
    package var startSeconds: Double?
  }

  package var recording: RecordingID
  /// The pass; nil when there is none to show.
  package var pass: PassID?
  /// By time.
  package var segments: [Segment] = []
  package var unplaced: [Unplaced] = []

  /// Nothing to show.
  package init(_ recording: RecordingID) { self.recording = recording }

  /// Places the lines of a projection in time.
  ///
  /// - Parameters:
  ///   - takes: of the recording. A line whose take is not here yet is left out until it is.
  ///   - tracks: of the recording; where there are several, the name of a line's track stands for
  ///     a speaker whom nothing names.
  package init(
    _ recording: RecordingID, _ pass: PassID, _ projection: PassProjection, takes: [TakeSpan],
    tracks: [TrackFact]
  ) {
    self.recording = recording
    self.pass = pass
    let spans = Dictionary(takes.map { ($0.take, $0) }) { first, _ in first }
    segments = projection.lines.compactMap { line in
      guard let take = spans[line.segment.take] else { return nil }
      var line = line
      if line.speaker == nil, tracks.count > 1 {
        line.speaker = tracks.first { $0.track == line.segment.track }?.name
      }
      let start = take.nanoseconds(ofFrame: line.segment.firstFrame)
      return Segment(
        line: line, startNanoseconds: start,
        endNanoseconds: max(take.nanoseconds(ofFrame: line.segment.endFrame), start),
        sampleRate: take.sampleRate)
    }
    segments.sort { Self.key($0) < Self.key($1) }
    unplaced = projection.unplaced.map { overlay in
      let range = overlay.fact.frames.ranges.first
      let take = range.flatMap { spans[$0.take] }
      let start = take.flatMap { take in range.map { take.nanoseconds(ofFrame: $0.firstFrame) } }
      return Unplaced(overlay: overlay, startSeconds: start.map { Double($0) / 1e9 })
    }
  }

  /// A total order: by time, and between equals by what they say.
  private static func key(_ segment: Segment) -> (Int64, Int64, TakeID, String, String) {
    (
      segment.startNanoseconds, segment.endNanoseconds, segment.line.segment.take,
      segment.line.segment.cluster, segment.text
    )
  }
}

extension TakeSpan {
  /// The recording time of a sample frame, nanoseconds.
  package func nanoseconds(ofFrame frame: UInt64) -> Int64 {
    let offset = (Double(frame) / sampleRate * 1e9).rounded()
    // Bounded so that a damaged number cannot overflow.
    return startNanoseconds &+ Int64(min(max(offset, 0), 4e18 - Double(max(startNanoseconds, 0))))
  }
}
