import Foundation
import Holdfast
import HoldfastSQLite

/// Hours of talk as they stand in the tables of search, and the same lines in FTS5 alone. They are
/// put there by SQL: what is measured is reading.
final class SpeechCorpus {
  static let linesAnHour: Int64 = 900

  let pad: Scratchpad
  let directory: String
  let raw: Connection

  init(hours: Int64) throws {
    pad = try Scratchpad()
    directory = pad.path("store")
    raw = try Connection(path: pad.path("raw.sqlite"), OpenOptions(access: .create))
    try raw.execute(
      """
      PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF;
      CREATE VIRTUAL TABLE t USING fts5 (text, tokenize = 'unicode61 remove_diacritics 2')
      """)
    let (writer, _) = try StoreOpening.open(directory, StoreOptions(), .system())
    defer { writer.close() }
    var talk = Talk(seed: 7)
    for hour in 0..<hours {
      let lines = (0..<Self.linesAnHour).map { _ in talk.line() }
      try writer.database.commit(.repeatable) { db in
        try Self.add(lines, hour: hour, origin: try OriginRow.current(db).id, db)
      }
      writer.checkpointIfDue()
      try raw.transaction(.write) {
        for line in lines { try raw.run("INSERT INTO t (text) VALUES (?1)", [.text(line)]) }
      }
    }
  }

  /// Words as people use them: the word of rank n is said 1/n as often as the first.
  private struct Talk {
    private static let words = 20_000
    private static let wordsALine = 10
    private var random: SplitMix

    init(seed: UInt64) { random = SplitMix(state: seed) }

    mutating func line() -> String {
      var words: [String] = []
      for _ in 0..<Self.wordsALine {
        let unit = Double(random.next() >> 11) / Double(UInt64(1) << 53)
        words.append("w\(Int64(exp(unit * log(Double(Self.words)))))")
      }
      return words.joined(separator: " ")
    }
  }

  private static func add(
    _ lines: [String], hour: Int64, origin: OriginID, _ db: borrowing Connection
  ) throws {
    let id = RecordingID(high: 77, low: UInt64(hour)).bytes
    let start = 1_700_000_000_000 + hour * 7_200_000
    try db.run(
      """
      INSERT INTO recording (id, title, state, reason, state_ms, recovered, started_ms, origin,
        deleted, purged) VALUES (?1, 'meeting', 'stopped', 'stop', ?2, 0, ?2, ?3, 0, 0)
      """, [.blob(id), .integer(start), .blob(origin.bytes)])
    try db.run(
      "INSERT INTO track (id, recording, ordinal, name) VALUES (?1, ?1, 0, 'mic')", [.blob(id)])
    try db.run(
      """
      INSERT INTO take (id, recording, track, position, encoding, sample_rate, channels,
        frame_bytes, packet_frames, codec, start_ns, known, opened_ms)
      VALUES (?1, ?1, ?1, 0, 's16le', 8000, 1, 2, 1, x'', 0, 'monotonic', 0)
      """, [.blob(id)])
    try db.run(
      "INSERT INTO transcript (recording, slot, started_ms) VALUES (?1, ?2, ?2)",
      [.blob(id), .integer(start)])
    // The last line has the smallest key, as everywhere in the store.
    for (number, text) in lines.enumerated().reversed() {
      let key = start << 21 | (1 << 21) - 1 - Int64(number)
      let frame = Int64(number) * 32_000
      try db.run(
        "INSERT INTO speech VALUES (?1, ?2, ?2, ?3, ?4, 'Anna', ?5)",
        [.integer(key), .blob(id), .integer(frame), .integer(frame + 30_000), .text(text)])
      try db.run(
        "INSERT INTO speech_words (rowid, text) VALUES (?1, ?2)", [.integer(key), .text(text)])
    }
  }
}

/// SplitMix64: the same numbers for the same seed everywhere.
struct SplitMix {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
