// The grace time of an app that went to the background. Apple platforms only; here it is
// type-checked against stand-ins. Last built with an Apple SDK: never.
#if canImport(UIKit) && !os(watchOS)
  public import Holdfast
  import Foundation
  import UIKit

  /// The time that `UIApplication.beginBackgroundTask` grants. The task is ended when the body has
  /// returned, and in the expiration handler at the latest: an app that keeps it longer is killed.
  ///
  /// Called from another thread than the main one it takes the time as ``ActivityGrace`` does,
  /// since it must have begun before the call returns.
  @available(iOSApplicationExtension, unavailable, message: "an extension takes ActivityGrace")
  public struct ApplicationGrace: GraceProvider {
    /// Nothing is asked for yet.
    public init() {}

    /// Begins the time, runs the body and gives the time back. Where the system grants none,
    /// `expired` is called at once and the body is not run.
    public func withGrace(
      _ name: String, expired: @escaping @Sendable () -> Void,
      _ body: @escaping @Sendable @concurrent () async -> Void
    ) {
      guard Thread.isMainThread else {
        return ActivityGrace().withGrace(name, expired: expired, body)
      }
      MainActor.assumeIsolated {
        let time = GraceTime()
        guard time.begin(name, expired) else { return expired() }
        Task {
          await body()
          time.end()
        }
      }
    }
  }

  /// One background task, ended once.
  @available(iOSApplicationExtension, unavailable)
  @MainActor private final class GraceTime {
    private var task = UIBackgroundTaskIdentifier.invalid

    func begin(_ name: String, _ expired: @escaping @Sendable () -> Void) -> Bool {
      task = UIApplication.shared.beginBackgroundTask(withName: name) { [self] in
        expired()
        end()
      }
      return task != .invalid
    }

    func end() {
      guard task != .invalid else { return }
      UIApplication.shared.endBackgroundTask(task)
      task = .invalid
    }
  }
#endif
