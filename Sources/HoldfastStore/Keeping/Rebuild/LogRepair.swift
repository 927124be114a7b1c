import HoldfastModel
import HoldfastSQLite

/// Makes the log of a rescued database whole: without holes, each change chained to the one before.
///
/// Invariant (S7): of every origin the longest sound beginning is kept verbatim, and the vector
/// says how far it goes. What comes after a lost change cannot stand there any more; of this
/// store's own origins it is issued again under the new one, saying that it replaces what it was.
struct LogRepair {
  /// Everything from outside.
  let environment: StoreEnvironment

  private var audit: ChainAudit { ChainAudit(hashing: environment.hashing) }

  /// What was cut off.
  struct Cut: Hashable, Sendable {
    /// Changes that are gone.
    var lost: UInt64 = 0
    /// Own changes after a lost one, to be issued again, in the order of their origins.
    var tail: [Change] = []
  }

  /// Cuts every origin's log to its sound beginning, inside a transaction.
  ///
  /// - Parameter own: origins that are this store's, for rows that were lost.
  func cut(own: Set<OriginID>, _ db: borrowing Connection) throws -> Cut {
    try addOrigins(own, db)
    var cut = Cut()
    let rows = try db.all(
      "SELECT id, mine, sequence, chain FROM origin ORDER BY ordinal"
    ) { (OriginID($0.blob(0)), $0.bool(1), $0.uint64(2), Digest($0.blob(3))) }
    for case (.some(let id), let isMine, let sequence, let chain) in rows {
      let log = OldLog(id: id, isMine: isMine, sequence: sequence, chain: chain)
      try self.cut(log, &cut, db)
    }
    return cut
  }

  /// What the vector said of an origin.
  private struct OldLog {
    var id: OriginID
    var isMine: Bool
    var sequence: UInt64
    var chain: Digest?
  }

  /// Origins whose row was lost get one; its clock is that of its latest change.
  private func addOrigins(_ own: Set<OriginID>, _ db: borrowing Connection) throws {
    let lost = try db.all(
      "SELECT DISTINCT origin FROM change WHERE origin NOT IN (SELECT id FROM origin)"
    ) { OriginID($0.blob(0)) }
    for case .some(let id) in lost {
      let stamps = try db.all(
        "SELECT bytes FROM change WHERE origin = ?1 AND bytes IS NOT NULL", [.blob(id.bytes)]
      ) { (try? Change(bytes: $0.blob(0)))?.stamp ?? .zero }
      let stamp = stamps.max() ?? .zero
      try db.run(
        """
        INSERT INTO origin (id, ordinal, mine, made_ms, reason, chain, stamp_ms, stamp_counter)
        SELECT ?1, coalesce(max(ordinal), 0) + 1, ?2, ?3, 'rescued', ?4, ?3, ?5 FROM origin
        """,
        [
          .blob(id.bytes), .integer(own.contains(id) ? 1 : 0), .integer(stamp.milliseconds),
          .blob(Digest.zero.bytes), .integer(Int64(stamp.counter)),
        ])
    }
  }

  private func cut(_ log: OldLog, _ cut: inout Cut, _ db: borrowing Connection) throws {
    var sequence: UInt64 = 0
    var chain = Digest.zero
    walk: while true {
      let page = try ChainAudit.page(of: log.id, after: sequence, db)
      if page.isEmpty { break }
      for entry in page {
        guard entry.sequence == sequence + 1,
          let next = try accepted(entry, after: chain, log, db)
        else { break walk }
        try mend(entry, next, log.id, db)
        sequence = entry.sequence
        chain = next
      }
    }
    try cutTail(log, after: sequence, &cut, db)
    try db.run(
      "UPDATE origin SET sequence = ?2, chain = ?3 WHERE id = ?1",
      [.blob(log.id.bytes), .integer(Int64(clamping: sequence)), .blob(chain.bytes)])
  }

  /// The chain hash of an entry that is sound; nil for one that is not.
  ///
  /// Where hash and bytes disagree, the next change, or the vector, tells which of them is damaged:
  /// it was chained to the right hash.
  private func accepted(
    _ entry: ChainAudit.Entry, after previous: Digest, _ log: OldLog, _ db: borrowing Connection
  ) throws -> Digest? {
    guard let expected = audit.expected(entry, after: previous) else { return nil }
    if expected.bytes == entry.chain { return expected }
    guard isReadable(entry, log.id) else { return nil }
    let next = try ChainAudit.page(of: log.id, after: entry.sequence, db).first
    guard let next else {
      return log.sequence == entry.sequence && log.chain == expected ? expected : nil
    }
    guard next.sequence == entry.sequence + 1, next.bytes != nil,
      audit.expected(next, after: expected)?.bytes == next.chain
    else { return nil }
    return expected
  }

  private func isReadable(_ entry: ChainAudit.Entry, _ origin: OriginID) -> Bool {
    guard let bytes = entry.bytes, let change = try? Change(bytes: bytes) else { return false }
    return change.name == ChangeName(origin: origin, sequence: entry.sequence)
  }

  /// Sets what the bytes and the chain say where a column says otherwise.
  private func mend(
    _ entry: ChainAudit.Entry, _ chain: Digest, _ origin: OriginID, _ db: borrowing Connection
  ) throws {
    if entry.chain != chain.bytes {
      try db.run(
        "UPDATE change SET chain = ?2 WHERE ordinal = ?1",
        [.integer(entry.ordinal), .blob(chain.bytes)])
    }
    guard isReadable(entry, origin), entry.fault(of: origin) != nil,
      let change = try? Change(bytes: entry.bytes ?? [])
    else { return }
    try db.run(
      "UPDATE change SET kind = ?2, recording = ?3 WHERE ordinal = ?1",
      [
        .integer(entry.ordinal), .text(change.kind.rawValue),
        change.recording.map { .blob($0.bytes) } ?? .null,
      ])
  }

  private func cutTail(
    _ log: OldLog, after sequence: UInt64, _ cut: inout Cut, _ db: borrowing Connection
  ) throws {
    var last = sequence
    var previous: ChainAudit.Entry?
    while true {
      let page = try ChainAudit.page(of: log.id, after: last, db)
      guard let end = page.last else { break }
      for entry in page {
        if log.isMine, isGenuine(entry, previous, log.id, isFirst: entry.sequence == sequence + 1),
          let change = try? Change(bytes: entry.bytes ?? [])
        {
          cut.tail.append(change)
        } else if entry.bytes != nil {
          cut.lost += 1
        }
        cut.lost += entry.sequence - last - 1
        last = entry.sequence
        previous = entry
      }
      last = end.sequence
    }
    cut.lost += log.sequence - min(log.sequence, last)
    try db.run(
      "DELETE FROM change WHERE origin = ?1 AND sequence > ?2",
      [.blob(log.id.bytes), .integer(Int64(clamping: sequence))])
  }

  /// Whether a change after a damaged one can be trusted: it follows from its neighbour by its
  /// hash, or its neighbour is gone and its bytes are in good form.
  private func isGenuine(
    _ entry: ChainAudit.Entry, _ previous: ChainAudit.Entry?, _ origin: OriginID, isFirst: Bool
  ) -> Bool {
    guard !isFirst, isReadable(entry, origin) else { return false }
    guard let previous, previous.sequence + 1 == entry.sequence,
      let chain = Digest(previous.chain)
    else { return true }
    return audit.expected(entry, after: chain)?.bytes == entry.chain
  }

  /// Issues changes again on the present origin, inside a transaction.
  ///
  /// - Returns: how many.
  func issueAgain(_ tail: [Change], _ db: borrowing Connection) throws -> UInt64 {
    let log = ChangeLog(environment)
    var renamed: [ChangeName: ChangeName] = [:]
    var spoken: Set<RecordingID> = []
    for change in tail {
      guard let recording = change.recording else { continue }
      let head = try OriginRow.current(db)
      let name = ChangeName(origin: head.id, sequence: head.sequence + 1)
      var replaces = change.replaces + change.replaces.compactMap { renamed[$0] }
      if [.registerSet, .overlay].contains(change.kind) { replaces.append(change.name) }
      let draft = ChangeLog.Draft(change.kind, change.body, replaces: replaces)
      if change.kind.isOfTranscript {
        try log.add([draft], to: recording, db)
        spoken.insert(recording)
      } else {
        try log.append([draft], to: recording, db)
      }
      renamed[change.name] = name
    }
    for recording in spoken.sorted() { try TranscriptRows.refresh(recording, db) }
    return UInt64(renamed.count)
  }
}
