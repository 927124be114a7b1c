import CHoldfastTerminal
import Foundation
import Holdfast

/// One run of a handler's program.
///
/// Invariants:
/// - When ``run(_:input:directory:environment:_:)`` has returned, the program is gone, and
///   everything that it started in its process group with it.
/// - It begins with the default actions of signals: what we ignore is ours.
/// - Nothing it does makes us wait longer than its end and two seconds: not a child that holds its
///   output open, not input that it never reads.
final class HandlerProcess: Sendable {
  enum Ending: Hashable, Sendable {
    case exited(Int32)
    case signalled(Int32)
  }

  /// Seconds that are given, after the program's end, to a child of its own that holds its output.
  private static let patience: Double = 2

  private let state = Locked(State())

  private struct State: Sendable {
    /// The program's number, and its group's; nil before it began and after it was reaped.
    var process: Int32?
    var isKilled = false
  }

  /// Ends the program at once, from any thread, also before it began.
  func kill() {
    state.withLock { state in
      state.isKilled = true
      if let process = state.process { holdfast_child_kill(process) }
    }
  }

  /// Runs a line of the shell, and hands out the lines of its output as they come, on a thread of
  /// its own; of a line that is too long, its beginning.
  ///
  /// - Returns: how it ended, and the last of what it said on standard error.
  /// - Throws: `failed` when it cannot be started.
  func run(
    _ command: String, input: Data, directory: String, environment: [String: String],
    _ line: @escaping @Sendable ([UInt8]) -> Void
  ) async throws(HoldfastError) -> (ending: Ending, complaint: String) {
    try await OwnThread.run("holdfast-handler") { [self] _ throws(HoldfastError) in
      var child = try start(command, directory, environment)
      var streams = HandlerStreams(input: Array(input), line)
      var endedAt: ContinuousClock.Instant?
      while true {
        if endedAt == nil, holdfast_child_has_ended(child.process) != 0 {
          endedAt = .now
          // What it left behind in its group goes with it; that closes the pipes, as a rule.
          holdfast_child_kill(child.process)
        }
        if let endedAt,
          streams.haveEnded(child) || ContinuousClock.now - endedAt > .seconds(Self.patience)
        {
          break
        }
        let isQuick = endedAt != nil || streams.haveEnded(child)
        let ready = holdfast_child_wait(child, isQuick ? 5 : 50)
        if ready != 0 { streams.move(&child, ready) }
      }
      streams.close(&child)
      let status = state.withLock { state in
        state.process = nil
        return holdfast_child_reap(child.process)
      }
      let signal = holdfast_child_signal(status)
      return (
        signal == 0 ? .exited(holdfast_child_code(status)) : .signalled(signal),
        streams.complaint
      )
    }
  }

  private func start(
    _ command: String, _ directory: String, _ environment: [String: String]
  ) throws(HoldfastError) -> holdfast_child {
    var child = holdfast_child()
    let code = state.withLock { state -> Int32 in
      let code = ChildStart.run(command, directory, environment, &child)
      guard code == 0 else { return code }
      state.process = child.process
      if state.isKilled { holdfast_child_kill(child.process) }
      return 0
    }
    guard code == 0 else {
      throw HoldfastError(
        .failed, "The handler cannot be started: \(Self.text(code)).",
        hint: "Is /bin/sh there?", isRetryable: true)
    }
    return child
  }

  private static func text(_ code: Int32) -> String {
    NSError(domain: NSPOSIXErrorDomain, code: Int(code)).localizedDescription
  }
}
