package import HoldfastModel
import HoldfastSQLite

/// Verdicts on earlier launches in the light of what the system reports (L2).
extension StoreWriter {
  /// Launches that are looked at, newest first. The system's reports are at most some days old.
  private static let judgedLaunches: Int64 = 500

  /// Judges anew the launches that a report explains, in one commit. The same report again changes
  /// nothing.
  ///
  /// - Returns: the verdicts that changed. A launch that was given another kind of end is to be
  ///   acknowledged again.
  /// - Throws: as ``WriterDatabase/commit(_:)``.
  package func judge(
    by report: ExitReport
  ) throws(HoldfastError) -> [LaunchID: LaunchVerdict] {
    let now = environment.clock.now().wallMilliseconds
    let found = try database.read { try Self.verdicts(report, now: now, $0) }
    guard !found.isEmpty else { return [:] }
    return try database.commit { db in
      let changed = try Self.verdicts(report, now: now, db)
      for (launch, verdict) in changed {
        try db.run(
          """
          UPDATE launch SET acknowledged = acknowledged AND ending = ?2, ending = ?2, evidence = ?3
          WHERE id = ?1
          """,
          [.blob(launch.bytes), .text(verdict.kind.rawValue), .text(verdict.evidence)])
      }
      return changed
    }
  }

  private static func verdicts(
    _ report: ExitReport, now: Int64, _ db: borrowing Connection
  ) throws -> [LaunchID: LaunchVerdict] {
    let rows = try db.all(
      """
      SELECT id, program, process, started_ms, ended_ms, ending, evidence
      FROM launch ORDER BY started_ms DESC, id LIMIT ?1
      """, [.integer(judgedLaunches)]
    ) { JudgedRow($0) }.compactMap(\.self)
    let ended = rows.filter { $0.verdict != nil }
    let launches = ended.compactMap { row -> ExitReport.Launch? in
      guard let verdict = row.verdict else { return nil }
      let last = verdict.atMilliseconds
      let next =
        rows.lazy.filter { $0.program == row.program && $0.started >= last && $0.id != row.id }
        .map(\.started).min() ?? now
      return ExitReport.Launch(
        process: row.process, ended: last...max(last, next), verdict: verdict)
    }
    return Dictionary(
      uniqueKeysWithValues: report.judge(launches).map { (ended[$0.key].id, $0.value) })
  }
}

/// A row of a launch, as far as its end is asked about.
private struct JudgedRow {
  var id: LaunchID
  var program: String
  var process: Int64
  var started: Int64
  /// Nil while it lives.
  var verdict: LaunchVerdict?

  init?(_ row: borrowing Row) {
    guard let id = LaunchID(row.blob(0)) else { return nil }
    self.id = id
    program = row.text(1)
    process = row.int64(2)
    started = row.int64(3)
    guard let ended = row.optionalInt64(4), let kind = row.optionalText(5) else { return }
    verdict = LaunchVerdict(
      kind: LaunchVerdict.Kind(rawValue: kind), evidence: row.text(6), atMilliseconds: ended)
  }
}
