/// Numbers as a person reads them.
enum InspectWords {
  /// "0 B", "999 B", "1.2 kB" … decimal, three digits at least where there are more.
  static func bytes(_ bytes: UInt64) -> String {
    guard bytes >= 1_000 else { return "\(bytes) B" }
    var value = Double(bytes)
    for unit in ["kB", "MB", "GB", "TB"] {
      value /= 1_000
      if value < 999.95 { return "\(tenths(value)) \(unit)" }
    }
    return "\(tenths(value / 1_000)) PB"
  }

  /// "0.0 s", "59.9 s", "1 m 00 s", "2 h 05 m", "3 d 04 h".
  static func seconds(_ seconds: Double) -> String {
    guard seconds.isFinite, seconds < 9e15 else { return "very long" }
    if seconds < 59.95 { return "\(tenths(max(seconds, 0))) s" }
    let whole = UInt64(seconds.rounded())
    if whole < 3_600 { return "\(whole / 60) m \(two(whole % 60)) s" }
    if whole < 86_400 { return "\(whole / 3_600) h \(two(whole / 60 % 60)) m" }
    return "\(whole / 86_400) d \(two(whole / 3_600 % 24)) h"
  }

  /// A time of milliseconds since 1970 as RFC 3339 in UTC.
  static func time(_ milliseconds: Int64) -> String {
    let day = Int64((Double(milliseconds) / 86_400_000).rounded(.down))
    let rest = UInt64(milliseconds - day * 86_400_000)
    let (year, month, date) = calendar(day)
    let clock = "\(two(rest / 3_600_000)):\(two(rest / 60_000 % 60)):\(two(rest / 1_000 % 60))"
    let thousandths = String(1_000 + rest % 1_000).dropFirst()
    return "\(year)-\(two(month))-\(two(date))T\(clock).\(thousandths)Z"
  }

  /// The Gregorian date of a day since 1970-01-01. Years are counted from March, so that the leap
  /// day is the last of a year; 146,097 days are 400 years.
  private static func calendar(_ day: Int64) -> (year: Int64, month: UInt64, date: UInt64) {
    // 719,468 days from 0000-03-01 to 1970-01-01.
    let days = day + 719_468
    let era = (days >= 0 ? days : days - 146_096) / 146_097
    let inEra = days - era * 146_097
    let yearOfEra = (inEra - inEra / 1_460 + inEra / 36_524 - inEra / 146_096) / 365
    let inYear = inEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let fromMarch = (5 * inYear + 2) / 153
    let date = inYear - (153 * fromMarch + 2) / 5 + 1
    let month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, UInt64(month), UInt64(date))
  }

  /// "1 take", "2 takes".
  static func count(_ count: UInt64, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }

  private static func tenths(_ value: Double) -> String {
    let tenths = UInt64((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }

  private static func two(_ number: UInt64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
