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
    var rows = [row("recordings") { "\($0.log.fates.count)" }]
    for (name, moment) in [("transcript", \MonthLog.Fate.transcript), ("summary", \.summary)] {
      for bound in Self.bounds {
        rows.append(
          row("\(name) within \(bound.name) of the stop") {
            share($0) { $0.after(moment).map { $0 <= bound.seconds } ?? false }
          })
      }
      rows.append(
        row("\(name) by the end of the next opening") { column in
          share(column) { fate in
            let next = column.openings.first { $0.lowerBound > fate.stopped }?.upperBound
            return fate[keyPath: moment].map { $0 <= next ?? .infinity } ?? false
          }
        })
      rows.append(row("\(name) never") { share($0) { $0[keyPath: moment] == nil } })
      rows.append(row("median time to the \(name)") { quantile(0.5, $0, moment) })
      rows.append(row("95th percentile of it") { quantile(0.95, $0, moment) })
    }
    rows.append(
      row("units computed twice") { $0.log.units > 0 ? "\($0.log.again) of \($0.log.units)" : "" })
    rows.append(row("processes that ended") { "\($0.ends)" })
    return (["| | before | after |", "|---|---:|---:|"] + rows).joined(separator: "\n")
  }

  /// How the processes of the design with checkpoints ended, and what the next launch said of it.
  var verdicts: String {
    let rows = after.log.verdicts.sorted { $0.key < $1.key }.map { "| \($0.key) | \($0.value) |" }
    return (["| an end → what the next launch says | |", "|---|---:|"] + rows)
      .joined(separator: "\n")
  }

  private func row(_ name: String, _ value: (Column) -> String) -> String {
    "| \(name) | \(value(before)) | \(value(after)) |"
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
