import Foundation
import Holdfast

/// Moves frames from the input into the take that is open, on a thread of its own.
///
/// While no take is open (an interruption) a microphone's frames go by unheard: with `--realtime`,
/// and from a pipe, they are passed over; a file read at full speed waits. While the recording is
/// about to go on, every input waits, so that nothing is lost that may be heard again.
final class RecordFeeder: Sendable {
  /// How the feeding ended.
  enum End: Sendable {
    /// The input ended.
    case input
    /// The take ended by itself: the medium failed.
    case take
    /// The input could not be read any more.
    case fault(HoldfastError)
  }

  private struct State: Sendable {
    var take: TakeWriter?
    var isHeld = false
    var isStopping = false
  }

  private let input: RecordInput
  private let isPaced: Bool
  private let state = Locked(State())
  private let change = WakeSignal()

  /// - Parameter isPaced: whether the input is taken no faster than it plays.
  init(_ input: RecordInput, isPaced: Bool) {
    self.input = input
    self.isPaced = isPaced
  }

  /// The take that frames go to; nil while there is none.
  func route(to take: TakeWriter?) {
    state.withLock { state in
      state.take = take
      state.isHeld = false
    }
    change.signal()
  }

  /// Keeps the next frames until it is clear whether a take comes for them.
  func hold() { state.withLock { $0.isHeld = true } }

  /// Ends the feeding after the piece that is under way.
  func stop() {
    state.withLock { $0.isStopping = true }
    change.signal()
  }

  /// Starts the thread.
  func start(_ ended: @escaping @Sendable (End) -> Void) throws(HoldfastError) {
    do {
      _ = try BackgroundThread(name: "holdfast-feed") { [self] in ended(run()) }
    } catch { throw StoreFaults.error(error) }
  }

  private func run() -> End {
    let frameBytes = UInt64(input.format.bytesPerFrame)
    // A tenth of a second at a time when paced, else up to a quarter of a MiB.
    let pacedFrames = max(UInt64(input.format.sampleRate / 10), 1)
    let piece = isPaced ? pacedFrames * frameBytes : UInt64(262_144)
    let start = ContinuousClock.now
    var frames: UInt64 = 0
    do throws(HoldfastError) {
      while !state.withLock({ $0.isStopping }) {
        guard let bytes = try input.next(piece) else { return .input }
        frames += UInt64(bytes.count) / frameBytes
        if isPaced {
          wait(until: start + .seconds(Double(frames) / input.format.sampleRate))
        }
        if !deliver(bytes) { return .take }
      }
      return .input
    } catch { return .fault(error) }
  }

  /// Waits for a moment, or for the stop.
  private func wait(until moment: ContinuousClock.Instant) {
    while !state.withLock({ $0.isStopping }) {
      let left = moment - ContinuousClock.now
      let nanoseconds =
        left.components.seconds * 1_000_000_000 + left.components.attoseconds / 1_000_000_000
      guard nanoseconds > 0 else { return }
      _ = change.wait(timeoutNanoseconds: UInt64(nanoseconds))
    }
  }

  /// False when the take has ended by itself.
  private func deliver(_ bytes: [UInt8]) -> Bool {
    guard let take = take() else { return true }
    let largest = Int(max(take.largestPiece, 1))
    var offset = 0
    while offset < bytes.count {
      let end = min(offset + largest, bytes.count)
      let part = bytes.count <= largest ? bytes : Array(bytes[offset..<end])
      if !take.appendWaiting(part) {
        // Closed on purpose meanwhile (an interruption, the stop): the rest goes by.
        let isCurrent = state.withLock { $0.take === take && !$0.isStopping }
        return !isCurrent
      }
      offset = end
    }
    return true
  }

  /// The open take; a file read at full speed waits for the next one, and so does what is held.
  private func take() -> TakeWriter? {
    let goesBy = isPaced || input.seconds == nil
    while true {
      let state = state.withLock { $0 }
      if state.take != nil || state.isStopping || (goesBy && !state.isHeld) { return state.take }
      _ = change.wait(timeoutNanoseconds: 1_000_000_000)
    }
  }
}
