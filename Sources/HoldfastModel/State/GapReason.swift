/// Why there is no audio for a while. An open set: any text is a reason.
public struct GapReason: RawRepresentable, Hashable, Sendable {
  /// The reason's stable text, the same in JSON output.
  public let rawValue: String
  /// A reason by its text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The user paused.
  public static let pause = GapReason(rawValue: "pause")
  /// The system interrupted capture: a call, an alarm, another app.
  public static let interruption = GapReason(rawValue: "interruption")
  /// The microphone changed, and with it perhaps the format.
  public static let routeChange = GapReason(rawValue: "routeChange")
  /// The device had no room left.
  public static let diskFull = GapReason(rawValue: "diskFull")
  /// The process ended without closing the take.
  public static let termination = GapReason(rawValue: "termination")
  /// The process was suspended.
  public static let suspension = GapReason(rawValue: "suspension")
  /// Frames came faster than they could be kept; their number is known.
  public static let overflow = GapReason(rawValue: "overflow")
  /// The medium failed to take the bytes.
  public static let mediumFailed = GapReason(rawValue: "mediumFailed")
  /// It was captured, and its bytes are not here.
  package static let missing = GapReason(rawValue: "missing")
  /// Nothing is missing: the recording was stopped.
  public static let stop = GapReason(rawValue: "stop")
}

/// How the length of a gap is known.
package struct GapKnowledge: RawRepresentable, Hashable, Sendable {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }

  /// By the clock that does not step, both ends in one boot; or by counted frames.
  package static let monotonic = GapKnowledge(rawValue: "monotonic")
  /// By the wall clock, which may have been set meanwhile.
  package static let wall = GapKnowledge(rawValue: "wall")
  /// A bound at best.
  package static let unknown = GapKnowledge(rawValue: "unknown")
}
