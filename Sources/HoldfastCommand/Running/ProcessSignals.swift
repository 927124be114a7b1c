import CHoldfastTerminal
import Foundation
package import Holdfast

/// A signal that a command may wait for. To `record`, `user1` begins an interruption and `user2`
/// ends it.
package typealias ProcessSignal = SignalWatcher.Signal

/// What signals do to this process.
///
/// - SIGPIPE is ignored, so that a recording outlives the reader of its acknowledgements. A write
///   then fails with `outputClosed`, and a command that lets this pass ends by SIGPIPE after all
///   (``dieOfClosedOutput()``), as the habit is.
/// - SIGXFSZ is ignored, so that a write over the limit of file size fails like one on a full disk
///   (J8).
/// - SIGINT, SIGTERM and SIGHUP are left as they are: reading commands end at once, by the signal
///   (a shell says 130, 143, 129), and have nothing to tidy up. A command that has something to end
///   takes them with ``stream(_:)``.
/// - SIGQUIT ends every command at once, by the signal (131), and says nothing: the way out of a
///   stop that hangs. The store takes it as any other death; the runtime's handler, which would
///   print a trace as of a crash, is taken off.
///
/// Programs that we start inherit what is ignored; who starts one gives it the default actions.
package enum ProcessSignals {
  /// The signals in the order in which they come, to the end of the process. When the call returns,
  /// their default action is off and none is missed any more; before that it holds. Also those that
  /// a parent told us to ignore, as shells do for programs in the background: who sends SIGINT to a
  /// recording wants it to stop. But not SIGHUP: `nohup` ignores it so that the program goes on.
  ///
  /// One stream at a time: a later call takes over. The system merges signals of one kind that come
  /// before the first of them was taken.
  ///
  /// - Throws: `failed` when the system gives no pipe or thread for them.
  package static func stream(
    _ signals: Set<ProcessSignal>
  ) throws(HoldfastError) -> AsyncStream<ProcessSignal> {
    let (stream, continuation) = AsyncStream.makeStream(of: ProcessSignal.self)
    watcher.withLock { $0 = nil }
    let watched = signals.filter {
      $0 != .hangUp || holdfast_signal_is_ignored($0.rawValue) == 0
    }
    do throws(FileFault) {
      let made = try SignalWatcher(Array(watched)) { continuation.yield($0) }
      watcher.withLock { $0 = made }
    } catch { throw StoreFaults.error(error) }
    return stream
  }

  /// Lives as long as the process: a signal after the stream was read must end nothing.
  private static let watcher = Locked<SignalWatcher?>(nil)

  /// Sets what holds for every command. Called first of all.
  package static func prepare() {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    signal(SIGQUIT, SIG_DFL)
  }

  /// Ends the process as if SIGPIPE had never been ignored: silently.
  package static func dieOfClosedOutput() -> Never {
    signal(SIGPIPE, SIG_DFL)
    raise(SIGPIPE)
    exit(128 + SIGPIPE)  // Only when SIGPIPE is blocked.
  }
}
