/// Recording times as text.
package enum TimeCode {
  /// "1:02:03.4": hours, always; tenths.
  package static func clock(_ seconds: Double) -> String {
    let tenths = whole(seconds * 10)
    return base(tenths / 10, hourDigits: 1) + ".\(tenths % 10)"
  }

  /// "1:02:03".
  package static func short(_ seconds: Double) -> String {
    base(whole(seconds.rounded(.down)), hourDigits: 1)
  }

  /// "01:02:03,004" for SRT, with a point for WebVTT.
  static func cue(milliseconds: UInt64, separator: String) -> String {
    base(milliseconds / 1000, hourDigits: 2) + separator + padded(milliseconds % 1000, 3)
  }

  /// Milliseconds of a recording time, rounded.
  static func milliseconds(_ nanoseconds: Int64) -> UInt64 {
    (UInt64(max(nanoseconds, 0)) + 500_000) / 1_000_000
  }

  private static func whole(_ value: Double) -> UInt64 {
    value.isFinite ? UInt64(min(max(value.rounded(), 0), 1e15)) : 0
  }

  private static func base(_ seconds: UInt64, hourDigits: UInt64) -> String {
    padded(seconds / 3600, hourDigits) + ":" + padded(seconds / 60 % 60, 2) + ":"
      + padded(seconds % 60, 2)
  }

  private static func padded(_ number: UInt64, _ digits: UInt64) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(Int(digits) - text.utf8.count, 0)) + text
  }
}
