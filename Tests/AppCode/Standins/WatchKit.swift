// swift-format-ignore-file

// Stand-in: the part of WatchKit that is used here, declared as in Apple's SDK.
import Foundation

@MainActor public class WKApplication {
  nonisolated public static let didBecomeActiveNotification = Notification.Name(
    "WKApplicationDidBecomeActiveNotification")
  nonisolated public static let willResignActiveNotification = Notification.Name(
    "WKApplicationWillResignActiveNotification")
}
