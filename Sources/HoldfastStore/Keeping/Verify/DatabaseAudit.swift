import HoldfastModel
import HoldfastSQLite

/// Checks the database by itself: SQLite's own check, then what our tables promise each other.
///
/// Invariant: each part is checked even if another is damaged. Nothing is written; no snapshot is
/// longer than one query, but that of SQLite's own check.
struct DatabaseAudit {
  /// The store, open for reading.
  let reader: StoreReader

  /// Problems told of one kind at most; the rest is a number.
  static let told: UInt64 = 50

  /// Everything that is wrong.
  func run() throws(HoldfastError) -> [DatabaseProblem] {
    var problems = try lost()
    problems += try part("The schema") { () throws(HoldfastError) in try schema() }
    problems += try part("SQLite's check") { () throws(HoldfastError) in try integrity() }
    problems += try part("The counters of takes") { () throws(HoldfastError) in try counters() }
    problems += try part("The log") { () throws(HoldfastError) in try chains() }
    // What a newer version derives is not ours to say.
    guard reader.schemaVersion <= Migrator.currentVersion else { return problems }
    problems += try part("The derived rows") { () throws(HoldfastError) in try projections() }
    problems += try part("The rows of transcripts") { () throws(HoldfastError) in
      try reader.read { try SpeechAudit.problems($0) }
    }
    problems += try part("The rows of tasks") { () throws(HoldfastError) in
      try reader.read { try TaskAudit.problems($0) }
    }
    return problems
  }

  /// A part that the damage itself keeps from being checked is a finding.
  private func part(
    _ name: String, _ body: () throws(HoldfastError) -> [DatabaseProblem]
  ) throws(HoldfastError) -> [DatabaseProblem] {
    do throws(HoldfastError) { return Self.bounded(try body()) } catch {
      guard error.isDamage else { throw error }
      return [.init(.unreadable, "\(name) cannot be read: \(error.message)")]
    }
  }

  private static func bounded(_ problems: [DatabaseProblem]) -> [DatabaseProblem] {
    guard UInt64(problems.count) > told, let last = problems.last else { return problems }
    let kept = problems.prefix(Int(told))
    return kept + [.init(last.code, "… and \(problems.count - kept.count) more of this kind.")]
  }

  /// Commits that launches noted and the database has not (J6).
  private func lost() throws(HoldfastError) -> [DatabaseProblem] {
    let found = try part("The settings") { () throws(HoldfastError) in
      let (store, stored) = try reader.read { db in
        (
          try Settings.blob(Settings.store, db).flatMap { StoreID($0) },
          try Settings.unsigned(Settings.commitNumber, db) ?? 0
        )
      }
      guard let store,
        let lost = LostCommits.find(
          reader.logs, store: store, boot: reader.environment.clock.now().boot, stored: stored)
      else { return [] }
      return [
        .init(
          .commitsLost,
          "The database lacks the last \(CountedNoun.text(lost, "commit")): its write-ahead log "
            + "was damaged, cut or removed. The next opening for writing takes the audio from the "
            + "reels.")
      ]
    }
    return found
  }

  private func schema() throws(HoldfastError) -> [DatabaseProblem] {
    guard reader.schemaVersion <= Migrator.currentVersion else { return [] }
    if try reader.read({ try SchemaCheck.isOurs($0) }) { return [] }
    return [.init(.schema, "The tables are not those of schema \(Migrator.currentVersion).")]
  }

  private func integrity() throws(HoldfastError) -> [DatabaseProblem] {
    try reader.read { db in
      try db.integrityProblems(limit: Int32(Self.told), quick: false).map { .init(.integrity, $0) }
        + db.foreignKeyProblems().map { .init(.reference, $0) }
    }
  }

  private func counters() throws(HoldfastError) -> [DatabaseProblem] {
    var problems: [DatabaseProblem] = []
    var after = Int64.min
    while true {
      let from = after
      let page = try reader.read { db in
        try db.all(
          "SELECT key FROM take WHERE key > ?1 ORDER BY key LIMIT 256", [.integer(from)]
        ) { $0.int64(0) }
      }
      for key in page {
        let wrong = try reader.read { try Self.wrongCounters(key, $0) }
        if let wrong {
          problems.append(.init(.counters, "The counters of take \(wrong) are not its rows'."))
        }
      }
      guard let last = page.last else { break }
      after = last
    }
    let strays = try reader.read { db in
      try db.first(
        "SELECT count(*) FROM chunk WHERE take_key NOT IN (SELECT key FROM take)"
      ) { $0.uint64(0) } ?? 0
    }
    if strays > 0 { problems.append(.init(.reference, "\(strays) chunks have no take.")) }
    return problems
  }

  /// The take's id when its counters are not those of its rows.
  static func wrongCounters(_ key: Int64, _ db: borrowing Connection) throws -> String? {
    try db.first(
      """
      SELECT t.id FROM take t WHERE t.key = ?1 AND (t.chunks, t.frames, t.bytes, t.end_frame) <>
        (SELECT count(*), coalesce(sum(frames), 0), coalesce(sum(bytes), 0),
          coalesce(max(first_frame + frames), 0) FROM chunk WHERE take_key = ?1)
      """, [.integer(key)]
    ) { Hex.encode($0.blob(0)) }
  }

  private func chains() throws(HoldfastError) -> [DatabaseProblem] {
    let vector = try reader.read { try OriginRow.all($0) }
    let audit = ChainAudit(hashing: reader.environment.hashing)
    var problems: [DatabaseProblem] = []
    for row in vector {
      problems += try audit.problems(of: row) { body throws(HoldfastError) in
        try reader.read(body)
      }
    }
    let strays = try reader.read { db in
      try db.all(
        """
        SELECT c.origin FROM change c LEFT JOIN origin o ON o.id = c.origin
        GROUP BY c.origin HAVING o.id IS NULL OR max(c.sequence) > o.sequence
        """
      ) { Hex.encode($0.blob(0)) }
    }
    return problems
      + strays.map { .init(.vector, "There are changes of origin \($0) that the vector lacks.") }
  }

  private func projections() throws(HoldfastError) -> [DatabaseProblem] {
    let hashing = reader.environment.hashing
    let audit = try StoreFaults.mapped(":memory:") { try ProjectionAudit(hashing: hashing) }
    var problems: [DatabaseProblem] = []
    var after: [UInt8] = []
    while true {
      let from = after
      let page = try reader.read { try ProjectionAudit.recordings(after: from, limit: 256, $0) }
      for id in page {
        let snapshot = try reader.read { try ProjectionAudit.snapshot(of: id, $0) }
        problems += try StoreFaults.mapped(reader.layout.database) { () throws in
          do { return try audit.problems(of: id, snapshot) } catch let fault as MalformedBytes {
            let name = Hex.encode(id)
            return [.init(.change, "A change of recording \(name): \(fault.description).")]
          }
        }
      }
      guard let last = page.last else { break }
      after = last
    }
    return problems
  }
}
