/// Decides what an event means for a recording: a pure machine, no clock, no await.
///
/// | state | meaning |
/// |---|---|
/// | recording | frames come; a take is open |
/// | interrupted | the take is closed; the system has the microphone |
/// | resuming | the app was told to start a new take and has not answered yet |
/// | pending | waits for the user (L3); survives the launch |
/// | stopped | ended by the user |
package struct CaptureMachine: Hashable, Sendable {
  /// The states; see the table.
  package enum State: Hashable, Sendable {
    case recording, interrupted, resuming, pending, stopped
  }

  /// What the store is to record.
  package enum Effect: Hashable, Sendable {
    /// The takes end for this reason.
    case closeTakes(GapReason)
    /// The recording moves to this phase for this reason.
    case phase(RecordingPhase, GapReason)
  }

  /// What an event leads to.
  package struct Outcome: Hashable, Sendable {
    package var actions: [CaptureAction] = []
    package var effects: [Effect] = []
  }

  package private(set) var state: State
  private let policy: ResumePolicy
  private var isActive: Bool
  private var reason: GapReason = .interruption
  private var isNoticePosted = false
  private var hasShownStall = false

  /// Seconds without audio after which capture counts as stalled: a declined call was seen to stop
  /// capture for an hour while the screen said recording.
  package static let stallSeconds: Double = 5

  package init(policy: ResumePolicy, isActive: Bool = true, state: State = .recording) {
    self.policy = policy
    self.isActive = isActive
    self.state = state
  }

  /// Takes an event.
  package mutating func handle(_ event: CaptureEvent) -> Outcome {
    switch event {
    case .interruptionBegan: return interrupt(.interruption)
    case .interruptionEnded(let shouldResume): return ended(shouldResume)
    case .becameActive: return becameActive()
    case .resigned:
      isActive = false
      return Outcome()
    case .routeChanged: return restart(.routeChange)
    case .mediaServicesReset: return restart(GapReason(rawValue: "mediaServicesReset"))
    case .permissionLost: return wait(GapReason(rawValue: "permissionLost"))
    case .resumed: return resumed()
    case .resumeFailed: return state == .stopped ? Outcome() : wait(reason)
    case .silence(let seconds): return silent(seconds)
    }
  }

  /// The user stopped the recording.
  package mutating func stop() -> Outcome {
    guard state != .stopped else { return Outcome() }
    state = .stopped
    return Outcome(
      actions: withdrawal(), effects: [.closeTakes(.stop), .phase(.stopped, .stop)])
  }

  private mutating func interrupt(_ why: GapReason) -> Outcome {
    guard state == .recording || state == .resuming else { return Outcome() }
    state = .interrupted
    reason = why
    return Outcome(
      actions: [.pause], effects: [.closeTakes(why), .phase(.interrupted, why)])
  }

  private mutating func ended(_ shouldResume: Bool) -> Outcome {
    guard state == .interrupted else { return Outcome() }
    guard shouldResume else { return wait(reason) }
    return mayResume ? resume() : wait(reason)
  }

  private var mayResume: Bool { policy == .automatic || isActive }

  private mutating func resume() -> Outcome {
    state = .resuming
    return Outcome(actions: [.resume])
  }

  private mutating func wait(_ why: GapReason) -> Outcome {
    guard state != .pending && state != .stopped else { return Outcome() }
    let wasRunning = state == .recording || state == .resuming
    state = .pending
    reason = why
    var outcome = Outcome(effects: [.closeTakes(why), .phase(.pendingResume, why)])
    if wasRunning { outcome.actions.append(.pause) }
    if !isNoticePosted {
      isNoticePosted = true
      outcome.actions.append(.postResumeNotice)
    }
    return outcome
  }

  private mutating func becameActive() -> Outcome {
    isActive = true
    return state == .pending ? resume() : Outcome()
  }

  private mutating func restart(_ why: GapReason) -> Outcome {
    guard state == .recording else { return Outcome() }
    var outcome = interrupt(why)
    outcome.actions += mayResume ? resume().actions : []
    if state == .interrupted { outcome.merge(wait(why)) }
    return outcome
  }

  private mutating func resumed() -> Outcome {
    guard state != .stopped else { return Outcome() }
    let wasRecording = state == .recording
    state = .recording
    hasShownStall = false
    return Outcome(
      actions: withdrawal(), effects: wasRecording ? [] : [.phase(.recording, reason)])
  }

  private mutating func silent(_ seconds: Double) -> Outcome {
    guard state == .recording, seconds >= Self.stallSeconds, !hasShownStall else {
      return Outcome()
    }
    hasShownStall = true
    var outcome = interrupt(GapReason(rawValue: "noAudio"))
    // Nothing says that the microphone is taken: starting anew often helps.
    outcome.actions = [.showStalled] + (mayResume ? resume().actions : [])
    return outcome
  }

  private mutating func withdrawal() -> [CaptureAction] {
    guard isNoticePosted else { return [] }
    isNoticePosted = false
    return [.withdrawResumeNotice]
  }
}

extension CaptureMachine.Outcome {
  fileprivate mutating func merge(_ other: Self) {
    actions += other.actions
    effects += other.effects
  }
}
