/// A segment as an engine gives it: in seconds from the recording's start.
package struct SpokenSegment: Hashable, Sendable {
  /// A word in seconds from the recording's start.
  package struct Word: Hashable, Sendable {
    package var startSeconds: Double
    package var endSeconds: Double
    package var text: String
    package var confidence: Double?

    package init(
      startSeconds: Double, endSeconds: Double, text: String, confidence: Double? = nil
    ) {
      self.startSeconds = startSeconds
      self.endSeconds = endSeconds
      self.text = text
      self.confidence = confidence
    }
  }

  package var startSeconds: Double
  package var endSeconds: Double
  package var text: String
  package var speaker: String?
  package var confidence: Double?
  package var words: [Word]
  /// False for one that the engine may still change.
  package var isFinal: Bool

  package init(
    startSeconds: Double, endSeconds: Double, text: String, speaker: String? = nil,
    confidence: Double? = nil, words: [Word] = [], isFinal: Bool = true
  ) {
    self.startSeconds = startSeconds
    self.endSeconds = endSeconds
    self.text = text
    self.speaker = speaker
    self.confidence = confidence
    self.words = words
    self.isFinal = isFinal
  }
}

/// A segment that has no place in the recording. What becomes of it is the caller's to decide.
package struct SegmentRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  /// Why. Open: more may be added.
  package struct Reason: RawRepresentable, Hashable, Sendable {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }

    /// A time is NaN or infinite.
    package static let notANumber = Reason(rawValue: "a time is not a number")
    /// It begins before the recording.
    package static let negative = Reason(rawValue: "it begins before the recording")
    /// It ends before it begins.
    package static let inverted = Reason(rawValue: "it ends before it begins")
    /// It lies after the audio that there is.
    package static let outOfRange = Reason(rawValue: "it lies after the audio that there is")
    /// The recording has no audio yet.
    package static let noAudio = Reason(rawValue: "the recording has no audio")
  }

  /// Which of the segments that were given, from 0.
  package var index: UInt64
  package var segment: SpokenSegment
  package var reason: Reason

  /// Names the segment by number and time, never by its text.
  package var description: String {
    "segment \(index) (\(segment.startSeconds) s to \(segment.endSeconds) s): \(reason.rawValue)"
  }
}

/// Finds the sample frames of what engines say in seconds.
package struct SegmentPlacing: Sendable {
  /// What a start may lie after the end of the audio, seconds: engines round. It is then put at the
  /// end.
  package static let startTolerance: Double = 1
  /// What an end may lie after the end of the audio, seconds: engines that work in windows of 30 s
  /// (whisper) end the last segment with the window.
  package static let endTolerance: Double = 30

  /// The takes of the track, by start; void ones left out where there are others.
  private let takes: [TakeSpan]
  private let endSeconds: Double

  /// - Parameters:
  ///   - takes: of the recording.
  ///   - track: the track that the engine heard; nil is the first one of `takes`.
  ///   - endNanoseconds: where what the engine heard ends in recording time; nil is the end of the
  ///     takes' audio, which of an open take is as much as is indexed.
  package init(takes: [TakeSpan], track: TrackID? = nil, endNanoseconds: Int64? = nil) {
    let track = track ?? takes.first?.track
    let onTrack = takes.filter { $0.track == track && $0.sampleRate > 0 }
    let heard = onTrack.filter { $0.endFrame > 0 || $0.closedReason == nil }
    self.takes = (heard.isEmpty ? onTrack : heard).sorted {
      ($0.startNanoseconds, $0.index, $0.take) < ($1.startNanoseconds, $1.index, $1.take)
    }
    endSeconds =
      endNanoseconds.map { Double($0) / 1e9 } ?? self.takes.map(\.endSeconds).max() ?? 0
  }

  /// Places segments, by start; those that have no place are told apart.
  package func place(
    _ segments: [SpokenSegment]
  ) -> (placed: [PassSegment], refused: [SegmentRefusal]) {
    var placed: [(Double, PassSegment)] = []
    var refused: [SegmentRefusal] = []
    for (index, segment) in segments.enumerated() {
      do throws(SegmentRefusal) {
        placed.append((segment.startSeconds, try place(segment, index: UInt64(index))))
      } catch { refused.append(error) }
    }
    // Stable: of two that begin together the one that was given first stays first.
    let sorted = placed.enumerated().sorted {
      ($0.element.0, $0.offset) < ($1.element.0, $1.offset)
    }
    return (sorted.map(\.element.1), refused)
  }

  /// Places one segment.
  package func place(
    _ segment: SpokenSegment, index: UInt64 = 0
  ) throws(SegmentRefusal) -> PassSegment {
    func refusal(_ reason: SegmentRefusal.Reason) -> SegmentRefusal {
      SegmentRefusal(index: index, segment: segment, reason: reason)
    }
    let (start, end) = (segment.startSeconds, segment.endSeconds)
    guard start.isFinite, end.isFinite else { throw refusal(.notANumber) }
    guard start >= 0 else { throw refusal(.negative) }
    guard end >= start else { throw refusal(.inverted) }
    guard let take = take(at: start) else { throw refusal(.noAudio) }
    guard start <= endSeconds + Self.startTolerance, end <= endSeconds + Self.endTolerance else {
      throw refusal(.outOfRange)
    }
    let first = frame(start, in: take)
    return PassSegment(
      take: take.take, track: take.track, firstFrame: first,
      endFrame: max(first, frame(end, in: take, isBounded: false)), text: segment.text,
      cluster: segment.speaker ?? "", confidence: segment.confidence,
      words: segment.words.compactMap { word in
        guard word.startSeconds.isFinite, word.endSeconds.isFinite else { return nil }
        let at = max(frame(word.startSeconds, in: take, isBounded: false), first)
        let after = max(frame(word.endSeconds, in: take, isBounded: false), at)
        return PassWord(
          offsetFrames: at - first, frames: after - at, text: word.text,
          confidence: word.confidence)
      })
  }

  /// The take that a time lies in; in a gap the next one, after all of them the last one.
  private func take(at seconds: Double) -> TakeSpan? {
    takes.first { $0.closedReason == nil || seconds < $0.endSeconds } ?? takes.last
  }

  /// A time as a frame of a take: not before its start, and, for a start, not after the end of one
  /// that is closed.
  private func frame(_ seconds: Double, in take: TakeSpan, isBounded: Bool = true) -> UInt64 {
    let offset = (seconds - Double(take.startNanoseconds) / 1e9) * take.sampleRate
    let frame = UInt64(min(max(offset.rounded(), 0), 9e15))
    return isBounded && take.closedReason != nil ? min(frame, take.endFrame) : frame
  }
}
