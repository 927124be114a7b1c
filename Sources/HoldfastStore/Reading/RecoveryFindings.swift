import HoldfastModel
package import HoldfastSQLite

/// What earlier launches left and nobody acknowledged.
package struct RecoveryFindings: Hashable, Sendable {
  /// A recording with what recovery made of it.
  package struct Item: Hashable, Sendable {
    package var summary: RecordingSummary
    package var salvaged: SalvagedRecording
  }

  /// Launches that did not end cleanly, oldest first.
  package var launches: [EndedLaunch]
  package var recordings: [Item]
  package var attention: [Attention]

  package var isEmpty: Bool { launches.isEmpty && recordings.isEmpty && attention.isEmpty }

  /// Whether something may be missing: a recording that a dead launch left, or lost commits. A
  /// launch that died without one, or a copied store, is told but is no loss.
  package var hasLoss: Bool {
    !recordings.isEmpty || attention.contains { !Self.harmless.contains($0.code) }
  }

  /// Whether audio cannot be read now; an opening that can read it goes on with it.
  package var isWaiting: Bool { attention.contains { $0.code == Attention.waiting } }

  private static let harmless: Set<String> = ["copied", Attention.waiting]

  /// Reads them.
  package static func read(_ db: borrowing Connection) throws -> RecoveryFindings {
    RecoveryFindings(
      launches: try launches(db), recordings: try recordings(db),
      attention: try AttentionRow.open(db))
  }

  private static func launches(_ db: borrowing Connection) throws -> [EndedLaunch] {
    try db.all(
      """
      SELECT id, program, process, started_ms, ending, evidence, ended_ms FROM launch
      WHERE acknowledged = 0 AND ending IS NOT NULL ORDER BY started_ms, id
      """, []
    ) { row -> EndedLaunch? in
      guard let id = LaunchID(row.blob(0)) else { return nil }
      return EndedLaunch(
        launch: id, program: row.text(1), process: row.int64(2),
        startedMilliseconds: row.int64(3),
        ending: LaunchVerdict(
          kind: .init(rawValue: row.text(4)), evidence: row.text(5),
          atMilliseconds: row.optionalInt64(6) ?? row.int64(3)))
    }.compactMap(\.self)
  }

  private static func recordings(_ db: borrowing Connection) throws -> [Item] {
    let rows = try db.all(
      """
      SELECT recording, sum(indexed), sum(salvaged), sum(damaged), max(lost_ns) FROM recovery
      WHERE acknowledged = 0 GROUP BY recording ORDER BY max(found_ms), recording
      """, []
    ) { row -> SalvagedRecording? in
      guard let id = RecordingID(row.blob(0)) else { return nil }
      return SalvagedRecording(
        recording: id, indexedChunks: UInt64(clamping: row.int64(1)),
        salvagedChunks: UInt64(clamping: row.int64(2)), damaged: UInt64(clamping: row.int64(3)),
        lostAtMostNanoseconds: row.int64(4))
    }.compactMap(\.self)
    return try rows.compactMap { salvaged in
      try RecordingRows.one(salvaged.recording, db).map {
        Item(summary: $0, salvaged: salvaged)
      }
    }
  }
}
