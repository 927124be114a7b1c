package import HoldfastModel

/// How a launch ended, with the evidence (L2).
package struct LaunchVerdict: Hashable, Sendable {
  /// Kinds of endings. Open: later versions tell more apart.
  package struct Kind: RawRepresentable, Hashable, Sendable {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }

    /// It said that it ends.
    package static let clean = Kind(rawValue: "clean")
    /// It was suspended, and ended in that state: the ordinary end of an app.
    package static let endedWhileSuspended = Kind(rawValue: "endedWhileSuspended")
    /// It was in the background with nothing left to run, and was gone within the grace period.
    package static let killedInGrace = Kind(rawValue: "killedInGrace")
    /// It was ended in the foreground, without a word.
    package static let killedInForeground = Kind(rawValue: "killedInForeground")
    /// The device went through a power-off or a reboot.
    package static let poweredOff = Kind(rawValue: "poweredOff")
    /// It is gone, and nothing tells why.
    package static let unknown = Kind(rawValue: "unknown")
  }

  package var kind: Kind
  /// One sentence that names what the verdict rests on.
  package var evidence: String
  /// Its last sign of life: milliseconds since 1970.
  package var atMilliseconds: Int64

  /// Seconds after going to the background within which an end counts as the grace period's: the
  /// system grants about 30 s, and ends were seen up to 60 s after.
  static let graceSeconds: Double = 60

  /// The verdict on a launch that holds its lock no more.
  ///
  /// - Parameters:
  ///   - log: its launch file.
  ///   - boot: the boot in which the question is asked.
  package init(_ log: LaunchLog, boot: BootID) {
    let last = log.lastSign
    atMilliseconds = last.wallMilliseconds
    let lived = Self.seconds(from: log.header.started, to: last)
    let sign = "last sign of life \(lived) s after its start"
    if log.state?.word == .ended {
      kind = .clean
      evidence = "it recorded its own end"
    } else if log.state?.word == .suspended {
      kind = .endedWhileSuspended
      evidence = "it recorded its suspension and never came back"
    } else if log.header.boot != boot {
      kind = .poweredOff
      evidence = "the device was started anew since; \(sign)"
    } else {
      (kind, evidence) = Self.killed(log, last: last, sign: sign)
    }
  }

  private static func killed(
    _ log: LaunchLog, last: LaunchTime, sign: String
  ) -> (Kind, String) {
    let scene = log.events.last { $0.name == "foreground" || $0.name == "background" }
    switch scene?.name {
    case "background":
      let after = Self.seconds(from: scene?.at ?? last, to: last)
      return Double(after) ?? 0 <= graceSeconds
        ? (.killedInGrace, "it had gone to the background; \(sign)")
        : (.unknown, "it ran in the background and its lock was free; \(sign)")
    case "foreground":
      return (
        .killedInForeground,
        "it was in the foreground, its lock was free and no end was recorded; \(sign)"
      )
    default: return (.unknown, "its lock was free and no end was recorded; \(sign)")
    }
  }

  private static func seconds(from start: LaunchTime, to end: LaunchTime) -> String {
    let milliseconds = max(end.monotonicNanoseconds - start.monotonicNanoseconds, 0) / 1_000_000
    let tenths = (milliseconds + 50) / 100
    return "\(tenths / 10).\(tenths % 10)"
  }
}
