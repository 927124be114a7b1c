/// Times as text (RFC 3339), without calendar or locale: only UTC and arithmetic.
package enum RFC3339 {
  private static let dayMilliseconds: Int64 = 86_400_000

  /// "2026-11-30T21:28:05.123Z": UTC, always three decimals.
  ///
  /// - Parameter milliseconds: since 1970-01-01T00:00:00Z.
  package static func text(_ milliseconds: Int64) -> String {
    let (day, time) = floorDivide(milliseconds, by: dayMilliseconds)
    return "\(CalendarDay(daysSince1970: day))T\(clock(time))Z"
  }

  /// "21:28:05.123" of milliseconds since midnight.
  private static func clock(_ time: Int64) -> String {
    let seconds = time / 1000
    let parts = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { padded($0, to: 2) }
    return parts.joined(separator: ":") + "." + padded(time % 1000, to: 3)
  }

  /// Milliseconds since 1970-01-01T00:00:00Z of an RFC 3339 time of the years 1 to 9999, or nil.
  ///
  /// As section 5.6 has it: any offset, `t` and `z` in lower case, a space for `T`, any number of
  /// decimals (what is finer than a millisecond is cut), and second 60, which is taken as the first
  /// of the next minute.
  package static func milliseconds(_ text: String) -> Int64? {
    guard let day = CalendarDay(String(text.prefix(10))) else { return nil }
    var rest = Scan(Array(text.dropFirst(10).utf8))
    guard rest.skip("Tt "), let hour = rest.number(2), hour < 24,
      rest.skip(":"), let minute = rest.number(2), minute < 60,
      rest.skip(":"), let second = rest.number(2), second <= 60,
      let fraction = rest.fraction(), let offset = rest.offset(), rest.isAtEnd
    else { return nil }
    let minutes = (day.daysSince1970 * 24 + hour) * 60 + minute - offset
    return (minutes * 60 + second) * 1000 + fraction
  }

  /// Quotient and remainder with a remainder of 0 or more.
  static func floorDivide(_ value: Int64, by divisor: Int64) -> (quotient: Int64, rest: Int64) {
    let (quotient, rest) = value.quotientAndRemainder(dividingBy: divisor)
    return rest < 0 ? (quotient - 1, rest + divisor) : (quotient, rest)
  }

  /// The number with zeros before it.
  static func padded(_ number: Int64, to digits: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
  }

  /// The bytes of a time that are still to be read.
  private struct Scan {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func skip(_ allowed: String) -> Bool {
      guard let byte = rest.first, allowed.utf8.contains(byte) else { return false }
      rest.removeFirst()
      return true
    }

    mutating func digit() -> Int64? {
      guard let byte = rest.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else {
        return nil
      }
      rest.removeFirst()
      return Int64(byte - UInt8(ascii: "0"))
    }

    mutating func number(_ digits: Int) -> Int64? {
      var value: Int64 = 0
      for _ in 0..<digits {
        guard let digit = digit() else { return nil }
        value = value * 10 + digit
      }
      return value
    }

    /// Milliseconds of ".123456", 0 when there is no point.
    mutating func fraction() -> Int64? {
      guard skip(".") else { return 0 }
      guard let first = digit() else { return nil }
      let (second, third) = (digit(), digit())
      while digit() != nil {}
      return first * 100 + (second ?? 0) * 10 + (third ?? 0)
    }

    /// Minutes east of UTC: "Z", "+01:00", "-05:30".
    mutating func offset() -> Int64? {
      if skip("Zz") { return 0 }
      let isWest = rest.first == UInt8(ascii: "-")
      guard skip("+-"), let hours = number(2), hours < 24, skip(":"), let minutes = number(2),
        minutes < 60
      else { return nil }
      return (hours * 60 + minutes) * (isWest ? -1 : 1)
    }
  }
}
