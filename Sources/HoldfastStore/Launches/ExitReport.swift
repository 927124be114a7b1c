/// What the system itself says about the ends of an app's processes in a stretch of time
/// (MetricKit). It outranks what we infer (L2).
///
/// Invariant: a launch is given a reported end only where no other reading of the report is left.
/// All else that the report says about its time is added to the evidence, and the verdict stays.
package struct ExitReport: Hashable, Sendable {
  /// Where the app was when it ended.
  package enum Scene: Hashable, Sendable {
    case foreground
    case background
  }

  /// So many ends of one kind.
  package struct Exits: Hashable, Sendable {
    /// What the system calls it; nil for an ordinary end.
    package var kind: LaunchVerdict.Kind?
    /// Nil when the report does not tell.
    package var scene: Scene?
    /// The process, where a report names a single one.
    package var process: Int64?
    /// More than 0.
    package var count: UInt64
    /// The system's words: a termination reason, or the name of the counter.
    package var words: String

    package init(
      _ kind: LaunchVerdict.Kind?, _ scene: Scene? = nil, process: Int64? = nil,
      count: UInt64 = 1, words: String
    ) {
      self.kind = kind
      self.scene = scene
      self.process = process
      self.count = count
      self.words = words
    }
  }

  /// The stretch of time, milliseconds since 1970.
  package var time: ClosedRange<Int64>
  /// The ends in it.
  package var exits: [Exits]

  package init(time: ClosedRange<Int64>, exits: [Exits]) {
    self.time = time
    self.exits = exits
  }

  /// A launch whose end the report may explain.
  package struct Launch: Hashable, Sendable {
    /// Its process id.
    package var process: Int64
    /// When it may have ended: from its last sign of life to the next start of its program.
    package var ended: ClosedRange<Int64>
    /// What stands now.
    package var verdict: LaunchVerdict

    package init(process: Int64, ended: ClosedRange<Int64>, verdict: LaunchVerdict) {
      self.process = process
      self.ended = ended
      self.verdict = verdict
    }

    /// Where it was at its end, as far as its verdict tells.
    var scene: Scene? {
      switch verdict.kind {
      case .killedInForeground: .foreground
      case .endedWhileSuspended, .killedInGrace, .neverStarted: .background
      default: nil
      }
    }

    /// A suspended process runs no code that could crash.
    func canEnd(_ exits: Exits) -> Bool {
      if let process = exits.process, process != self.process { return false }
      if exits.kind == .crashed, verdict.kind == .endedWhileSuspended { return false }
      guard let scene, let other = exits.scene else { return true }
      return scene == other
    }
  }

  /// The verdicts that change, by the launches' places.
  package func judge(_ launches: [Launch]) -> [Int: LaunchVerdict] {
    let inside = launches.indices.filter { launches[$0].ended.overlaps(time) }
    let open = inside.filter {
      launches[$0].verdict.kind != .clean && !launches[$0].verdict.kind.isReported
    }
    let left = unexplained(by: inside.filter { launches[$0].verdict.kind.isReported }, launches)
    var answer: [Int: LaunchVerdict] = [:]
    for place in open {
      let launch = launches[place]
      let possible = left.filter { launch.canEnd($0) }
      guard !possible.isEmpty else { continue }
      if let named = possible.first(where: { $0.process != nil && $0.kind != nil }) {
        answer[place] = launch.verdict.replaced(by: named)
      } else if let only = forced(place, among: open, launches, possible) {
        answer[place] = launch.verdict.replaced(by: only)
      } else if let longer = launch.verdict.joined(by: possible) {
        answer[place] = longer
      }
    }
    return answer
  }

  /// The ends that are left when those are taken off that earlier reports have explained.
  private func unexplained(by explained: [Int], _ launches: [Launch]) -> [Exits] {
    var left = exits
    for place in explained {
      let index = left.firstIndex { exits in
        exits.kind == launches[place].verdict.kind && exits.count > 0
          && (exits.process ?? launches[place].process) == launches[place].process
      }
      if let index { left[index].count -= 1 }
    }
    return left.filter { $0.count > 0 }
  }

  /// The one end that a launch can have had; nil when there are several.
  ///
  /// It is one kind that the report counts for all who may have had it: as many as the launches
  /// that are open, or as many at least when nothing else ended and the launch ended in this time
  /// for sure.
  private func forced(
    _ place: Int, among open: [Int], _ launches: [Launch], _ possible: [Exits]
  ) -> Exits? {
    let bad = possible.filter { $0.kind != nil }
    guard let first = bad.first, bad.allSatisfy({ $0.kind == first.kind }) else { return nil }
    let rivals = open.filter { rival in bad.contains { launches[rival].canEnd($0) } }
    let count = bad.reduce(0) { $0 + $1.count }
    if count == UInt64(rivals.count) { return first }
    let isSure =
      time.contains(launches[place].ended.lowerBound)
      && time.contains(launches[place].ended.upperBound)
    let isAll = bad.count == possible.count && count > UInt64(rivals.count)
    return isSure && isAll ? first : nil
  }
}

extension LaunchVerdict.Kind {
  /// It took more memory than it may.
  package static let memoryLimit = Self(rawValue: "memoryLimit")
  /// The system needed its memory for others: the ordinary end in the background.
  package static let memoryPressure = Self(rawValue: "memoryPressure")
  /// It took more of the processor than it may.
  package static let processorLimit = Self(rawValue: "processorLimit")
  /// It did not answer the system in time.
  package static let watchdog = Self(rawValue: "watchdog")
  /// It was suspended while it held a lock on a file (0xdead10cc).
  package static let suspendedWithLockedFile = Self(rawValue: "suspendedWithLockedFile")
  /// It did not give its background time back.
  package static let backgroundTaskTimeout = Self(rawValue: "backgroundTaskTimeout")

  /// An end that the system counts under a name which is not known here.
  package static func reported(_ name: String) -> Self { Self(rawValue: reportedPrefix + name) }

  private static let reportedPrefix = "reported"

  /// Whether only the system's report gives such a verdict: it is never inferred.
  package var isReported: Bool {
    rawValue.hasPrefix(Self.reportedPrefix)
      || [
        .crashed, .memoryLimit, .memoryPressure, .processorLimit, .watchdog,
        .suspendedWithLockedFile, .backgroundTaskTimeout,
      ].contains(self)
  }
}

extension LaunchVerdict {
  /// The system's word in place of ours, which stays readable.
  fileprivate func replaced(by exits: ExitReport.Exits) -> LaunchVerdict {
    LaunchVerdict(
      kind: exits.kind ?? kind,
      evidence: "the system reported \(exits.words); inferred before: \(kind.rawValue), "
        + evidence,
      atMilliseconds: atMilliseconds)
  }

  /// The evidence with what the system said of this time; nil when it says so already.
  fileprivate func joined(by exits: [ExitReport.Exits]) -> LaunchVerdict? {
    let said = exits.map { "\($0.count) × \($0.words)" }.joined(separator: ", ")
    let clause = "; in this time the system reported \(said)"
    guard !evidence.contains(clause) else { return nil }
    return LaunchVerdict(kind: kind, evidence: evidence + clause, atMilliseconds: atMilliseconds)
  }
}
