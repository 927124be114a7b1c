import Foundation
import Holdfast
import Testing

@Suite("Times as text")
struct TimeTextTests {
  @Test("a time is printed in UTC with milliseconds")
  func text() {
    #expect(RFC3339.text(0) == "1970-01-01T00:00:00.000Z")
    #expect(RFC3339.text(1_796_074_085_007) == "2026-11-30T21:28:05.007Z")
    #expect(RFC3339.text(-1) == "1969-12-31T23:59:59.999Z")
    #expect(RFC3339.text(951_782_400_000) == "2000-02-29T00:00:00.000Z")
  }

  @Test("what RFC 3339 allows is read")
  func reading() {
    let cases: [(String, Int64)] = [
      ("1970-01-01T00:00:00Z", 0), ("1970-01-01t00:00:00.5z", 500),
      ("1970-01-01 00:00:00.123999Z", 123), ("1970-01-01T01:00:00+01:00", 0),
      ("1969-12-31T18:30:00-05:30", 0), ("1970-01-01T00:00:00-00:00", 0),
      ("2016-12-31T23:59:60Z", 1_483_228_800_000), ("1970-01-01T00:00:00.05Z", 50),
    ]
    for (text, milliseconds) in cases { #expect(RFC3339.milliseconds(text) == milliseconds) }
  }

  @Test(
    "what RFC 3339 does not allow is not read",
    arguments: [
      "", "1970-01-01", "1970-01-01T00:00:00", "1970-01-01T24:00:00Z", "1970-01-01T00:60:00Z",
      "1970-01-01T00:00:61Z", "1970-13-01T00:00:00Z", "2026-02-29T00:00:00Z",
      "1970-01-01T00:00:00.Z", "1970-01-01T00:00:00Zx", "1970-01-01T00:00Z", "70-01-01T00:00:00Z",
      "1970-01-01T00:00:00+1:00", "1970-01-01T00:00:00+24:00", "+970-01-01T00:00:00Z",
    ])
  func refused(text: String) {
    #expect(RFC3339.milliseconds(text) == nil)
  }

  @Test("reading what was printed gives the time again, and Foundation agrees", arguments: 0..<30)
  func roundTrip(seed: UInt64) {
    var source = Seeded(seed)
    let formatter = ISO8601DateFormatter()
    formatter.formatOptions = [.withInternetDateTime]
    for _ in 0..<50 {
      // The years 1 to 9999.
      let time = Int64.random(in: -62_135_596_800_000...253_402_300_799_999, using: &source)
      #expect(RFC3339.milliseconds(RFC3339.text(time)) == time)
      guard time > -12_000_000_000_000 else { continue }  // Foundation is Julian before 1582.
      let seconds = RFC3339.text(time).prefix(19) + "Z"
      let date = formatter.date(from: String(seconds))
      #expect(
        date.map { Int64($0.timeIntervalSince1970) * 1000 } == time - (time % 1000 + 1000) % 1000)
    }
  }

  @Test("days of four centuries and a turn of the century have their own text, in order")
  func days() {
    var previous = ""
    // A step that meets every day of a year within the cycle, and all days around a century.
    let first: Int64 = -719_162
    let steps = Set(stride(from: first, to: first + 146_097, by: 13)).union(-25_600 ... -25_400)
    for day in steps.sorted() {
      let text = CalendarDay(daysSince1970: day).description
      #expect(CalendarDay(text)?.daysSince1970 == day)
      guard text > previous else {
        Issue.record("\(text) after \(previous)")
        return
      }
      previous = text
    }
  }

  @Test("a day begins with its first instant, on the night of a change of clocks too")
  func dayStart() throws {
    let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
    let day = try #require(CalendarDay("2026-10-25"))  // 25 hours long.
    let next = try #require(CalendarDay("2026-10-26"))
    #expect(next.start(in: berlin) - day.start(in: berlin) == 25 * 3_600_000)
    // Clocks went from 23:59:59 to 01:00:00 here: the day has no midnight.
    let saoPaulo = try #require(TimeZone(identifier: "America/Sao_Paulo"))
    let summer = try #require(CalendarDay("2017-10-15"))
    #expect(RFC3339.text(summer.start(in: saoPaulo)) == "2017-10-15T03:00:00.000Z")
    let line = try #require(TimeZone(secondsFromGMT: 14 * 3600))
    #expect(
      try #require(CalendarDay("2026-01-01")).start(in: line) == 1_767_225_600_000 - 50_400_000)
  }

  @Test("a table shows local time")
  func local() throws {
    let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
    #expect(RFC3339.localText(1_796_074_085_007, in: berlin) == "2026-11-30 22:28:05")
  }
}
