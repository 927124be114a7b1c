import HoldfastModel
import HoldfastPlatform

/// Why a unit was ended from outside.
package enum WorkCut: String, Hashable, Sendable {
  case deadline = "its time was over"
  case expired = "the system or the user ended the work"
  case suspended = "the app was suspended"
  case stopped = "the work was stopped"
}

/// A unit between its handler and what may end it: the first to come decides, once.
final class UnitRace: Sendable {
  enum Outcome: Sendable {
    case answer(WorkAnswer)
    case cut(WorkCut)
  }

  private let state = Locked(State())

  private struct State: Sendable {
    var outcome: Outcome?
    var waiter: CheckedContinuation<Outcome, Never>?
  }

  /// Decides the race unless it is decided.
  ///
  /// - Returns: whether this was the first.
  @discardableResult
  func settle(_ outcome: Outcome) -> Bool {
    let (first, waiter) = state.withLock {
      state -> (Bool, CheckedContinuation<Outcome, Never>?) in
      guard state.outcome == nil else { return (false, nil) }
      state.outcome = outcome
      defer { state.waiter = nil }
      return (true, state.waiter)
    }
    waiter?.resume(returning: outcome)
    return first
  }

  /// Whether it is decided.
  var isOver: Bool { state.withLock { $0.outcome != nil } }

  /// Waits for the decision. One waiter.
  func decision() async -> Outcome {
    await withCheckedContinuation { continuation in
      let known = state.withLock { state -> Outcome? in
        if state.outcome == nil { state.waiter = continuation }
        return state.outcome
      }
      if let known { continuation.resume(returning: known) }
    }
  }
}
