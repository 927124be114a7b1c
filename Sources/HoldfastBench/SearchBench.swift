import Foundation
import Holdfast
import HoldfastSQLite

/// Search, newest first, against FTS5 alone with the same words.
enum SearchBench {
  static func run(_ settings: Settings) async throws -> [Measured] {
    let hours: Int64 = settings.quick ? 100 : settings.long ? 10_000 : 1_000
    let corpus = try SpeechCorpus(hours: hours)
    let reader = try ReaderOpening.open(
      corpus.directory, temporary: corpus.pad.root.path, .system())
    let name = "search in \(hours) hours, newest 20"
    var rows: [Measured] = []
    var all: [Double] = []
    var worst = (ratio: 0.0, words: "", note: "")
    for words in queries {
      let (ratios, note) = try ratios(words, reader, corpus, runs: settings.runs * 5)
      let median = ratios.sorted()[ratios.count / 2]
      all.append(median)
      if median > worst.ratio { worst = (median, words, note) }
    }
    rows.append(Measured("\(name): the median query", all, atMost: 2, unit: "× raw FTS5"))
    rows.append(
      Measured(
        "\(name): the worst query, \"\(worst.words)\"", [worst.ratio], atMost: 2,
        unit: "× raw FTS5", note: worst.note))
    return rows
  }

  /// Common words, rare ones, several, prefixes; and one that nobody said.
  private static let queries = [
    "w1", "w2 w3", "w40", "w900 w2", "w15000", "w19*", "w7777 w1", "w3 w5 w8", "w123 w456", "w1*",
    "nobody",
  ]

  private static func ratios(
    _ words: String, _ reader: StoreReader, _ corpus: SpeechCorpus, runs: Int
  ) throws -> ([Double], String) {
    let match = words.split(separator: " ").map { word in
      word.hasSuffix("*") ? "\"\(word.dropLast())\"*" : "\"\(word)\""
    }.joined(separator: " ")
    var ratios: [Double] = []
    var note = ""
    // The first round warms the caches of both and is not counted.
    for run in 0...runs {
      var hits: (ours: Int, raw: Int) = (0, 0)
      let before = ContinuousClock.now
      hits.raw = try corpus.raw.all(
        """
        SELECT rowid, text, snippet(t, 0, '', '', '…', 24) FROM t WHERE t MATCH ?1
        ORDER BY rowid DESC LIMIT 20
        """, [.text(match)]
      ) { ($0.int64(0), $0.text(1), $0.text(2)) }.count
      let raw = before.nanosecondsUntilNow
      let start = ContinuousClock.now
      hits.ours = try reader.read { try SpeechSearch.run(SearchRequest(words), $0).count }
      let ours = start.nanosecondsUntilNow
      guard hits.ours == hits.raw else { throw BenchFailure("the two found different lines") }
      if run > 0 { ratios.append(ours / raw) }
      note = String(format: "%.3f ms against %.3f ms, %d hits", ours / 1e6, raw / 1e6, hits.ours)
    }
    return (ratios, note)
  }
}
