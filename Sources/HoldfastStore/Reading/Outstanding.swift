package import HoldfastModel
import HoldfastSQLite

/// What earlier launches left and nobody acknowledged.
package struct Outstanding: Hashable, Sendable {
  /// A recording that recovery dealt with.
  package struct Recovered: Hashable, Sendable {
    /// The recording.
    package var recording: RecordingID
    /// The launch that captured it last, if that is known.
    package var launch: LaunchID?
    /// When it was recovered, milliseconds since 1970.
    package var foundMilliseconds: Int64
    /// Chunks that had a row.
    package var indexedChunks: UInt64
    /// Chunks found in the reels beyond the rows.
    package var salvagedChunks: UInt64
    /// Damaged stretches met on the way.
    package var damaged: UInt64
    /// The most that is missing at its end, nanoseconds.
    package var lostAtMostNanoseconds: Int64
  }

  /// Launches that ended otherwise than they should, newest first.
  package var launches: [LaunchInfo]
  /// By recording.
  package var recordings: [Recovered]
  /// Oldest first.
  package var attention: [Attention]

  /// Whether there is nothing.
  package var isEmpty: Bool { launches.isEmpty && recordings.isEmpty && attention.isEmpty }

  /// Reads it; of a store that nobody recovered yet, what recovery would leave.
  package static func read(_ reader: StoreReader) throws(HoldfastError) -> Outstanding {
    let launches = try LaunchList.read(reader).filter { $0.ending != nil && !$0.isAcknowledged }
    let recordings = try reader.read { db in
      try db.all(
        """
        SELECT recording, launch, found_ms, indexed, salvaged, damaged, lost_ns FROM recovery
        WHERE acknowledged = 0 ORDER BY recording, found_ms
        """
      ) { try recovered($0) }
    }
    return Outstanding(
      launches: launches, recordings: recordings, attention: reader.report.attention)
  }

  private static func recovered(_ row: borrowing Row) throws -> Recovered {
    guard let recording = RecordingID(row.blob(0)) else {
      throw HoldfastError(.damaged, "A row of a recovery has no whole id.")
    }
    return Recovered(
      recording: recording, launch: LaunchID(row.blob(1)), foundMilliseconds: row.int64(2),
      indexedChunks: row.uint64(3), salvagedChunks: row.uint64(4), damaged: row.uint64(5),
      lostAtMostNanoseconds: row.int64(6))
  }
}
