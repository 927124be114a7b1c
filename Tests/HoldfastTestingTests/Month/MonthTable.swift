import HoldfastTesting

/// Two months beside each other, as a table of Markdown.
struct MonthTable {
  struct Column {
    var log: MonthLog
    var openings: [ClosedRange<Double>]
    /// Processes that ended.
    var ends: UInt32
  }

  let before, after: Column

  /// Seconds within which something is there after its recording's stop.
  private static let bounds: [(name: String, seconds: Double)] = [
    ("one unit (12 s)", 12), ("1 min", 60), ("10 min", 600), ("1 h", 3_600),
  ]

  var text: String {
    var rows = Self.bounds.map { bound in
      row("within \(bound.name) of the stop") { column, moment in
        share(column) { $0.after(moment).map { $0 <= bound.seconds } ?? false }
      }
    }
    rows.append(
      row("by the end of the next opening") { column, moment in
        share(column) { fate in
          let next = column.openings.first { $0.lowerBound > fate.stopped }?.upperBound
          return fate[keyPath: moment].map { $0 <= next ?? .infinity } ?? false
        }
      })
    rows.append(row("never") { column, moment in share(column) { $0[keyPath: moment] == nil } })
    rows.append(row("median") { quantile(0.5, $0, $1) })
    rows.append(row("95th percentile") { quantile(0.95, $0, $1) })
    let head = "| \(after.log.fates.count) recordings "
    return
      ([
        head + "| transcript before | after | summary before | after |",
        "|---|---:|---:|---:|---:|",
      ] + rows + ["", "Units computed twice: \(after.log.again) of \(after.log.units)."])
      .joined(separator: "\n")
  }

  /// How the processes of the design with checkpoints ended, and what the next launch said of it.
  var verdicts: String {
    let rows = after.log.verdicts.sorted { $0.key < $1.key }.map { "| \($0.key) | \($0.value) |" }
    return (["| an end → what the next launch says | |", "|---|---:|"] + rows)
      .joined(separator: "\n")
  }

  private func row(
    _ name: String, _ value: (Column, KeyPath<MonthLog.Fate, Double?>) -> String
  ) -> String {
    let cells = [\MonthLog.Fate.transcript, \.summary].flatMap { moment in
      [before, after].map { value($0, moment) }
    }
    return "| \(name) | \(cells.joined(separator: " | ")) |"
  }

  private func share(_ column: Column, _ isSo: (MonthLog.Fate) -> Bool) -> String {
    let count = column.log.fates.values.filter(isSo).count
    let all = max(column.log.fates.count, 1)
    return "\(count) (\((count * 100 + all / 2) / all) %)"
  }

  /// A quantile by rank; what never came is later than everything.
  private func quantile(
    _ share: Double, _ column: Column, _ moment: KeyPath<MonthLog.Fate, Double?>
  ) -> String {
    let times = column.log.fates.values.map { $0.after(moment) ?? .infinity }.sorted()
    guard !times.isEmpty else { return "" }
    let index = min(Int(Double(times.count) * share), times.count - 1)
    return Self.duration(times[index])
  }

  static func duration(_ seconds: Double) -> String {
    switch seconds {
    case .infinity: "never"
    case ..<90: "\((seconds * 10).rounded() / 10) s"
    case ..<5_400: "\((seconds / 6).rounded() / 10) min"
    default: "\((seconds / 360).rounded() / 10) h"
    }
  }
}

extension MonthLog.Fate {
  /// Seconds from the stop on; nil: it never came.
  func after(_ moment: KeyPath<MonthLog.Fate, Double?>) -> Double? {
    self[keyPath: moment].map { max($0 - stopped, 0) }
  }
}
