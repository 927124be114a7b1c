import Holdfast

/// What whoever sends the signals wants of a recorder now.
///
/// Signals are a wish, not a queue of orders: only the last one counts, however many came while an
/// earlier one was being obeyed.
final class RecordWish: Sendable {
  /// What is wanted.
  enum Word: Hashable, Sendable {
    /// Frames are to be kept.
    case capturing
    /// The take is to be closed; the recording may go on.
    case interrupted
    /// The recording is to end; nothing is wanted after that.
    case stopped
  }

  private struct State: Sendable {
    var word = Word.capturing
    var number: UInt64 = 0
  }

  private let state = Locked(State())

  /// How long a wish to go on must stand before it is obeyed: signals nearer to each other are one
  /// burst. What is heard meanwhile is kept.
  private static let settlingNanoseconds: UInt64 = 100_000_000

  /// Calls back when a wish that was heard now has had time to be taken back.
  static func settle(_ done: @escaping @Sendable () -> Void) {
    let thread = try? BackgroundThread(name: "holdfast-settle") {
      _ = WakeSignal().wait(timeoutNanoseconds: settlingNanoseconds)
      done()
    }
    // Without a thread the wish counts at once.
    if thread == nil { done() }
  }

  /// The wish, and how often it has changed.
  var now: (Word, UInt64) { state.withLock { ($0.word, $0.number) } }

  /// Takes a signal.
  ///
  /// - Returns: whether it changed the wish.
  func take(_ signal: ProcessSignal) -> Bool {
    let word: Word =
      switch signal {
      case .user1: .interrupted
      case .user2: .capturing
      default: .stopped
      }
    return state.withLock { state in
      guard state.word != word, state.word != .stopped else { return false }
      state.word = word
      state.number += 1
      return true
    }
  }
}
