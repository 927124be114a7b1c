package import HoldfastAudio
package import HoldfastModel

/// What an export will write: decided before the first byte, so that headers are right from the
/// start, in a pipe too.
package struct ExportPlan: Hashable, Sendable {
  /// The recording.
  package var recording: RecordingID
  /// The name of the track that is exported.
  package var track: String
  /// The names of the recording's other tracks.
  package var otherTracks: [String]
  /// The files, one for each run of takes that are alike in format, in their order. Empty when the
  /// track has no take.
  package var parts: [ExportPart]

  /// Whether the track is being recorded: what is exported is how far it has come.
  package var isUnfinished: Bool {
    parts.contains { $0.takes.contains { $0.contents.row.isOpen } }
  }
}

/// One file of an export.
package struct ExportPart: Hashable, Sendable {
  /// Which file, from 1.
  package var number: UInt32
  /// The kind of file.
  package var container: AudioContainer
  /// What its audio is.
  package var format: AudioFormat
  /// Its takes in their order.
  package var takes: [ExportTake]
  /// Where it begins in recording time, seconds.
  package var startSeconds: Double
  /// Sample frames of the file, silence among them; of packets, those that are indexed.
  package var frames: UInt64
  /// Bytes of the whole file; nil of packets, whose bytes are known when they were read.
  package var byteCount: UInt64?
  /// What becomes of gaps inside takes.
  var policy: GapPolicy
  /// Bytes of a file from which it is RF64.
  var rf64From: UInt64

  /// The rate in the file's header where it is not that of the audio: WAV has whole rates only.
  package var roundedRate: Double? {
    let rounded = format.sampleRate.rounded()
    return container == .wav && rounded != format.sampleRate ? rounded : nil
  }

  /// Bytes of audio of a file of plain PCM.
  var dataLength: UInt64 { frames * UInt64(format.bytesPerFrame) }
}

/// A take in an exported file.
package struct ExportTake: Hashable, Sendable {
  /// What it held when the export was planned.
  package var contents: TakeContents
  /// The gap before it; nil when it follows without one, or begins the file.
  package var gap: ExportGap?
}

/// A gap between two takes of one file.
package struct ExportGap: Hashable, Sendable {
  /// Why nothing was captured.
  package var reason: GapReason
  /// Its length.
  package var seconds: Double
  /// Its length in sample frames.
  package var frames: UInt64
  /// Whether silence stands for it; else it is cut.
  package var isSilence: Bool
}
