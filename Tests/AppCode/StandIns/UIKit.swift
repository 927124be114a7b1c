// swift-format-ignore-file

// Stand-in: the part of UIKit that is used here, declared as in Apple's SDK, and the activity of
// `ProcessInfo` that Foundation has on Apple's mobile systems only.
import Foundation

public struct UIBackgroundTaskIdentifier: RawRepresentable, Hashable, Sendable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }
  public static let invalid = UIBackgroundTaskIdentifier(rawValue: 0)
}

@MainActor public class UIApplication {
  public static let shared = UIApplication()
  public func beginBackgroundTask(
    withName: String?, expirationHandler: (@MainActor @Sendable () -> Void)?
  ) -> UIBackgroundTaskIdentifier { .invalid }
  public func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {}

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
  public func performExpiringActivity(
    withReason: String, using block: @escaping @Sendable (Bool) -> Void
  ) { block(true) }
}
