/// The name of a task: a hash of what it is, so that replicas that create the same work apart have
/// one task (T9).
package struct TaskID: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// SHA-256 over the canonical bytes of kind, recording and generation.
  package let digest: Digest

  /// A name as it was stored.
  package init(digest: Digest) { self.digest = digest }

  /// The name of the work of this kind on this recording. A new final input, or the user, makes
  /// the next generation.
  package init(
    kind: TaskKind, recording: RecordingID, generation: UInt64, hashing: some Hashing
  ) {
    let spelled = CanonicalValue.array([
      .text("task"), .text(kind.rawValue), .bytes(recording.bytes), .unsigned(generation),
    ])
    digest = hashing.sha256(CanonicalEncoder.encode(spelled))
  }

  /// 64 lower-case hexadecimal digits.
  package var description: String { digest.description }

  package static func < (left: TaskID, right: TaskID) -> Bool { left.digest < right.digest }
}

/// What a task does. Open: a kind that nobody here handles is parked, never discarded (T4).
package struct TaskKind: RawRepresentable, Hashable, Sendable {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }

  /// Sound to text.
  package static let transcribe = TaskKind(rawValue: "transcribe")
  /// Who speaks when.
  package static let diarize = TaskKind(rawValue: "diarize")
  /// Text to its summary.
  package static let summarize = TaskKind(rawValue: "summarize")
}

/// Where a task stands. The raw values are those of the command line.
package enum TaskPhase: String, Hashable, Sendable, CaseIterable {
  /// Something it needs is not there yet: input, a predecessor, a condition, a time.
  case waiting
  /// It may be claimed.
  case ready
  /// A launch holds its claim.
  case running
  /// Nobody here handles its kind.
  case parked
  /// It has a result.
  case done
  /// Its failures are used up, or its input can never work.
  case failed
  /// It took three processes down; only the user releases it.
  case quarantined
  /// The user, or the end of its recording, called it off.
  case cancelled

  /// Whether it runs no more without the user.
  package var isSettled: Bool {
    switch self {
    case .done, .failed, .quarantined, .cancelled: true
    case .waiting, .ready, .running, .parked: false
    }
  }
}
