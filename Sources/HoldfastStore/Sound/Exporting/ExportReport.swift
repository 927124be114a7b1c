package import HoldfastModel

/// A place in an exported file where not everything is as it was recorded.
package struct ExportMark: Hashable, Sendable {
  /// Why: a gap's reason, "damaged" or "missing".
  package var reason: GapReason
  /// Sample frame of the file at which it stands.
  package var fileFrame: UInt64
  /// Where that is in recording time, seconds.
  package var recordingSeconds: Double
  /// Its length in sample frames.
  package var frames: UInt64
  /// Whether silence stands there; else it was cut.
  package var isSilence: Bool
}

/// What an export wrote.
package struct ExportReport: Hashable, Sendable {
  /// Sample frames written, silence among them; of packets, all that they decode to.
  package var frames: UInt64 = 0
  /// Bytes written, headers among them.
  package var bytes: UInt64 = 0
  /// Chunks written as they were recorded.
  package var chunks: UInt64 = 0
  /// Chunks whose bytes are not what they were.
  package var damagedChunks: UInt64 = 0
  /// Chunks whose bytes are not here.
  package var missingChunks: UInt64 = 0
  /// Chunks whose header is damaged and whose audio is whole.
  package var damagedHeaders: UInt64 = 0
  /// Gaps that were cut, and their seconds.
  package var cutGaps: UInt64 = 0, cutSeconds: Double = 0
  /// Gaps and losses in their order; neighbours of one kind are one.
  package var marks: [ExportMark] = []

  package init() {}

  /// Whether audio that was captured is not in it.
  package var hasLoss: Bool { damagedChunks > 0 || missingChunks > 0 }

  /// Whether damage was met, of audio or around it.
  package var hasDamage: Bool { hasLoss || damagedHeaders > 0 }

  /// Sample frames of silence by reason.
  package var silence: [GapReason: UInt64] {
    marks.filter(\.isSilence).reduce(into: [:]) { $0[$1.reason, default: 0] += $1.frames }
  }

  /// Sample frames of silence.
  package var silenceFrames: UInt64 { silence.values.reduce(0, +) }

  /// Adds a mark, to the last one when it goes on there.
  mutating func add(_ mark: ExportMark) {
    guard mark.frames > 0 else { return }
    if let last = marks.last, last.reason == mark.reason, last.isSilence, mark.isSilence,
      last.fileFrame + last.frames == mark.fileFrame
    {
      marks[marks.count - 1].frames += mark.frames
    } else {
      marks.append(mark)
    }
  }

  /// Adds what another part gave; its marks count within its own file and stay there.
  package mutating func addCounts(_ other: ExportReport) {
    frames += other.frames
    bytes += other.bytes
    chunks += other.chunks
    damagedChunks += other.damagedChunks
    missingChunks += other.missingChunks
    damagedHeaders += other.damagedHeaders
    cutGaps += other.cutGaps
    cutSeconds += other.cutSeconds
  }
}
