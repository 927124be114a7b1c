import HoldfastModel
import HoldfastSQLite

/// What verification asks of the rows of transcripts.
enum SpeechAudit {
  /// The derived rows of a recording's transcripts, without what is local: keys, slots and numbers
  /// of the log.
  static let queries = [
    """
    SELECT id, kind, engine, version, quality, live, task, language, made_ms, made_counter, closed,
      words, segments
    FROM pass WHERE recording = ?1 ORDER BY id
    """,
    """
    SELECT u.pass, u.number, u.part, c.origin, c.sequence, u.start_ns, u.end_ns
    FROM pass p JOIN unit u ON u.pass = p.id LEFT JOIN change c ON c.ordinal = u.change
    WHERE p.recording = ?1 ORDER BY u.pass, u.number, u.part
    """,
    "SELECT started_ms, choice, current FROM transcript WHERE recording = ?1",
    """
    SELECT s.take, s.track, s.first_frame, s.end_frame, s.speaker, s.text
    FROM transcript t JOIN speech s
      ON s.key BETWEEN t.slot << \(SpeechKey.countBits)
        AND (t.slot << \(SpeechKey.countBits)) + \(SpeechKey.lastCount)
    WHERE t.recording = ?1
    ORDER BY s.take, s.first_frame, s.end_frame, s.track, s.speaker, s.text
    """,
  ]

  /// Rows that belong to nothing, and an index that is not that of the rows.
  static func problems(_ db: borrowing Connection) throws -> [DatabaseProblem] {
    var problems: [DatabaseProblem] = []
    let units = try count(
      "SELECT count(*) FROM unit WHERE pass NOT IN (SELECT id FROM pass)", db)
    if units > 0 {
      problems.append(.init(.reference, "\(units) units of transcripts have no pass."))
    }
    let lines = try count(
      """
      SELECT count(*) FROM speech
      WHERE (key >> \(SpeechKey.countBits)) NOT IN (SELECT slot FROM transcript)
      """, db)
    if lines > 0 {
      problems.append(.init(.reference, "\(lines) lines of transcripts have no recording."))
    }
    // Which rows the index knows stands in a table of its own; its words are in none that could be
    // compared without writing.
    let strange = try count(
      """
      SELECT (SELECT count(*) FROM speech WHERE key NOT IN (SELECT id FROM speech_words_docsize))
        + (SELECT count(*) FROM speech_words_docsize WHERE id NOT IN (SELECT key FROM speech))
      """, db)
    if strange > 0 {
      problems.append(
        .init(.projection, "The index of words is not that of \(strange) lines of transcripts."))
    }
    return problems
  }

  private static func count(_ sql: String, _ db: borrowing Connection) throws -> Int64 {
    try db.first(sql, []) { $0.int64(0) } ?? 0
  }
}
