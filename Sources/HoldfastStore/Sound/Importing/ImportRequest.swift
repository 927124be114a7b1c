package import HoldfastModel

/// What is to be made of a file.
package struct ImportRequest: Hashable, Sendable {
  /// Title, time, attributes and external id; the bytes of the source are set by the importer.
  package var seed: RecordingSeed
  /// The track's name.
  package var track: String
  /// Seconds of a full chunk.
  package var chunkSeconds: Double

  package init(
    _ seed: RecordingSeed = RecordingSeed(), track: String = "microphone", chunkSeconds: Double = 1
  ) {
    self.seed = seed
    self.track = track
    self.chunkSeconds = chunkSeconds
  }
}

/// How far an import is.
package struct ImportProgress: Hashable, Sendable {
  /// Bytes of the file's audio that are in the store, those of an earlier, killed import counted.
  package var doneBytes: UInt64
  /// Bytes of audio that the file holds.
  package var totalBytes: UInt64

  package init(doneBytes: UInt64, totalBytes: UInt64) {
    self.doneBytes = doneBytes
    self.totalBytes = totalBytes
  }
}

/// What became of an import.
package struct ImportOutcome: Hashable, Sendable {
  /// What was done. Open.
  package struct Kind: RawRepresentable, Hashable, Sendable {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }

    /// A new recording was made.
    package static let imported = Kind(rawValue: "imported")
    /// An import that had been cut short was completed.
    package static let completed = Kind(rawValue: "completed")
    /// The same content, or the same external id, was there: nothing was added.
    package static let alreadyThere = Kind(rawValue: "alreadyThere")
    /// It was cancelled; a later import of the file goes on from here.
    package static let cancelled = Kind(rawValue: "cancelled")
  }

  /// What was done.
  package var kind: Kind
  /// The recording that holds the file's audio.
  package var recording: RecordingID
  /// Whether that recording lies in the trash.
  package var isInTrash: Bool
  /// Whether an external id was asked for and the recording, which was there, has none: it is set
  /// when a recording is made.
  package var isNameless: Bool
  /// How much of the file is in it.
  package var progress: ImportProgress

  package init(
    _ kind: Kind, _ recording: RecordingID, isInTrash: Bool = false, isNameless: Bool = false,
    progress: ImportProgress
  ) {
    self.kind = kind
    self.recording = recording
    self.isInTrash = isInTrash
    self.isNameless = isNameless
    self.progress = progress
  }
}
