package import HoldfastModel
package import HoldfastSQLite

/// What earlier launches left and nobody acknowledged.
package struct Outstanding: Hashable, Sendable {
  /// A recording that recovery dealt with, however often.
  package struct Recovered: Hashable, Sendable {
    /// The recording as it is now.
    package var summary: RecordingSummary
    /// The launch that captured it last, if that is known.
    package var launch: LaunchID?
    /// When it was last recovered, milliseconds since 1970.
    package var foundMilliseconds: Int64
    /// Chunks that had a row.
    package var indexedChunks: UInt64
    /// Chunks found in the reels beyond the rows.
    package var salvagedChunks: UInt64
    /// Damaged stretches met on the way.
    package var damaged: UInt64
    /// The most that is missing at the ends of its takes, nanoseconds.
    package var lostAtMostNanoseconds: Int64

    /// The recording.
    package var recording: RecordingID { summary.id }
  }

  /// Launches that ended otherwise than they should, newest first.
  package var launches: [LaunchInfo]
  /// In the order in which they were recovered; those that were purged since are not told.
  package var recordings: [Recovered]
  /// Deferred work that was begun, that waits for a person, or that is left of these recordings.
  package var tasks: [TaskView]
  /// Oldest first.
  package var attention: [Attention]

  /// Whether there is nothing to acknowledge. Work that is left is not: it goes on by itself.
  package var isEmpty: Bool { launches.isEmpty && recordings.isEmpty && attention.isEmpty }

  /// Whether something may be missing: a recording that a dead launch left, or lost commits. A
  /// launch that died without one, or a copied store, is told but is no loss.
  package var hasLoss: Bool {
    !recordings.isEmpty || attention.contains { !Self.harmless.contains($0.code) }
  }

  /// Whether audio cannot be read now; an opening that can read it goes on with it.
  package var isWaiting: Bool { attention.contains { $0.code == Attention.waiting } }

  private static let harmless: Set<String> = ["copied", Attention.waiting]

  /// Reads it; of a store that nobody recovered yet, what recovery would leave.
  package static func read(_ reader: StoreReader) throws(HoldfastError) -> Outstanding {
    var found = try reader.read { try read($0) }
    // What a preview found is in no row.
    found.attention = reader.report.attention
    return found
  }

  /// Reads what stands in a database.
  package static func read(_ db: borrowing Connection) throws -> Outstanding {
    let recordings = try recovered(db)
    return Outstanding(
      launches: try LaunchList.rows(db).filter { $0.ending != nil && !$0.isAcknowledged },
      recordings: recordings, tasks: try TaskRows.left(with: Set(recordings.map(\.recording)), db),
      attention: try AttentionRow.open(db))
  }

  private static func recovered(_ db: borrowing Connection) throws -> [Recovered] {
    // Of the columns that are not summed, SQLite takes the row with the maximum.
    let rows = try db.all(
      """
      SELECT recording, launch, max(found_ms), sum(indexed), sum(salvaged), sum(damaged),
        sum(lost_ns)
      FROM recovery WHERE acknowledged = 0 GROUP BY recording ORDER BY max(found_ms), recording
      """
    ) { row -> Recovered? in
      guard let recording = RecordingID(row.blob(0)) else {
        throw HoldfastError(.damaged, "A row of a recovery has no whole id.")
      }
      return try RecordingRows.one(recording, db).map {
        Recovered(
          summary: $0, launch: LaunchID(row.blob(1)), foundMilliseconds: row.int64(2),
          indexedChunks: row.uint64(3), salvagedChunks: row.uint64(4), damaged: row.uint64(5),
          lostAtMostNanoseconds: row.int64(6))
      }
    }
    return rows.compactMap(\.self)
  }
}
