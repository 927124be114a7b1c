/// What went wrong in an attempt, by whom it is paid (T4).
package enum FailureClass: String, Hashable, Sendable, CaseIterable {
  /// It may work later: the network, a server, a lock. Spends nothing.
  case transient
  /// The handler has no room now. Spends nothing.
  case busy
  /// The input can never work: the task fails at once.
  case permanentInput
  /// The handler crashed, or broke its contract. Spends one failure.
  case crashed
  /// What it needs is not on this device yet. Spends nothing, wakes on arrival.
  case missingInput
}

/// How a launch that held a claim came to its end, as the flight log tells it.
package enum ClaimEnd: Hashable, Sendable {
  /// The process died by itself while the work ran: a crash, or killed for its memory.
  case silentDeath
  /// It ended while suspended, was swiped away, or the device went off: not the task's doing.
  case innocent
}

/// Three bounded counters that are never mixed (T1), and what each of them leads to.
package struct TaskCounters: Hashable, Sendable {
  /// Attempts that failed by the task's own fault.
  package private(set) var failures: UInt32 = 0
  /// Interruptions since the last progress: deadline, suspension, expiry. Never punished.
  package private(set) var interruptions: UInt32 = 0
  /// Silent deaths in a row. While a claim is open the running attempt is counted in.
  package private(set) var deaths: UInt32 = 0

  /// Failures after which the task has failed.
  package static let failureBound: UInt32 = 5
  /// Interruptions without progress after which it waits for a change of conditions.
  package static let interruptionBound: UInt32 = 50
  /// Silent deaths in a row that quarantine the task.
  package static let deathBound: UInt32 = 3

  /// No attempt yet.
  package init() {}

  /// As stored; each is held to its bound.
  package init(failures: UInt32, interruptions: UInt32, deaths: UInt32) {
    self.failures = min(failures, Self.failureBound)
    self.interruptions = min(interruptions, Self.interruptionBound)
    self.deaths = min(deaths, Self.deathBound)
  }

  /// Whether the task has failed for good.
  package var isSpent: Bool { failures >= Self.failureBound }
  /// Whether only a change of conditions makes another attempt worth while.
  package var needsChange: Bool { interruptions >= Self.interruptionBound }
  /// Whether the task is quarantined, unless a claim of it is open.
  package var isDeadly: Bool { deaths >= Self.deathBound }

  /// Counts the death that the attempt may be. Committed before the work starts.
  package mutating func begin() { deaths = min(deaths + 1, Self.deathBound) }

  /// A unit was committed: it did not kill us, and interruptions count anew. The attempt goes on,
  /// so the death that its rest may be stays counted.
  package mutating func progress() {
    interruptions = 0
    deaths = 1
  }

  /// The attempt ended with our process alive and unharmed.
  package mutating func endCleanly() { deaths = 0 }

  /// The attempt was ended from outside, and told so.
  package mutating func interrupt() {
    deaths = 0
    interruptions = min(interruptions + 1, Self.interruptionBound)
  }

  /// The attempt failed.
  package mutating func fail(_ failure: FailureClass) {
    deaths = 0
    switch failure {
    case .transient, .busy, .missingInput: break
    case .permanentInput: failures = Self.failureBound
    case .crashed: failures = min(failures + 1, Self.failureBound)
    }
  }

  /// The launch that held the claim is dead. A death that was not the task's doing is taken back
  /// and counts as an interruption; the deaths before it stay.
  package mutating func launchEnded(_ end: ClaimEnd) {
    guard end == .innocent else { return }
    deaths -= min(deaths, 1)
    interruptions = min(interruptions + 1, Self.interruptionBound)
  }

  /// Conditions changed: interruptions count anew.
  package mutating func conditionsChanged() { interruptions = 0 }

  /// The user's retry or release.
  package mutating func reset() { self = TaskCounters() }
}
