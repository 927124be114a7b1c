/// Where a recording is in its life. Open: a newer replica may know more phases.
package struct RecordingPhase: RawRepresentable, Hashable, Sendable {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }

  /// Audio is being captured (or the process that did it has just died; recovery will tell).
  package static let recording = RecordingPhase(rawValue: "recording")
  /// Capture is interrupted and may go on in this launch.
  package static let interrupted = RecordingPhase(rawValue: "interrupted")
  /// Capture waits for the user to come back; survives launches (L3).
  package static let pendingResume = RecordingPhase(rawValue: "pendingResume")
  /// Ended.
  package static let stopped = RecordingPhase(rawValue: "stopped")
}

/// The value of the register "state": a phase with its cause.
package struct PhaseValue: Hashable, Sendable {
  package var phase: RecordingPhase
  /// Why the recording came into this phase.
  package var reason: GapReason
  /// When, by the wall clock: milliseconds since 1970.
  package var atMilliseconds: Int64
  /// Whether recovery, not the user, ended it.
  package var recovered: Bool

  package init(
    _ phase: RecordingPhase, reason: GapReason, atMilliseconds: Int64, recovered: Bool = false
  ) {
    self.phase = phase
    self.reason = reason
    self.atMilliseconds = atMilliseconds
    self.recovered = recovered
  }

  /// The value as it stands in a change.
  package var canonical: CanonicalValue {
    .map([
      "s": .text(phase.rawValue), "why": .text(reason.rawValue), "at": .integer(atMilliseconds),
      "recovered": .bool(recovered),
    ])
  }

  /// Reads the value; nil when it is none.
  package init?(_ value: CanonicalValue?) {
    guard let map = value?.map, let phase = map["s"]?.text else { return nil }
    self.phase = RecordingPhase(rawValue: phase)
    reason = GapReason(rawValue: map["why"]?.text ?? "")
    atMilliseconds = map["at"]?.integer ?? 0
    recovered = map["recovered"]?.bool ?? false
  }
}
