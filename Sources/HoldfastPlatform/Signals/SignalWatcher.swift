import CHoldfastPlatform
package import HoldfastModel

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Delivers signals to a closure on a thread of its own, where anything may be done.
///
/// Invariants:
/// 1. The signal handler writes one byte into a pipe and does nothing else.
/// 2. One watcher at a time in a process: the pipe is the process's, and is never closed.
/// 3. After ``cancel()`` the signals do what they did before the watcher, and the closure is not
///    called any more. A watcher that is let go is cancelled.
package final class SignalWatcher: Sendable {
  /// A signal by its number.
  package struct Signal: RawRepresentable, Hashable, Sendable {
    package let rawValue: Int32
    package init(rawValue: Int32) { self.rawValue = rawValue }

    /// SIGINT: control-C.
    package static let interrupt = Signal(rawValue: SIGINT)
    /// SIGTERM: please end.
    package static let terminate = Signal(rawValue: SIGTERM)
    /// SIGHUP: the terminal is gone.
    package static let hangUp = Signal(rawValue: SIGHUP)
    /// SIGUSR1.
    package static let user1 = Signal(rawValue: SIGUSR1)
    /// SIGUSR2.
    package static let user2 = Signal(rawValue: SIGUSR2)
  }

  private static let isTaken = Locked(false)

  private let signals: [Signal]
  private let isCancelled = Locked(false)
  private let thread: BackgroundThread

  /// Begins to deliver.
  ///
  /// - Parameters:
  ///   - signals: which; those that arrive while the same one waits to be delivered may merge.
  ///   - deliver: called on the watcher's thread, for one signal after the other.
  /// - Throws: ``FileFault/Kind/exists`` while another watcher lives; EINVAL for a signal that
  ///   cannot be handled.
  package init(
    _ signals: [Signal], _ deliver: @escaping @Sendable (Signal) -> Void
  ) throws(FileFault) {
    let isCancelled = isCancelled
    self.signals = signals
    let pipe = try Self.begin(signals)
    do throws(FileFault) {
      thread = try BackgroundThread(name: "holdfast-signal") {
        while let signal = Self.next(pipe), !isCancelled.withLock({ $0 }) {
          if signals.contains(signal) { deliver(signal) }
        }
        Self.isTaken.withLock { $0 = false }
      }
    } catch {
      Self.end(signals)
      Self.isTaken.withLock { $0 = false }
      throw error
    }
  }

  deinit { cancel() }

  /// Gives the signals back and waits for the closure to return; called from the closure, it does
  /// not wait.
  package func cancel() {
    let wasCancelled = isCancelled.withLock { cancelled in
      defer { cancelled = true }
      return cancelled
    }
    if !wasCancelled {
      Self.end(signals)
      // Wakes the thread; no signal has the number 0. Where the pipe is full it is awake anyway.
      hf_signal_pipe_write(0)
    }
    thread.join()
  }

  /// Takes the process's turn and the signals, all of them or none; answers the pipe to read.
  private static func begin(_ signals: [Signal]) throws(FileFault) -> Int32 {
    let wasTaken = isTaken.withLock { taken in
      defer { taken = true }
      return taken
    }
    guard !wasTaken else { throw fault(EEXIST) }
    var pipe: Int32 = -1
    var code = unsafe hf_signal_pipe(&pipe)
    var begun: [Signal] = []
    for signal in signals where code == 0 {
      code = hf_signal_begin(signal.rawValue)
      if code == 0 { begun.append(signal) }
    }
    guard code == 0 else {
      end(begun)
      isTaken.withLock { $0 = false }
      throw fault(code)
    }
    return pipe
  }

  private static func end(_ signals: [Signal]) {
    // In reverse, for a signal that was named twice.
    for signal in signals.reversed() { _ = hf_signal_end(signal.rawValue) }
  }

  /// The next signal that arrives; nil when the pipe fails, which it never does.
  private static func next(_ pipe: Int32) -> Signal? {
    var byte: UInt8 = 0
    while true {
      let count = unsafe read(pipe, &byte, 1)
      if count == 1 { return Signal(rawValue: Int32(byte)) }
      guard count < 0, errno == EINTR else { return nil }
    }
  }

  private static func fault(_ code: Int32) -> FileFault {
    FileFault(errno: code, operation: "watch", path: "signals")
  }
}
