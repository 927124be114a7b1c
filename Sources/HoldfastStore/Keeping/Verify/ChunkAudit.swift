import HoldfastModel
import HoldfastSQLite

/// Checks every chunk that has a row, and finds whole chunks that have none.
///
/// Invariants:
/// - Of a take that is being recorded, chunks without a row yet are checked too, up to the last
///   whole one: what stands behind that may be a write that is under way, and is no damage.
/// - A finding is told only if the row still says the same once everything was read: chunks may
///   move to another reel, and recordings may be purged, while the check goes on.
/// - A snapshot lasts for one query (J11); memory is that of a batch of reels and of the findings.
struct ChunkAudit {
  /// The store, open for reading.
  let reader: StoreReader
  private(set) var result = VerifyResult()
  private let check: ReelCheck
  private var suspects: [(take: TakeEntry, bad: ReelOutcome.Bad)] = []
  /// Takes whose rows cannot be read.
  private var unreadable: Set<TakeID> = []
  private var doneBytes: UInt64 = 0
  private var totalBytes: UInt64 = 0

  /// Takes read at a time.
  private static let page: Int64 = 128

  /// An audit of all takes of a store.
  init(_ reader: StoreReader) {
    self.reader = reader
    check = ReelCheck(
      directory: reader.layout.directory, files: reader.environment.files,
      hashing: reader.environment.hashing)
  }

  /// Checks all takes.
  mutating func run(_ progress: (ByteProgress) -> Void) throws(HoldfastError) {
    totalBytes = try total()
    var after = Int64.min
    var batch = ReelBatch()
    var entries: [TakeID: TakeEntry] = [:]
    while true {
      let from = after
      let page = try reader.read { try TakeEntry.page(after: from, limit: Self.page, $0) }
      for entry in page {
        entries[entry.take] = entry
        for job in try jobs(of: entry) {
          batch.add(job)
          if batch.isFull { try flush(&batch, entries, progress) }
        }
      }
      try flush(&batch, entries, progress)
      entries = [:]
      guard let last = page.last, Int64(page.count) == Self.page else { break }
      after = last.key
    }
    try confirm()
  }

  private mutating func total() throws(HoldfastError) -> UInt64 {
    try reader.read { db in
      try db.first(
        "SELECT coalesce(sum(bytes + ?1 * chunks), 0) FROM take",
        [.integer(Int64(ChunkHeader.byteCount))]
      ) { $0.uint64(0) } ?? 0
    }
  }

  /// A read that damage of the database makes a finding; every other fault ends the check.
  private mutating func tolerating<T>(
    _ what: String, _ body: (borrowing Connection) throws -> T
  ) throws(HoldfastError) -> T? {
    do throws(HoldfastError) { return try reader.read(body) } catch {
      guard error.isDamage else { throw error }
      result.database.append(.init(.unreadable, "\(what) cannot be read: \(error.message)"))
      return nil
    }
  }

  /// The reels of a take with their rows, and those that stand in its directory without any.
  private mutating func jobs(of entry: TakeEntry) throws(HoldfastError) -> [ReelJob] {
    let found = try tolerating("The chunks of take \(entry.take)") { db in
      let freed = try entry.freedReels(db)
      var jobs: [ReelJob] = []
      var freedChunks: UInt64 = 0
      for reel in try entry.reels(db) {
        let rows = try entry.rows(of: reel, db)
        if freed.contains(reel.number) {
          freedChunks += UInt64(rows.count)
        } else {
          jobs.append(Self.job(entry, reel.number, rows))
        }
      }
      return (jobs, freedChunks, entry.isOpen ? [] : try entry.withoutRow(db))
    }
    guard let found else {
      // The frames speak for themselves then.
      unreadable.insert(entry.take)
      return files(of: entry.take).map { Self.job(entry, $0.reel, []) }
    }
    var jobs = found.0
    result.freed += found.1
    result.chunks += UInt64(found.2.count)
    for record in found.2 {
      tell(.init(record: record, reason: .noRow, isMissing: true), entry)
    }
    let known = Set(jobs.map(\.path))
    for path in files(of: entry.take) where !known.contains(path) {
      jobs.append(Self.job(entry, path.reel, []))
    }
    return jobs
  }

  private static func job(_ entry: TakeEntry, _ reel: UInt32, _ rows: [MarkedRow]) -> ReelJob {
    ReelJob(
      path: ReelPath(take: entry.take, reel: reel), recording: entry.recording,
      track: entry.track, rows: rows)
  }

  /// The reels in a take's directory; other names are the business of ``OrphanSearch``.
  private func files(of take: TakeID) -> [ReelPath] {
    let parent = ReelPath.directory(of: take)
    let names = (try? check.files.list("\(check.directory)/\(parent)")) ?? []
    return names.compactMap { ReelPath("\(parent)/\($0)") }.sorted()
  }

  private mutating func flush(
    _ batch: inout ReelBatch, _ entries: [TakeID: TakeEntry], _ progress: (ByteProgress) -> Void
  ) throws(HoldfastError) {
    guard !batch.jobs.isEmpty else { return }
    let before = doneBytes
    let total = totalBytes
    let outcomes = batch.run(check, threads: reader.environment.checkingThreads) { bytes in
      progress(ByteProgress(doneBytes: min(before + bytes, total), totalBytes: total))
    }
    for outcome in outcomes {
      guard let entry = entries[outcome.job.path.take] else { continue }
      try take(outcome, of: entry)
    }
    batch = ReelBatch()
    progress(ByteProgress(doneBytes: min(doneBytes, total), totalBytes: total))
  }

  private mutating func take(
    _ outcome: ReelOutcome, of entry: TakeEntry
  ) throws(HoldfastError) {
    let job = outcome.job
    doneBytes += job.bytes
    result.chunks += UInt64(job.rows.count)
    result.ok += outcome.ok
    result.bytes += job.rows.reduce(0) { $0 + UInt64($1.record.length) }
    result.healed += outcome.healed
    suspects += outcome.bad.map { (entry, $0) }
    if let message = outcome.headerFault {
      result.headers.append(HeaderFinding(reel: job.path, message: message))
    }
    if unreadable.contains(entry.take) {
      result.chunks += UInt64(outcome.unindexed.count)
      result.ok += UInt64(outcome.unindexed.count)
      return
    }
    guard !entry.isOpen else { return try takeRunning(outcome, of: entry) }
    guard let size = outcome.size else { return }
    let unknown = try unknownChunks(outcome.unindexed, of: entry)
    if unknown > 0 || (job.rows.isEmpty && outcome.unindexed.isEmpty) {
      result.orphans.append(
        Orphan(
          path: job.path.description, kind: unknown > 0 ? .chunks : .empty, bytes: size,
          chunks: unknown))
    }
  }

  /// Counts the chunks of a running take that had no row when its rows were read: they are well, or
  /// damaged in the midst of what was written. Copies of chunks that moved are passed over.
  private mutating func takeRunning(
    _ outcome: ReelOutcome, of entry: TakeEntry
  ) throws(HoldfastError) {
    for (records, isWhole) in [(outcome.unindexed, true), (outcome.strays, false)] {
      for record in records {
        let row = try tolerating("The chunks of take \(entry.take)") { db in
          [try entry.row(of: record.sequence, db)]
        }
        guard let row = row?.first, row == nil || row?.record == record else { continue }
        result.chunks += 1
        if isWhole {
          result.ok += 1
          result.bytes += UInt64(record.length)
        } else {
          suspects.append((entry, .init(record: record, reason: .payload, isMissing: false)))
        }
      }
    }
  }

  /// How many of the chunks have no row anywhere. A copy of a chunk that moved is known.
  private mutating func unknownChunks(
    _ records: [ChunkRecord], of entry: TakeEntry
  ) throws(HoldfastError) -> UInt64 {
    guard !records.isEmpty else { return 0 }
    let unknown = try tolerating("The chunks of take \(entry.take)") { db in
      var unknown: UInt64 = 0
      for record in records {
        let row = try entry.row(of: record.sequence, db)
        if row?.record.sha256 != record.sha256 { unknown += 1 }
      }
      return unknown
    }
    return unknown ?? 0
  }

  /// Looks once more at what seemed wrong, by the rows as they are now.
  private mutating func confirm() throws(HoldfastError) {
    for (entry, first) in suspects {
      var bad: ReelOutcome.Bad? = first
      let now = try tolerating("The chunks of take \(entry.take)") { db in
        (
          try entry.row(of: first.record.sequence, db), try entry.freedReels(db),
          try TakeEntry.page(after: entry.key - 1, limit: 1, db).first?.take == entry.take
        )
      }
      guard let now else { continue }
      if now.0 == nil, entry.isOpen, now.2 {
        // No row yet: a write that was under way has ended by now.
        if let bad = examine(first.record) { tell(bad, entry) } else { result.ok += 1 }
        continue
      }
      guard let row = now.0, !now.1.contains(row.record.reel) else {
        // Purged or freed since.
        result.chunks -= 1
        continue
      }
      if row.record != first.record { bad = examine(row.record) }
      if let bad { tell(bad, entry) } else { result.ok += 1 }
    }
    suspects = []
  }

  private func examine(_ record: ChunkRecord) -> ReelOutcome.Bad? {
    let reel = ReelReader(
      directory: check.directory, reel: ReelPath(take: record.take, reel: record.reel),
      files: check.files, hashing: check.hashing)
    return check.examine(record, reel)
  }

  private mutating func tell(_ bad: ReelOutcome.Bad, _ entry: TakeEntry) {
    let record = bad.record
    let finding = ChunkFinding(
      recording: entry.recording, take: entry.take, takeIndex: entry.index,
      track: entry.trackName, sequence: record.sequence, firstFrame: record.firstFrame,
      frames: record.frames, reel: ReelPath(take: record.take, reel: record.reel),
      reason: bad.reason)
    if bad.isMissing { result.missing.append(finding) } else { result.damaged.append(finding) }
  }
}
