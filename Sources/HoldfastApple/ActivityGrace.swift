// The grace time on the watch and in extensions. Apple platforms only; here it is type-checked
// against stand-ins. Last built with an Apple SDK: never.
#if canImport(UIKit) || canImport(WatchKit)
  public import Holdfast
  import Foundation
  #if HOLDFAST_STAND_INS
    import UIKit
  #endif

  /// The time that `ProcessInfo.performExpiringActivity` grants: on the watch, in extensions, and
  /// from any thread.
  ///
  /// The system calls its closure on a thread of its own and grants the time until the closure
  /// returns, so that thread waits for the body. It calls the closure again when the time runs out,
  /// or only so when it grants none: `expired` is then called and the body not run.
  public struct ActivityGrace: GraceProvider {
    /// Milliseconds to wait for the time to begin: the system asks another process for it.
    private static let patience = 100  // tidy: index

    /// Nothing is asked for yet.
    public init() {}

    /// Begins the time, runs the body and gives the time back.
    public func withGrace(
      _ name: String, expired: @escaping @Sendable () -> Void,
      _ body: @escaping @Sendable @concurrent () async -> Void
    ) {
      let begun = DispatchSemaphore(value: 0)
      let over = DispatchSemaphore(value: 0)
      ProcessInfo.processInfo.performExpiringActivity(withReason: name) { isExpired in
        begun.signal()
        guard !isExpired else {
          expired()
          over.signal()
          return
        }
        Task {
          await body()
          over.signal()
        }
        over.wait()
      }
      _ = begun.wait(timeout: .now() + .milliseconds(Self.patience))
    }
  }
#endif
