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
    /// A continued task ran and had not gone on for half a minute: the system ends such.
    package static let killedAfterStaleProgress = Kind(rawValue: "killedAfterStaleProgress")
    /// The system ended its continued task, or the user stopped it: one call-back for both.
    package static let expiredOrStopped = Kind(rawValue: "expiredOrStopped")
    /// It had asked for a continued task that the system never began.
    package static let neverStarted = Kind(rawValue: "neverStarted")
    /// It was ended in the foreground, without a word.
    package static let killedInForeground = Kind(rawValue: "killedInForeground")
    /// The device went through a power-off or a reboot.
    package static let poweredOff = Kind(rawValue: "poweredOff")
    /// The system reported a crash of it (MetricKit), which outranks what we infer.
    package static let crashed = Kind(rawValue: "crashed")
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
  /// Seconds without progress after which the system ends a continued task as stale: about 30.
  static let staleSeconds: Double = 30

  /// A verdict that was given before.
  package init(kind: Kind, evidence: String, atMilliseconds: Int64) {
    self.kind = kind
    self.evidence = evidence
    self.atMilliseconds = atMilliseconds
  }

  /// The verdict on a launch whose process was suspended and came back as another launch.
  init(resumed log: LaunchLog) {
    kind = .clean
    evidence = "it was suspended, and its process went on"
    atMilliseconds = log.lastSign.wallMilliseconds
  }

  /// The verdict on a launch that holds its lock no more.
  ///
  /// - Parameters:
  ///   - log: its launch file.
  ///   - boot: the boot in which the question is asked.
  package init(_ log: LaunchLog, boot: BootID) {
    let last = log.lastSign
    let story = LaunchStory(log)
    atMilliseconds = last.wallMilliseconds
    let sign =
      "last sign of life \(Self.text(log.header.started.seconds(to: last))) s after its start"
    if log.state?.word == .ended {
      kind = .clean
      evidence = "it recorded its own end"
    } else if log.state?.word == .suspended {
      kind = .endedWhileSuspended
      evidence = "it recorded its suspension and never came back"
      if let work = story.neverStarted {
        evidence += "; task \(work.identifier) was submitted and never started"
      }
    } else if log.header.boot != boot {
      kind = .poweredOff
      evidence = "the device was started anew since; \(sign)" + LaunchSigns(log, last).text
    } else {
      (kind, evidence) = Self.killed(story, last: last)
      evidence += "; \(sign)" + LaunchSigns(log, last).text
    }
  }

  /// The verdict on a launch that ended in this boot without a word.
  private static func killed(_ story: LaunchStory, last: LaunchTime) -> (Kind, String) {
    if let work = story.running {
      return running(work, in: story, last: last)
    }
    if let work = story.expired, let at = work.expired {
      let ago = text(at.seconds(to: last))
      return (
        .expiredOrStopped,
        "task \(work.identifier) was ended by the system or the user \(ago) s before"
      )
    }
    guard let scene = story.scene else {
      return (.unknown, "its lock was free and no end was recorded")
    }
    if scene.isForeground {
      return (
        .killedInForeground, "it was in the foreground, its lock was free and no end was recorded"
      )
    }
    let after = scene.since.seconds(to: last)
    if let work = story.neverStarted {
      return (
        .neverStarted,
        "task \(work.identifier) was submitted and never started, \(text(after)) s in the "
          + "background"
      )
    }
    if after <= graceSeconds {
      return (.killedInGrace, "it had gone to the background \(text(after)) s before, no task ran")
    }
    return (.unknown, "it ran in the background and its lock was free")
  }

  private static func running(
    _ work: LaunchStory.Work, in story: LaunchStory, last: LaunchTime
  ) -> (Kind, String) {
    let idle = (work.progressed ?? last).seconds(to: last)
    let evidence = "task \(work.identifier) ran and had gone on \(text(idle)) s before"
    if idle >= staleSeconds { return (.killedAfterStaleProgress, evidence) }
    return (story.scene?.isForeground ?? false ? .killedInForeground : .unknown, evidence)
  }

  /// Seconds with one decimal.
  static func text(_ seconds: Double) -> String {
    let tenths = Int64((seconds * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }
}
