package import Foundation

/// A day of the proleptic Gregorian calendar.
package struct CalendarDay: Hashable, Sendable, CustomStringConvertible {
  /// Days since 1970-01-01, negative before.
  package let daysSince1970: Int64

  /// A day by its distance.
  package init(daysSince1970: Int64) {
    self.daysSince1970 = daysSince1970
  }

  /// "2026-11-30", years 0001 to 9999; nil for anything else, also for days that do not exist.
  package init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard text.utf8.count == 10, parts.map(\.utf8.count) == [4, 2, 2],
      text.utf8.allSatisfy({ "0123456789-".utf8.contains($0) }),
      let year = Int64(parts[0]), let month = Int64(parts[1]), let day = Int64(parts[2]),
      year >= 1, (1...12).contains(month), (1...31).contains(day)
    else { return nil }
    daysSince1970 = Self.days(year, month, day)
    guard description == text else { return nil }  // 2026-02-30 comes back as 2026-03-02.
  }

  /// Days since 1970-01-01 of a date. The year begins in March, so that the leap day is its last,
  /// and 400 years are a whole cycle of 146,097 days.
  private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let year = month <= 2 ? year - 1 : year
    let (cycle, yearOfCycle) = RFC3339.floorDivide(year, by: 400)
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    let dayOfCycle = yearOfCycle * 365 + yearOfCycle / 4 - yearOfCycle / 100 + dayOfYear
    return cycle * 146_097 + dayOfCycle - 719_468
  }

  /// "2026-11-30".
  package var description: String {
    let (cycle, dayOfCycle) = RFC3339.floorDivide(daysSince1970 + 719_468, by: 146_097)
    let yearOfCycle =
      (dayOfCycle - dayOfCycle / 1460 + dayOfCycle / 36_524 - dayOfCycle / 146_096) / 365
    let dayOfYear = dayOfCycle - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100)
    let march = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * march + 2) / 5 + 1
    let month = march < 10 ? march + 3 : march - 9
    let year = cycle * 400 + yearOfCycle + (month <= 2 ? 1 : 0)
    let parts = [(year, 4), (month, 2), (day, 2)].map { RFC3339.padded($0.0, to: $0.1) }
    return parts.joined(separator: "-")
  }

  /// The first instant of the day in a time zone, in milliseconds since 1970-01-01T00:00:00Z; on a
  /// day that begins with a change of the clocks this is not midnight.
  package func start(in zone: TimeZone) -> Int64 {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    // The noon of a day exists in every zone, within half a day of the noon of UTC.
    let noonUTC = Double(daysSince1970) * 86_400 + 43_200
    let offset = zone.secondsFromGMT(for: Date(timeIntervalSince1970: noonUTC))
    let noon = Date(timeIntervalSince1970: noonUTC - Double(offset))
    return Int64(calendar.startOfDay(for: noon).timeIntervalSince1970) * 1000
  }
}

extension RFC3339 {
  /// "2026-11-30 22:28:05" in a time zone, for tables; programs get ``text(_:)``.
  package static func localText(_ milliseconds: Int64, in zone: TimeZone) -> String {
    let date = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    let local = milliseconds + Int64(zone.secondsFromGMT(for: date)) * 1000
    return String(text(local).prefix(19)).replacing("T", with: " ")
  }
}

/// A time in a JSON document: RFC 3339, UTC, milliseconds.
package struct JSONTime: Encodable, Hashable, Sendable {
  /// Since 1970-01-01T00:00:00Z.
  package let milliseconds: Int64

  /// A time by its distance.
  package init(milliseconds: Int64) { self.milliseconds = milliseconds }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(RFC3339.text(milliseconds))
  }
}
