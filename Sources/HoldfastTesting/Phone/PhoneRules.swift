/// What was measured of a phone's system, by the teams whose apps lost work (DESIGN section 1), and
/// what is assumed where nothing was measured.
package struct PhoneRules: Hashable, Sendable {
  /// The share of continued tasks that the system never starts: 18 of 62.
  package var neverStarted = 0.29
  /// Seconds after which one that started is gone.
  package var lifeSeconds: ClosedRange<Double> = 40...627
  /// The share of those whose end is told by the call-back; the others vanish. Assumed.
  package var expires = 0.2
  /// Seconds between the wish for a continued task and its start. Assumed.
  package var startSeconds: ClosedRange<Double> = 0.2...5
  /// How many times longer a processor needs in the background: 8.4 s became 102–174 s.
  package var processorSlowdown: ClosedRange<Double> = 12...21
  /// The same for the Neural Engine: within two times.
  package var neuralSlowdown: ClosedRange<Double> = 1...2
  /// Seconds that an app may go on after it went to the background.
  package var graceSeconds = 30.0
  /// Seconds without progress after which a continued task is stale, and its process killed.
  package var staleSeconds = 30.0
  /// The share of stays in the background in which memory is needed within the grace time. Assumed.
  package var killedInGrace = 0.05
  /// The share of suspended processes that end before the user comes back: most. Assumed.
  package var endsSuspended = 0.75
  /// The share of meetings in which the process dies while it records. Assumed.
  package var diesRecording = 0.04
  /// The share of meetings that are stopped on the lock screen, where nothing can be submitted.
  /// Assumed.
  package var stoppedOnLockScreen = 0.25
  /// Seconds that the user stays with the app after a stop. Assumed.
  package var stayAfterStop: ClosedRange<Double> = 2...90

  /// What was measured.
  package init() {}
}

/// What becomes of a continued task.
package enum ContinuedFate: Hashable, Sendable {
  case neverStarts
  /// Starts so many seconds after it was asked for, and is gone so many later: by the call-back, or
  /// with its process.
  case starts(afterSeconds: Double, livesSeconds: Double, expires: Bool)
}

/// One stay of the user with the app, and what the system does when it is over.
package struct PhoneStay: Hashable, Sendable {
  /// Seconds in the foreground.
  package var seconds: Double
  package var task: ContinuedFate
  /// How many times longer work takes in the background afterwards.
  package var processorSlowdown: Double
  package var neuralSlowdown: Double
  /// Seconds in the background after which the system takes the process for its memory, unless a
  /// continued task runs; nil: not in the grace time.
  package var killedAfterSeconds: Double?
  /// Seconds of suspension after which the process ends; nil: it is there when the user comes back.
  package var endsSuspendedAfterSeconds: Double?

  /// Drawn from the rules.
  package init(seconds: Double, _ rules: PhoneRules, _ dice: inout PhoneDice) {
    self.seconds = seconds
    let isNever = dice.isTrue(rules.neverStarted)
    let after = dice.within(rules.startSeconds)
    let lives = dice.within(rules.lifeSeconds)
    let expires = dice.isTrue(rules.expires)
    task =
      isNever
      ? .neverStarts : .starts(afterSeconds: after, livesSeconds: lives, expires: expires)
    processorSlowdown = dice.within(rules.processorSlowdown)
    neuralSlowdown = dice.within(rules.neuralSlowdown)
    let killed = dice.within(1...rules.graceSeconds)
    killedAfterSeconds = dice.isTrue(rules.killedInGrace) ? killed : nil
    let ends = dice.within(60...14_400)
    endsSuspendedAfterSeconds = dice.isTrue(rules.endsSuspended) ? ends : nil
  }
}

/// Numbers from a seed: the same in every run and on every machine.
package struct PhoneDice: Sendable {
  private let source: SeededRandom

  /// Dice that show the same for the same seed.
  package init(_ seed: UInt64) { source = SeededRandom(seed) }

  /// A number of 0 up to 1.
  package mutating func fraction() -> Double {
    let number = source.bytes(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return Double(number >> 11) / Double(UInt64(1) << 53)
  }

  /// A number of a range, each as likely.
  package mutating func within(_ range: ClosedRange<Double>) -> Double {
    range.lowerBound + (range.upperBound - range.lowerBound) * fraction()
  }

  /// True in so large a share of throws.
  package mutating func isTrue(_ share: Double) -> Bool { fraction() < share }
}
