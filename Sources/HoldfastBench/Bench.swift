import Foundation

/// `tools/bench`: what Holdfast costs, as ratios to floors that ran in the same process between its
/// own runs. Never a test: the machines are noisy.
@main
struct Bench {
  static func main() async {
    var arguments = Array(CommandLine.arguments.dropFirst())
    let json = take("--json", &arguments)
    let quick = take("--quick", &arguments)
    let long = take("--long", &arguments)
    let runs = takeNumber("--runs", &arguments) ?? (quick ? 2 : 5)
    if take("--help", &arguments) {
      print(usage)
      return
    }
    if let unknown = arguments.first(where: { $0.hasPrefix("-") }) {
      FileHandle.standardError.write(Data("bench: unknown option \(unknown)\n\(usage)\n".utf8))
      exit(2)
    }
    let settings = Settings(runs: max(runs, 1), quick: quick, long: long)
    var rows: [Measured] = []
    for work in Work.all where arguments.isEmpty || arguments.contains(work.name) {
      FileHandle.standardError.write(Data("bench: \(work.name) …\n".utf8))
      do { rows += try await work.run(settings) } catch {
        FileHandle.standardError.write(Data("bench: \(work.name): \(error)\n".utf8))
        exit(1)
      }
    }
    print(json ? Report.json(rows) : Report.text(rows))
  }

  private static let usage = """
    Usage: tools/bench [--runs N] [--quick | --long] [--json] [NAME …]

    Interleaves floors and ours, N times (5), and prints the median of the ratios of each run with
    their spread. Names: \(Work.all.map(\.name).joined(separator: ", ")).
    """

  private static func take(_ flag: String, _ arguments: inout [String]) -> Bool {
    guard let index = arguments.firstIndex(of: flag) else { return false }
    arguments.remove(at: index)
    return true
  }

  private static func takeNumber(_ option: String, _ arguments: inout [String]) -> Int? {
    guard let index = arguments.firstIndex(of: option), index + 1 < arguments.count else {
      return nil
    }
    defer { arguments.removeSubrange(index...index + 1) }
    return Int(arguments[index + 1])
  }
}

/// How much is done.
struct Settings: Sendable {
  let runs: Int
  let quick: Bool
  /// Whether what takes many minutes to prepare is prepared.
  let long: Bool
}

/// One line of the report.
struct Measured: Codable, Sendable {
  /// What was measured.
  let what: String
  /// What it should reach, as text: "≥ 1.0 × append".
  let mark: String
  /// The median over the runs.
  let median: Double
  /// The lowest and the highest.
  let low, high: Double
  /// Whether the median reaches the mark.
  let reached: Bool
  /// Absolute figures of the last run, for orientation.
  let note: String

  init(
    _ what: String, _ values: [Double], atLeast mark: Double? = nil, atMost bound: Double? = nil,
    unit: String, note: String = ""
  ) {
    let sorted = values.sorted()
    self.what = what
    median = sorted[sorted.count / 2]
    low = sorted.first ?? 0
    high = sorted.last ?? 0
    self.note = note
    if let mark {
      self.mark = "≥ \(mark) \(unit)"
      reached = median >= mark
    } else if let bound {
      self.mark = "≤ \(bound) \(unit)"
      reached = median <= bound
    } else {
      self.mark = unit
      reached = true
    }
  }
}

/// Prints what was measured.
enum Report {
  static func json(_ rows: [Measured]) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let data = (try? encoder.encode(["measured": rows])) ?? Data()
    return String(decoding: data, as: UTF8.self)
  }

  static func text(_ rows: [Measured]) -> String {
    var lines = ["| what | median | spread | mark | |", "|---|---|---|---|---|"]
    for row in rows {
      lines.append(
        "| \(row.what) | \(number(row.median)) | \(number(row.low))–\(number(row.high)) "
          + "| \(row.mark)\(row.reached ? "" : " **below**") | \(row.note) |")
    }
    return lines.joined(separator: "\n")
  }

  static func number(_ value: Double) -> String {
    value >= 100 ? String(format: "%.0f", value) : String(format: "%.2f", value)
  }
}

/// A piece of work to measure.
struct Work: Sendable {
  let name: String
  let run: @Sendable (Settings) async throws -> [Measured]

  static let all = [
    Work(name: "append", run: AppendBench.run), Work(name: "counts", run: CountBench.run),
    Work(name: "rows", run: RowBench.run), Work(name: "open", run: OpenBench.run),
    Work(name: "import", run: ImportBench.run), Work(name: "verify", run: VerifyBench.run),
    Work(name: "memory", run: MemoryBench.run), Work(name: "volume", run: VolumeBench.run),
    Work(name: "claims", run: ClaimBench.run), Work(name: "start", run: FirstTaskBench.run),
    Work(name: "search", run: SearchBench.run),
  ]
}

/// A directory of its own, on the disk of the working directory, removed afterwards.
final class Scratchpad: Sendable {
  let root: URL

  init() throws {
    let base = ProcessInfo.processInfo.environment["HOLDFAST_BENCH_DIR"] ?? ".build"
    root = URL(fileURLWithPath: base).appendingPathComponent("bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: root) }

  func path(_ name: String) -> String { root.appendingPathComponent(name).path }
}

/// Percentiles of latencies.
struct Latencies: Sendable {
  private let sorted: [Int64]

  init(_ values: [Int64]) { sorted = values.sorted() }

  func percentile(_ part: Double) -> Double {
    guard !sorted.isEmpty else { return 0 }
    return Double(sorted[min(Int(Double(sorted.count) * part), sorted.count - 1)])
  }

  var p50: Double { percentile(0.5) }
  var p99: Double { percentile(0.99) }
}
