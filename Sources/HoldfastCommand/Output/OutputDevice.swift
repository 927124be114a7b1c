import Foundation
package import Holdfast

/// Where bytes may be sent.
package enum StandardStream: Sendable {
  /// For results.
  case output
  /// For everything else.
  case error
}

/// The two standard streams, as a seam.
///
/// Writes are done one after the other in the order of the calls, whichever stream they are for,
/// and never on the caller's thread: a pipe that nobody reads or a terminal stopped by Ctrl-S may
/// hold a write for ever, and must not hold a thread on which a recording runs.
package protocol OutputDevice: Sendable {
  /// Queues a write of all bytes and returns; `done` is called, on any thread, when it was made or
  /// failed.
  func write(
    _ bytes: [UInt8], to stream: StandardStream,
    done: @escaping @Sendable (HoldfastError?) -> Void)
  /// Closes standard output when nothing more will be written: some file systems tell only then
  /// that there was no room.
  func closeOutput() -> HoldfastError?
}

/// The standard streams of this process.
package struct StandardStreams: OutputDevice {
  private let queue = DispatchQueue(label: "holdfast.output")
  /// Asked at the start: a terminal that is gone is none any more.
  private let isTerminal = isatty(1) != 0

  /// The streams as the process got them.
  package init() {}

  package func write(
    _ bytes: [UInt8], to stream: StandardStream,
    done: @escaping @Sendable (HoldfastError?) -> Void
  ) {
    queue.async {
      let handle: FileHandle = stream == .output ? .standardOutput : .standardError
      do {
        try handle.write(contentsOf: Data(bytes))
        done(nil)
      } catch {
        done(failure(errno: Self.number(of: error)))
      }
    }
  }

  package func closeOutput() -> HoldfastError? {
    close(1) == 0 || errno == EBADF ? nil : failure(errno: errno)
  }

  /// The system's number in an error of `FileHandle`; 0 when there is none.
  private static func number(of error: any Error) -> Int32 {
    let error = error as NSError
    let underlying = error.userInfo[NSUnderlyingErrorKey] as? NSError ?? error
    return underlying.domain == NSPOSIXErrorDomain ? Int32(truncatingIfNeeded: underlying.code) : 0
  }

  /// The error of a write. A full device is *failed* here, not *diskFull*: it is the reader of our
  /// output that has no room, and the store has nothing to wait for.
  private func failure(errno: Int32) -> HoldfastError {
    if errno == EPIPE || (errno == EIO && isTerminal) {
      return HoldfastError(.outputClosed, "nobody reads standard output any more")
    }
    let error = NSError(domain: NSPOSIXErrorDomain, code: Int(errno))
    let reason = error.localizedFailureReason ?? "error \(errno)"
    return HoldfastError(
      .failed, "cannot write to standard output: \(reason)",
      hint: "see where it leads: a disk without room, or a stream that is closed",
      cause: "\(errno)")
  }
}

extension HoldfastError.Code {
  /// The reader of our standard output went away. Commands that only print end with it; one that
  /// records goes on.
  package static let outputClosed = HoldfastError.Code(rawValue: "outputClosed")
}
