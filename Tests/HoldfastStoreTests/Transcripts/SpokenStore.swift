import HoldfastModel
import HoldfastSQLite
import HoldfastStore
import Testing

/// Transcripts in a ``KeptStore``.
extension KeptStore {
  /// Segments of whole seconds on a take of 8 kHz.
  static func say(
    _ lines: [(seconds: Range<UInt64>, text: String, cluster: String)], take: TakeID,
    track: TrackID
  ) -> [PassSegment] {
    lines.map { line in
      PassSegment(
        take: take, track: track, firstFrame: line.seconds.lowerBound * 8_000,
        endFrame: line.seconds.upperBound * 8_000, text: line.text, cluster: line.cluster)
    }
  }

  func track(of take: TakeID, _ writer: StoreWriter) throws -> TrackID {
    let found = try writer.database.read { db in
      try db.first("SELECT track FROM take WHERE id = ?1", [.blob(take.bytes)]) {
        TrackID($0.blob(0))
      } ?? nil
    }
    return try #require(found)
  }

  /// A pass whose units, of ten seconds each, say the given texts, one a second.
  @discardableResult
  func speak(
    _ units: [[(text: String, cluster: String)]], quality: Int32 = 0, live: Bool = false,
    closed: Bool = true, on made: (recording: RecordingID, take: TakeID), _ writer: StoreWriter
  ) throws -> PassID {
    let track = try track(of: made.take, writer)
    return try writer.database.commit { db in
      let draft = PassDraft(engine: "test", version: 1, quality: quality, isLive: live)
      let pass = try PassWriting.open(draft, of: made.recording, writer.log, db)
      for (number, unit) in units.enumerated() {
        try PassWriting.append(
          Self.unit(UInt64(number), unit, made.take, track), to: pass, of: made.recording,
          writer.log, db)
      }
      if closed { try PassWriting.close(pass, of: made.recording, writer.log, db) }
      return pass
    }
  }

  static func unit(
    _ number: UInt64, _ lines: [(text: String, cluster: String)], _ take: TakeID, _ track: TrackID
  ) -> TranscriptUnit {
    let start = number * 10
    let said = lines.enumerated().map { index, line in
      (start + UInt64(index)..<start + UInt64(index) + 1, line.text, line.cluster)
    }
    return TranscriptUnit(
      number: number,
      coveredNanoseconds: Int64(start) * 1_000_000_000..<Int64(start + 10) * 1_000_000_000,
      segments: say(said, take: take, track: track))
  }

  func shown(_ recording: RecordingID, _ writer: StoreWriter) throws -> ShownTranscript {
    try writer.database.read { try TranscriptReading.current(of: recording, $0) }
  }

  func texts(_ recording: RecordingID, _ writer: StoreWriter) throws -> [String] {
    try shown(recording, writer).segments.map(\.text)
  }

  func hits(_ words: String, _ writer: StoreWriter, limit: UInt64 = 20) throws -> [SearchHit] {
    try writer.database.read { try SpeechSearch.run(SearchRequest(words, limit: limit), $0) }
  }

  /// Fails when what verification compares is not what the changes give.
  func expectSound() throws {
    let problems = try reader().databaseProblems()
    #expect(problems.isEmpty, "\(problems)")
    // SQLite compares its index with the lines, word by word.
    try tamper("INSERT INTO speech_words (speech_words, rank) VALUES ('integrity-check', 1)")
  }
}
