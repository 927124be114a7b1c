import HoldfastModel
import HoldfastSQLite

/// Things that a person should know of, kept until acknowledged.
enum AttentionRow {
  static func insert(_ attention: Attention, _ db: borrowing Connection) throws {
    try db.run(
      "INSERT INTO attention (at_ms, code, message, recording) VALUES (?1, ?2, ?3, ?4)",
      [
        .integer(attention.atMilliseconds), .text(attention.code), .text(attention.message),
        attention.recording.map { .blob($0.bytes) } ?? .null,
      ])
  }

  /// Acknowledges all of a kind: each opening says anew what is so.
  static func settle(_ code: String, _ db: borrowing Connection) throws {
    try db.run(
      "UPDATE attention SET acknowledged = 1 WHERE code = ?1 AND acknowledged = 0", [.text(code)])
  }

  /// Those that nobody acknowledged yet, oldest first.
  static func open(_ db: borrowing Connection) throws -> [Attention] {
    try db.all(
      """
      SELECT code, message, recording, at_ms FROM attention WHERE acknowledged = 0 ORDER BY key
      """, []
    ) { row in
      Attention(
        code: row.text(0), message: row.text(1),
        recording: row.optionalBlob(2).flatMap { RecordingID($0) }, atMilliseconds: row.int64(3))
    }
  }
}

extension Attention {
  /// Audio that cannot be read now, and is recovered by an opening that can (J6). Not acknowledged
  /// by a person: it ends with its cause.
  package static let waiting = "waiting"
}
