package import HoldfastModel

/// What an opening found and did (J12).
package struct OpeningReport: Hashable, Sendable {
  /// The launch that was begun; zero of a dry run.
  package var launch: LaunchID?
  /// Whether the store was made just now.
  package var isNew = false
  /// Launches that were found dead, oldest first.
  package var endings: [EndedLaunch] = []
  /// Recordings of dead launches.
  package var recovered: [SalvagedRecording] = []
  /// Tasks that dead launches had in hand.
  package var tasks: [ReleasedTask] = []
  /// The recording that waits for the user to come back, if any.
  package var pendingResume: RecordingID?
  /// Losses and oddities that a person should know of.
  package var attention: [Attention] = []

  package init() {}
}

/// A launch with its verdict.
package struct EndedLaunch: Hashable, Sendable {
  package var launch: LaunchID
  package var program: String
  package var process: Int64
  package var startedMilliseconds: Int64
  package var ending: LaunchVerdict
}

/// What recovery made of one recording.
package struct SalvagedRecording: Hashable, Sendable {
  package var recording: RecordingID
  /// Chunks that had a row.
  package var indexedChunks: UInt64
  /// Chunks found in the reels beyond the rows.
  package var salvagedChunks: UInt64
  /// Damaged stretches met on the way.
  package var damaged: UInt64
  /// The most that is missing at its end, nanoseconds.
  package var lostAtMostNanoseconds: Int64
}

/// Something that a person should know of.
package struct Attention: Hashable, Sendable {
  /// Stable text: "commitsLost", "copied", "rebuilt", "found", "damagedReel" …
  package var code: String
  package var message: String
  package var recording: RecordingID?
  package var atMilliseconds: Int64

  package init(
    code: String, message: String, recording: RecordingID? = nil, atMilliseconds: Int64
  ) {
    self.code = code
    self.message = message
    self.recording = recording
    self.atMilliseconds = atMilliseconds
  }

  /// Whether it bears on what a list of recordings shows: some may be gone, or their titles.
  package var isAboutAll: Bool { ["commitsLost", "rebuilt"].contains(code) }
}
