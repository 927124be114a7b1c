// swift-format-ignore-file

// Stand-in: the part of UIKit that is used here, declared as in Apple's SDK, and the activity of
// `ProcessInfo` that Foundation has on Apple's mobile systems only.
import Foundation

public struct UIBackgroundTaskIdentifier: RawRepresentable, Hashable, Sendable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }
  public static let invalid = UIBackgroundTaskIdentifier(rawValue: 0)
}

/// `grants`, `running` and `expire` serve the program that plays the system.
@MainActor public class UIApplication {
  public static let shared = UIApplication()
  public var grants = true
  public private(set) var running: [Int: (@MainActor @Sendable () -> Void)?] = [:]
  private var last = 0

  public func beginBackgroundTask(
    withName: String?, expirationHandler: (@MainActor @Sendable () -> Void)?
  ) -> UIBackgroundTaskIdentifier {
    guard grants else { return .invalid }
    last += 1
    running[last] = .some(expirationHandler)
    return UIBackgroundTaskIdentifier(rawValue: last)
  }

  public func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {
    precondition(running.removeValue(forKey: identifier.rawValue) != nil, "ended twice")
  }

  public func expire() { for handler in running.values { handler?() } }

  nonisolated public static let didBecomeActiveNotification = Notification.Name(
    "UIApplicationDidBecomeActiveNotification")
  nonisolated public static let willResignActiveNotification = Notification.Name(
    "UIApplicationWillResignActiveNotification")
  nonisolated public static let protectedDataDidBecomeAvailableNotification = Notification.Name(
    "UIApplicationProtectedDataDidBecomeAvailable")
  nonisolated public static let didReceiveMemoryWarningNotification = Notification.Name(
    "UIApplicationDidReceiveMemoryWarningNotification")
}

extension ProcessInfo {
  /// Grants the time until the block returns, on a thread of its own. Where the reason is
  /// "expiring" the time runs out at once; where it is "denied" there is none.
  public func performExpiringActivity(
    withReason reason: String, using block: @escaping @Sendable (Bool) -> Void
  ) {
    if reason != "denied" { Thread.detachNewThread { block(false) } }
    if ["denied", "expiring"].contains(reason) { Thread.detachNewThread { block(true) } }
  }
}
