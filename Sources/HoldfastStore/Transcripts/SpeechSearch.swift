package import HoldfastModel
package import HoldfastSQLite

/// What is looked for.
package struct SearchRequest: Hashable, Sendable {
  /// The user's words: each must occur; a `*` after a word takes every word that begins so; all
  /// else is taken literally.
  package var words: String
  /// Only in this recording.
  package var recording: RecordingID?
  /// Only in recordings that began at or after this time, milliseconds since 1970.
  package var sinceMilliseconds: Int64?
  /// Only in recordings that began before this time, milliseconds since 1970.
  package var untilMilliseconds: Int64?
  /// At most so many.
  package var limit: UInt64

  package init(_ words: String, limit: UInt64 = 20) {
    self.words = words
    self.limit = limit
  }
}

/// A line in which the words occur.
package struct SearchHit: Hashable, Sendable {
  package var recording: RecordingID
  package var title: String
  /// When the recording began, milliseconds since 1970.
  package var startedMilliseconds: Int64
  /// Recording time.
  package var startSeconds: Double
  package var endSeconds: Double
  /// The whole line as it is shown.
  package var text: String
  /// What stands around the words; the line itself where it is short.
  package var snippet: String
  package var speaker: String?
}

/// Full-text search in the current transcripts of all recordings that are not in the trash.
package enum SpeechSearch {
  /// Words of text in a snippet.
  private static let snippetWords: UInt32 = 24

  /// Lines with all the words, the newest recording first, and by time within it.
  ///
  /// - Throws: `invalidArgument` when there is no word to look for.
  package static func run(
    _ request: SearchRequest, _ db: borrowing Connection
  ) throws -> [SearchHit] {
    guard let match = SearchWords.expression(request.words) else {
      throw HoldfastError(
        .invalidArgument, "There is no word to search for in \"\(request.words)\".",
        hint: "Give letters or digits; a * after a word finds every word that begins so.")
    }
    // The keys are the order, so that nothing is sorted, and nothing is read after the last hit.
    var sql = """
      SELECT t.recording, r.title, r.started_ms, k.start_ns, k.sample_rate, s.first_frame,
        s.end_frame, s.text, snippet(speech_words, 0, '', '', '…', \(snippetWords)), s.speaker,
        n.name, (SELECT count(*) FROM track c WHERE c.recording = t.recording)
      FROM speech_words w
        CROSS JOIN speech s ON s.key = w.rowid
        CROSS JOIN transcript t ON t.slot = s.key >> \(SpeechKey.countBits)
        CROSS JOIN recording r ON r.id = t.recording AND r.deleted = 0 AND r.purged = 0
        CROSS JOIN take k ON k.id = s.take
        LEFT JOIN track n ON n.id = s.track
      WHERE speech_words MATCH ?1
      """
    var values: [SQLiteValue] = [.text(match)]
    func and(_ condition: String, _ value: SQLiteValue) {
      values.append(value)
      sql += " AND \(condition) ?\(values.count)"
    }
    if let recording = request.recording {
      guard let row = try TranscriptRow.one(recording, db) else { return [] }
      let keys = SpeechKey.keys(ofSlot: row.slot)
      and("w.rowid >=", .integer(keys.lowerBound))
      and("w.rowid <=", .integer(keys.upperBound))
    }
    if let since = request.sinceMilliseconds {
      and("r.started_ms >=", .integer(since))
      and("w.rowid >=", .integer(SpeechKey.first(ofStart: since)))
    }
    if let until = request.untilMilliseconds {
      and("r.started_ms <", .integer(until))
      and("w.rowid <=", .integer(SpeechKey.last(ofStart: until)))
    }
    values.append(.integer(Int64(clamping: request.limit)))
    sql += " ORDER BY w.rowid DESC LIMIT ?\(values.count)"
    return try db.all(sql, values) { try hit($0) }
  }

  private static func hit(_ row: borrowing Row) throws -> SearchHit {
    guard let recording = RecordingID(row.blob(0)) else {
      throw HoldfastError(.damaged, "A row of a transcript has no whole id.")
    }
    let start = Double(row.int64(3)) / 1e9
    let rate = row.double(4)
    let track = row.optionalText(10)
    return SearchHit(
      recording: recording, title: row.text(1), startedMilliseconds: row.int64(2),
      startSeconds: start + Double(row.uint64(5)) / rate,
      endSeconds: start + Double(row.uint64(6)) / rate, text: row.text(7), snippet: row.text(8),
      speaker: row.optionalText(9) ?? (row.int64(11) > 1 ? track : nil))
  }
}

/// The user's words as an expression of FTS5 (https://www.sqlite.org/fts5.html, section 3).
enum SearchWords {
  /// Words at most; what follows is left out. No person types more.
  private static let most = 64

  /// Every word quoted, so that none is an operator; nil when no word has a letter or a digit.
  static func expression(_ text: String) -> String? {
    let words = text.split { $0.isWhitespace }.prefix(most).compactMap(quoted)
    return words.isEmpty ? nil : words.joined(separator: " ")
  }

  private static func quoted(_ word: Substring) -> String? {
    let isPrefix = word.last == "*"
    let bare = word.unicodeScalars.filter { $0 != "\0" }
    // A word of signs alone is none to the index, and would match nothing.
    guard bare.contains(where: { $0.properties.isAlphabetic || $0.properties.numericType != nil })
    else { return nil }
    let text = String(String.UnicodeScalarView(bare)).split(
      separator: "\"", omittingEmptySubsequences: false
    ).joined(separator: "\"\"")
    return "\"\(text)\"" + (isPrefix ? "*" : "")
  }
}
