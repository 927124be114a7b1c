/// Quantities as a person reads them. Programs get plain numbers through `--json`.
package enum Units {
  /// "0.4 s", "59.9 s", "1 min 00 s", "1 h 02 min 03 s". Rounded to a tenth below a minute and to a
  /// second above; hours are not turned into days, so that recordings can be compared.
  package static func duration(_ seconds: Double) -> String {
    guard seconds.isFinite, seconds.magnitude < 1e15 else { return "unknown" }
    let sign = seconds < 0 ? "-" : ""
    let tenths = UInt64((seconds.magnitude * 10).rounded())
    if tenths == 0 { return "0.0 s" }
    if tenths < 600 { return "\(sign)\(tenths / 10).\(tenths % 10) s" }
    let whole = UInt64(seconds.magnitude.rounded())
    let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, whole % 60)
    if hours == 0 { return "\(sign)\(minutes) min \(twoDigits(rest)) s" }
    return "\(sign)\(hours) h \(twoDigits(minutes)) min \(twoDigits(rest)) s"
  }

  /// "999 B", "34.5 MB": powers of 1000, as disks are sold and systems show them.
  package static func bytes(_ count: UInt64) -> String {
    guard count >= 1000 else { return "\(count) B" }
    var value = Double(count)
    for unit in ["kB", "MB", "GB", "TB", "PB"] {
      value /= 1000
      // What would be rounded to 1000.0 belongs to the next unit.
      if value < 999.95 { return "\(oneDecimal(value)) \(unit)" }
    }
    return "\(oneDecimal(value / 1000)) EB"
  }

  /// The value with one decimal, rounded; for values of 0 to 10^15.
  static func oneDecimal(_ value: Double) -> String {
    let tenths = UInt64((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }

  private static func twoDigits(_ number: UInt64) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }
}
