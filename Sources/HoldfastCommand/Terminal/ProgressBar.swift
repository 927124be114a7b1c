/// A line that is drawn again in place. Pure: it is told the time and the width, and answers with
/// the bytes to write. Drawn at most ten times a second; once it is erased it starts afresh.
package struct ProgressBar: Sendable {
  private var start: (time: UInt64, done: Double)?
  private var drawn: UInt64?
  private static let period: UInt64 = 100_000_000
  private static let bar = 20

  package init() {}

  /// Whether something stands on the screen.
  package var isVisible: Bool { drawn != nil }

  /// The bytes that show the reading, or nil when it is too early to draw again.
  ///
  /// - Parameters:
  ///   - now: nanoseconds of a clock that does not step.
  ///   - columns: of the terminal; the line stays one column short, or some terminals wrap it.
  package mutating func draw(_ reading: ProgressReading, now: UInt64, columns: Int) -> String? {
    let start = start ?? (now, reading.done)
    self.start = start
    if let drawn, now < drawn &+ Self.period { return nil }
    drawn = now
    let seconds = Double(now - min(start.time, now)) / 1e9
    let rate = seconds >= 1 ? (reading.done - start.done) / seconds : nil
    return "\r" + Self.line(reading, rate: rate, columns: columns - 1) + "\u{1B}[K"
  }

  /// The bytes that clear the line; empty when nothing is drawn.
  package mutating func erase() -> String {
    defer { (start, drawn) = (nil, nil) }
    return isVisible ? "\r\u{1B}[K" : ""
  }

  /// The line: label, bar, part done, amounts, rate, time left. Where it is too narrow, the label
  /// gives way down to twelve columns, then the others are dropped from the end.
  static func line(_ reading: ProgressReading, rate: Double?, columns: Int) -> String {
    var parts = details(reading, rate)
    let label = visible(reading.label)
    let least = min(DisplayWidth.of(label), 12)
    while !parts.isEmpty, least + width(parts) > columns {
      parts.removeLast()
    }
    let cut = DisplayWidth.truncate(label, to: max(0, columns - width(parts)))
    return parts.reduce(cut) { $0 + "  " + $1 }
  }

  private static func width(_ parts: [String]) -> Int {
    parts.reduce(0) { $0 + 2 + DisplayWidth.of($1) }
  }

  private static func details(_ reading: ProgressReading, _ rate: Double?) -> [String] {
    var parts: [String] = []
    if let fraction = reading.fraction {
      let full = Int(fraction * Double(bar))
      let percent = String(Int(fraction * 100))
      parts.append(DisplayWidth.pad(percent, to: 3, right: true) + " %")
      parts.append(
        "[" + String(repeating: "#", count: full) + String(repeating: "-", count: bar - full) + "]")
    }
    let amount = reading.amount(reading.done)
    parts.append(reading.total.map { "\(amount) of \(reading.amount($0))" } ?? amount)
    guard let rate, rate > 0 else { return parts }
    parts.append(reading.rate(rate))
    if let total = reading.total {
      let left = (max(0, total - reading.done) / rate).rounded(.up)
      parts.append((left < 60 ? "\(UInt64(left)) s" : Units.duration(left)) + " left")
    }
    return parts
  }
}
