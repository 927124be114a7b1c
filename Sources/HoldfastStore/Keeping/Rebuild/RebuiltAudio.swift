import HoldfastModel
import HoldfastSQLite

/// Brings the rows of a rebuilt store, which is open, to what its reels hold.
struct RebuiltAudio {
  let writer: StoreWriter

  private var environment: StoreEnvironment { writer.environment }
  private var directory: String { writer.layout.directory }

  func settle(
    _ report: inout StoreRebuild.Report, _ progress: (ByteProgress) -> Void
  ) throws(HoldfastError) {
    let found = FoundAudio(layout: writer.layout, environment: environment, logs: [])
    let adopted = try writer.database.commit { db in
      try found.adoptAll(isRebuilt: true, db).recordings
    }
    report.foundRecordings += UInt64(adopted.count)
    var audit = ChunkAudit(try ReaderOpening.open(directory, temporary: directory, environment))
    try audit.run(progress)
    var indexed: UInt64 = 0
    for orphan in audit.result.orphans where orphan.kind == .chunks {
      guard let path = ReelPath(orphan.path) else { continue }
      indexed += try index(path)
    }
    try Findings.record(audit.result, writer)
    report.chunksKept = audit.result.ok + indexed
    report.chunksLost = audit.result.damaged + audit.result.missing
    report.recordings = try writer.database.read { db in
      try db.first("SELECT count(*) FROM recording WHERE purged = 0 AND origin <> x''") {
        $0.uint64(0)
      } ?? 0
    }
    try tell(report)
  }

  /// Makes rows for the whole chunks of a reel that have none.
  private func index(_ path: ReelPath) throws(HoldfastError) -> UInt64 {
    var records: [ChunkRecord] = []
    _ = ReelVisit(files: environment.files, hashing: environment.hashing).scan(
      directory: directory, path: path, from: nil
    ) { records.append($0) }
    let closing = TakeClosing(log: writer.log, hashing: environment.hashing)
    return try writer.database.commit { db in
      let key = try db.first("SELECT key FROM take WHERE id = ?1", [.blob(path.take.bytes)]) {
        $0.int64(0)
      }
      guard let key else { return 0 }
      // A chunk that has a row stays where the row says.
      let missing = try records.filter {
        try TakeEntry.row(key, path.take, $0.sequence, db) == nil
      }
      let added = try ChunkRows.insert(missing, of: path.take, db)
      try closing.extend(path.take, db)
      return added
    }
  }

  private func tell(_ report: StoreRebuild.Report) throws(HoldfastError) {
    // Of reels alone the opening has said so.
    guard report.database != .none else { return }
    var message =
      "This store was rebuilt: \(report.recordings) recordings, "
      + "\(report.chunksKept) chunks."
    if !report.chunksLost.isEmpty {
      message += " \(report.chunksLost.count) chunks are damaged or missing."
    }
    if report.changesLost + report.commitsLost > 0 {
      message += " The old database had lost changes: titles and edits may be gone."
    }
    let attention = Attention(
      code: "rebuilt", message: message,
      atMilliseconds: environment.clock.now().wallMilliseconds)
    try writer.database.commit { db in try AttentionRow.insert(attention, db) }
  }
}
