/// Where an app is.
package enum PhoneScene: Hashable, Sendable {
  /// No process is there.
  case ended
  case foreground
  /// It runs: recording, in the grace time, for a continued task, or for a window.
  case background
  /// Its process is there and stands still.
  case suspended
}

/// Where work computes.
package enum PhoneCompute: Hashable, Sendable { case processor, neuralEngine }

/// How a process really ended, which the app is never told.
package enum PhoneEnd: String, Hashable, Sendable, CaseIterable {
  /// While it stood still: memory, an update, a swipe.
  case suspended
  /// In the background soon after it went there, for its memory or because it outlived its time.
  case inGrace
  /// With its continued task, without a word.
  case withTask
  /// Because its continued task did not move.
  case stale
  case recording
  /// By its own fault.
  case crashed
  case poweredOff
}

/// What an app is told.
package enum PhoneNews: Hashable, Sendable {
  case background
  case foreground
  case taskStarted
  case taskExpired
  /// For the simulation alone: its process is gone.
  case ended
}

enum PhoneHappening {
  case end(PhoneEnd)
  case news(PhoneNews)
}

/// A continued task that the app asked for.
struct PhoneTask: Sendable {
  var startsAt = Double.infinity
  var endsAt = Double.infinity
  var expires = false
  var isStarted = false
  var isOver = false
  var progressedAt = 0.0

  init(_ fate: ContinuedFate, now: Double) {
    guard case .starts(let after, let lives, let expires) = fate else { return }
    startsAt = now + after
    endsAt = startsAt + lives
    self.expires = expires
  }

  var isRunning: Bool { isStarted && !isOver }
  /// Whether it may start. That it never will, an app cannot know.
  var isAwaited: Bool { !isStarted && !isOver }
}

extension SimulatedPhone.State {
  var canRun: Bool { scene == .foreground || scene == .background }
  var isAtFullSpeed: Bool { scene == .foreground || isRecording }

  /// Seconds that a second of work takes.
  func pace(_ compute: PhoneCompute) -> Double {
    guard !isAtFullSpeed, let stay else { return 1 }
    return compute == .processor ? stay.processorSlowdown : stay.neuralSlowdown
  }

  mutating func begin(_ new: PhoneStay?) {
    stay = new
    task = nil
    usesGrace = false
    leavesAt = .infinity
    returnsAt = .infinity
    windowEndsAt = .infinity
  }

  mutating func leave() {
    scene = .background
    leftAt = now
    leavesAt = .infinity
  }

  mutating func suspend() {
    scene = .suspended
    suspendedAt = now
    task = nil
  }

  mutating func takeAlarms() -> [@Sendable () -> Void] {
    let due = alarms.filter { $0.due <= now }.map(\.body)
    alarms.removeAll { $0.due <= now }
    return due
  }

  func nextEvent(_ rules: PhoneRules) -> Double {
    var moments = [taskEvent(rules), alarms.map(\.due).min() ?? .infinity]
    if scene == .foreground { moments.append(leavesAt) }
    if isRecording {
      moments.append(diesRecordingAt)
    } else if scene == .background {
      moments.append(returnsAt)
    }
    if let end = backgroundEnd(rules) { moments.append(end.at) }
    return max(moments.min() ?? .infinity, now)
  }

  private func taskEvent(_ rules: PhoneRules) -> Double {
    guard let task, !task.isOver else { return .infinity }
    guard task.isStarted else { return task.startsAt }
    guard scene == .background else { return task.endsAt }
    return min(task.endsAt, task.progressedAt + rules.staleSeconds)
  }

  /// What ends the time in the background when no continued task runs: nil where something gives
  /// time.
  private func backgroundEnd(_ rules: PhoneRules) -> (at: Double, end: PhoneEnd?)? {
    guard scene == .background, !isRecording, !(task?.isRunning ?? false) else { return nil }
    let grace = (leftAt + rules.graceSeconds, usesGrace ? PhoneEnd.inGrace : nil)
    let over = windowEndsAt < .infinity ? (windowEndsAt, PhoneEnd.inGrace) : grace
    guard let after = stay?.killedAfterSeconds, leftAt + after < over.0 else { return over }
    return (leftAt + after, .inGrace)
  }

  /// What happens now, one thing at a time; nil: nothing more.
  mutating func happening(_ rules: PhoneRules) -> PhoneHappening? {
    guard canRun else { return nil }
    if diesRecordingAt <= now, isRecording {
      diesRecordingAt = .infinity
      return .end(.recording)
    }
    if scene == .foreground, leavesAt <= now {
      leave()
      return .news(.background)
    }
    if returnsAt <= now, scene == .background {
      scene = .foreground
      returnsAt = .infinity
      return .news(.foreground)
    }
    if let happening = taskHappening(rules) { return happening }
    guard let (at, end) = backgroundEnd(rules), at <= now else { return nil }
    if let end { return .end(end) }
    suspend()
    return nil
  }

  private mutating func taskHappening(_ rules: PhoneRules) -> PhoneHappening? {
    guard let known = task, !known.isOver else { return nil }
    if !known.isStarted {
      guard known.startsAt <= now else { return nil }
      task?.isStarted = true
      task?.progressedAt = now
      return .news(.taskStarted)
    }
    if scene == .background, known.progressedAt + rules.staleSeconds <= now { return .end(.stale) }
    guard known.endsAt <= now else { return nil }
    task?.isOver = true
    // The grace time is over by then: what is left is what the call-back takes.
    if scene == .background { leftAt = max(leftAt, now - rules.graceSeconds + 5) }
    return known.expires || scene == .foreground ? .news(.taskExpired) : .end(.withTask)
  }
}
