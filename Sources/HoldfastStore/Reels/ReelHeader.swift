package import HoldfastModel

/// What a reel says about itself, so that the index can be rebuilt from the files alone.
///
/// Its frame on disk is described at ``ReelHeader/encoded()``.
package struct ReelHeader: Hashable, Sendable {
  /// The format that this program writes.
  package static let currentVersion: UInt16 = 1

  /// The reel's format version.
  package var formatVersion: UInt16
  /// The store that wrote the file.
  package var store: StoreID
  /// The store's origin at that time.
  package var origin: OriginID
  /// The launch that wrote the file.
  package var launch: LaunchID
  /// The recording.
  package var recording: RecordingID
  /// The track.
  package var track: TrackID
  /// The track's name, as the app gave it.
  package var trackName: String
  /// The take.
  package var take: TakeID
  /// The take's place among the takes of its track, from 0.
  package var takeIndex: UInt32
  /// The reel's number within the take's directory.
  package var reel: UInt32
  /// What the payload bytes are.
  package var format: AudioFormat
  /// When the file was begun.
  package var opened: Moment
  /// The recording's start on the clocks of the device that recorded it.
  package var recordingStarted: Moment
  /// The take's start in recording time, in nanoseconds.
  package var startNanoseconds: Int64
  /// The sequence of the first chunk that was put into the reel.
  package var firstChunk: UInt64
  /// The first sample frame of that chunk.
  package var firstFrame: UInt64
  /// True when this store recorded the take, and the chunks follow in sequence. False: chunks
  /// received from elsewhere, in the order of their arrival.
  package var local: Bool

  /// A reel's header. A ``ReelWriter`` sets `reel`, `opened`, `firstChunk` and `firstFrame` for
  /// each reel by itself; `reel` is where it begins to count.
  package init(
    formatVersion: UInt16 = ReelHeader.currentVersion, store: StoreID, origin: OriginID,
    launch: LaunchID, recording: RecordingID, track: TrackID, trackName: String, take: TakeID,
    takeIndex: UInt32, reel: UInt32, format: AudioFormat, opened: Moment,
    recordingStarted: Moment, startNanoseconds: Int64, firstChunk: UInt64, firstFrame: UInt64,
    local: Bool
  ) {
    self.formatVersion = formatVersion
    self.store = store
    self.origin = origin
    self.launch = launch
    self.recording = recording
    self.track = track
    self.trackName = trackName
    self.take = take
    self.takeIndex = takeIndex
    self.reel = reel
    self.format = format
    self.opened = opened
    self.recordingStarted = recordingStarted
    self.startNanoseconds = startNanoseconds
    self.firstChunk = firstChunk
    self.firstFrame = firstFrame
    self.local = local
  }

  /// The reel's path relative to the store's directory.
  package var path: ReelPath { ReelPath(take: take, reel: reel) }
}
