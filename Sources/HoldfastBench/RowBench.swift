import CHoldfastBench
import Foundation
import Holdfast
import HoldfastSQLite

/// Rows of the size of a transcript's segments through the wrapper, against the C interface.
enum RowBench {
  static func run(_ settings: Settings) async throws -> [Measured] {
    var single: [Double] = []
    var batched: [Double] = []
    for _ in 0..<settings.runs {
      single.append(try ratio(count: settings.quick ? 500 : 3000, batch: 1, synchronous: 1))
      batched.append(try ratio(count: settings.quick ? 5000 : 60_000, batch: 100, synchronous: 1))
    }
    return [
      Measured("200-byte rows, one a transaction", single, atLeast: 0.85, unit: "× SQLite from C"),
      Measured("200-byte rows, 100 a transaction", batched, atLeast: 0.85, unit: "× SQLite from C"),
    ]
  }

  private static func ratio(count: Int64, batch: Int64, synchronous: Int32) throws -> Double {
    let pad = try Scratchpad()
    let floor = unsafe hf_floor_rows(pad.path("floor.sqlite"), count, batch, synchronous)
    guard floor > 0 else { throw BenchFailure("the floor failed") }
    let ours = try swift(pad.path("ours.sqlite"), count: count, batch: batch)
    return Double(floor) / ours
  }

  private static let insertion = """
    INSERT INTO segment (recording, start, finish, text, speaker) VALUES (?1, ?2, ?3, ?4, ?5)
    """

  /// Nanoseconds.
  private static func swift(_ path: String, count: Int64, batch: Int64) throws -> Double {
    var options = OpenOptions()
    options.access = .create
    let db = try Connection(path: path, options)
    try db.execute(
      """
      PRAGMA journal_mode=WAL;
      CREATE TABLE segment (id INTEGER PRIMARY KEY, recording BLOB NOT NULL, start INTEGER,
        finish INTEGER, text TEXT NOT NULL, speaker TEXT) STRICT;
      """)
    try db.setSynchronous(.normal)
    let recording: [UInt8] = [1, 2, 3] + Array(repeating: 0, count: 13)
    let text = String(repeating: "w", count: 160)
    let start = ContinuousClock.now
    for first in stride(from: 0, to: count, by: Int(batch)) {
      try db.transaction(.write) {
        for index in first..<min(first + batch, count) {
          try db.run(
            insertion,
            [
              .blob(recording), .integer(index * 1000), .integer(index * 1000 + 900), .text(text),
              .text("speaker"),
            ])
        }
      }
    }
    return (ContinuousClock.now - start).seconds * 1e9
  }
}
