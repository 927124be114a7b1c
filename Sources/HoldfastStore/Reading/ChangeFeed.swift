package import HoldfastModel
package import HoldfastSQLite

/// Reads which recordings have changes after a local number: the durable cursor.
package enum ChangeFeed {
  /// Recordings that changed, and how far the log was read.
  package struct Page: Hashable, Sendable {
    package var store: String
    /// Each once, in the order of their latest change.
    package var recordings: [RecordingID]
    /// The number to go on from.
    package var ordinal: Int64
  }

  /// Everything after a number, in one snapshot.
  package static func page(
    after ordinal: Int64, store: String, _ db: borrowing Connection
  ) throws -> Page {
    let rows = try db.all(
      """
      SELECT recording, max(ordinal) FROM change WHERE ordinal > ?1 AND recording IS NOT NULL
      GROUP BY recording ORDER BY max(ordinal)
      """, [.integer(ordinal)]
    ) { (RecordingID($0.blob(0)), $0.int64(1)) }
    return Page(
      store: store, recordings: rows.compactMap(\.0), ordinal: rows.last?.1 ?? ordinal)
  }
}
