package import HoldfastModel

/// What a recording is made with.
package struct RecordingSeed: Hashable, Sendable {
  package var title: String?
  /// When it was recorded, if that is not now: milliseconds since 1970.
  package var recordedAtMilliseconds: Int64?
  /// Canonical values by name.
  package var attributes: [String: CanonicalValue]
  /// For idempotent adoption.
  package var externalID: String?
  /// Payload bytes of the file it is imported from.
  package var sourceBytes: UInt64?

  package init(
    title: String? = nil, recordedAtMilliseconds: Int64? = nil,
    attributes: [String: CanonicalValue] = [:], externalID: String? = nil,
    sourceBytes: UInt64? = nil
  ) {
    self.title = title
    self.recordedAtMilliseconds = recordedAtMilliseconds
    self.attributes = attributes
    self.externalID = externalID
    self.sourceBytes = sourceBytes
  }
}

/// A take that may be written: what ``ReelWriter`` needs, after J1 was satisfied.
package struct OpenTake: Hashable, Sendable {
  package var recording: RecordingID
  package var track: TrackID
  package var trackName: String
  package var take: TakeID
  /// Which take of its track, from 0.
  package var index: UInt32
  package var format: AudioFormat
  /// Start in recording time, nanoseconds.
  package var startNanoseconds: Int64
  package var opened: Moment
  /// Both clocks when the recording began.
  package var recordingStart: Moment
  /// The origin on which it was opened.
  package var origin: OriginID
  package var store: StoreID
  package var launch: LaunchID
}
