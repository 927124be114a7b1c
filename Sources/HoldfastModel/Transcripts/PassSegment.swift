/// One stretch of a transcript as an engine said it, at its place in the samples.
package struct PassSegment: Hashable, Sendable {
  /// The take that it begins in.
  package var take: TakeID
  /// That take's track.
  package var track: TrackID
  /// The first sample frame, counted from the take's start.
  package var firstFrame: UInt64
  /// The sample frame after the last one; may lie beyond the take's end.
  package var endFrame: UInt64
  /// The text: no control character but newline, not empty (``TranscriptText``).
  package var text: String
  /// The engine's label of the speaker within the track and pass; "" where it knows none.
  package var cluster: String
  /// 0…1, as the engine says it; nil where it says nothing.
  package var confidence: Double?
  /// Words with their times, where the engine gives them.
  package var words: [PassWord]

  package init(
    take: TakeID, track: TrackID, firstFrame: UInt64, endFrame: UInt64, text: String,
    cluster: String = "", confidence: Double? = nil, words: [PassWord] = []
  ) {
    self.take = take
    self.track = track
    self.firstFrame = firstFrame
    self.endFrame = max(endFrame, firstFrame)
    self.text = text
    self.cluster = cluster
    self.confidence = confidence
    self.words = words
  }

  /// Its sample frames.
  package var range: TakeRange {
    TakeRange(take: take, firstFrame: firstFrame, endFrame: endFrame)
  }

  /// Who speaks, as the engine tells speakers apart.
  package var speaker: SpeakerCluster { SpeakerCluster(track: track, label: cluster) }
}

/// A word with its time.
package struct PassWord: Hashable, Sendable {
  /// Sample frames from the segment's first one.
  package var offsetFrames: UInt64
  /// Its length in sample frames.
  package var frames: UInt64
  package var text: String
  /// 0…1; nil where the engine says nothing.
  package var confidence: Double?

  package init(offsetFrames: UInt64, frames: UInt64, text: String, confidence: Double? = nil) {
    self.offsetFrames = offsetFrames
    self.frames = frames
    self.text = text
    self.confidence = confidence
  }
}

/// One speaker of one pass: labels mean something within a track and a pass only.
package struct SpeakerCluster: Hashable, Sendable {
  package var track: TrackID
  /// The engine's label; "" stands for all that has none on the track.
  package var label: String

  package init(track: TrackID, label: String) {
    self.track = track
    self.label = label
  }
}

/// What one unit of work gives: it covers a range, whether or not anybody spoke in it.
package struct TranscriptUnit: Hashable, Sendable {
  /// Its number within the pass, from 0.
  package var number: UInt64
  /// The recording time that it covers.
  package var coveredNanoseconds: Range<Int64>
  /// The final segments.
  package var segments: [PassSegment]

  package init(number: UInt64, coveredNanoseconds: Range<Int64>, segments: [PassSegment]) {
    self.number = number
    self.coveredNanoseconds = coveredNanoseconds
    self.segments = segments
  }
}
