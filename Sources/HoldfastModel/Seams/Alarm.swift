/// Being called later, as a seam.
package protocol Alarm: Sendable {
  /// Calls the body once, when at least so many nanoseconds have passed: soon after, or never when
  /// the alarm is gone by then.
  func ring(afterNanoseconds delay: Int64, _ body: @escaping @Sendable () -> Void)
}
