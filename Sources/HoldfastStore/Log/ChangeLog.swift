package import HoldfastModel
package import HoldfastSQLite

/// The store's log of changes: own ones are made here, in their final form.
///
/// Invariants:
/// - S1: bytes are canonical, immutable, kept verbatim.
/// - S7: within an origin sequences have no holes, and each change is chained to the one before.
/// - S11: a change is made only inside a power-safe commit.
/// - The recording's derived rows are replaced in the transaction that adds a change to it; those
///   of its transcripts follow the changes of transcripts alone, so that a unit of a long one costs
///   what the unit costs.
package struct ChangeLog {
  private let hashing: any Hashing
  private let clock: any DeviceClock
  private let random: any RandomSource

  package init(_ environment: StoreEnvironment) {
    hashing = environment.hashing
    clock = environment.clock
    random = environment.random
  }

  /// What a new change says.
  package struct Draft {
    package var kind: ChangeKind
    package var body: [String: CanonicalValue]
    package var replaces: [ChangeName]

    package init(
      _ kind: ChangeKind, _ body: [String: CanonicalValue], replaces: [ChangeName] = []
    ) {
      self.kind = kind
      self.body = body
      self.replaces = replaces
    }
  }

  /// Appends changes of one recording to this store's own log and derives the recording again.
  @discardableResult
  package func append(
    _ drafts: [Draft], to recording: RecordingID, _ db: borrowing Connection
  ) throws -> RecordingState {
    try add(drafts, to: recording, db)
    if drafts.contains(where: { $0.kind.isOfTranscript }) {
      try TranscriptRows.refresh(recording, db)
    }
    return try Projection.refresh(recording, db)
  }

  /// A change that was added to the log.
  package struct Added {
    package var change: Change
    /// Its local number.
    package var ordinal: Int64
  }

  /// Appends changes of one recording to this store's own log and derives nothing: for changes of
  /// transcripts and of work, whose rows the caller brings up to date in the same transaction.
  @discardableResult
  package func add(
    _ drafts: [Draft], to recording: RecordingID, _ db: borrowing Connection
  ) throws -> [Added] {
    var added: [Added] = []
    var head = try OriginRow.current(db)
    var stamps = HybridClock(last: head.stamp)
    let wall = clock.now().wallMilliseconds
    for draft in drafts {
      let change = Change(
        name: ChangeName(origin: head.id, sequence: head.sequence + 1),
        stamp: stamps.next(wallMilliseconds: wall), kind: draft.kind, recording: recording,
        body: draft.body, replaces: draft.replaces)
      let chain = change.chain(after: head.chain, hashing)
      try Self.insert(change, chain, db)
      added.append(Added(change: change, ordinal: db.lastInsertRowID))
      head.sequence = change.name.sequence
      head.chain = chain
      head.stamp = change.stamp
    }
    try head.store(db)
    return added
  }

  /// A name for a new pass over a recording, used by nobody else.
  package func newPass(over recording: RecordingID) -> PassID {
    PassID(recording: recording, nonce: random.bytes(16), hashing: hashing)
  }

  /// The facts of a unit, as long as a change may be.
  package func facts(_ unit: TranscriptUnit, of pass: PassID) -> [UnitFact] {
    UnitSplitting.facts(unit, of: pass, hashing: hashing)
  }

  /// A change of a register: names every value that it replaces (S5).
  package static func set(
    _ field: String, _ value: CanonicalValue, in state: RecordingState?
  ) -> Draft {
    Draft(
      .registerSet, ["f": .text(field), "v": value],
      replaces: state?.registers[field]?.heads ?? [])
  }

  private static let insertion = """
    INSERT INTO change (origin, sequence, kind, recording, chain, bytes)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6)
    """

  private static func insert(
    _ change: Change, _ chain: Digest, _ db: borrowing Connection
  ) throws {
    try db.run(
      insertion,
      [
        .blob(change.name.origin.bytes), .integer(Int64(change.name.sequence)),
        .text(change.kind.rawValue), change.recording.map { .blob($0.bytes) } ?? .null,
        .blob(chain.bytes), .blob(change.bytes),
      ])
  }

  /// The condition of the index of changes that a recording's state is derived from; SQLite uses
  /// the index only where a query repeats it.
  package static let changesOfState = """
    SELECT bytes FROM change WHERE recording = ?1
      AND kind NOT IN ('overlay', 'pass', 'passClosed', 'result', 'segments', 'task')
      AND bytes IS NOT NULL
    """

  /// The changes of a recording that its state follows from, stubs left out: neither those of its
  /// transcripts nor those of its work.
  package static func changes(
    of recording: RecordingID, _ db: borrowing Connection
  ) throws -> [Change] {
    try db.all(changesOfState, [.blob(recording.bytes)]) { try Change(bytes: $0.blob(0)) }
  }

  /// The replicated state of a recording.
  package static func state(
    of recording: RecordingID, _ db: borrowing Connection
  ) throws -> RecordingState {
    RecordingState(recording, changes: try changes(of: recording, db))
  }
}

/// A row of the vector: how far an origin's log is here.
package struct OriginRow: Hashable, Sendable {
  package var id: OriginID
  package var sequence: UInt64
  package var chain: Digest
  package var stamp: Stamp

  private static let columns = "id, sequence, chain, stamp_ms, stamp_counter"

  private init(_ row: borrowing Row) throws {
    guard let id = OriginID(row.blob(0)), let chain = Digest(row.blob(2)),
      let sequence = UInt64(exactly: row.int64(1)),
      let counter = UInt32(exactly: row.int64(4))
    else { throw MalformedBytes(reason: "a row of the vector is damaged", offset: 0) }
    self.id = id
    self.sequence = sequence
    self.chain = chain
    stamp = Stamp(milliseconds: row.int64(3), counter: counter)
  }

  /// The origin that this store writes on: its newest own one.
  package static func current(_ db: borrowing Connection) throws -> OriginRow {
    let found = try db.first(
      "SELECT \(columns) FROM origin WHERE mine = 1 ORDER BY ordinal DESC LIMIT 1", []
    ) { try OriginRow($0) }
    guard let found else {
      throw HoldfastError(.damaged, "The store's database has no origin of its own.")
    }
    return found
  }

  /// The whole vector, by origin.
  package static func all(_ db: borrowing Connection) throws -> [OriginRow] {
    try db.all("SELECT \(columns) FROM origin WHERE sequence > 0 ORDER BY id", []) {
      try OriginRow($0)
    }
  }

  /// Begins a new incarnation of this store's log. Its clock goes on after every stamp known here.
  package static func mint(
    _ id: OriginID, reason: String, atMilliseconds: Int64, _ db: borrowing Connection
  ) throws {
    try db.run(
      """
      INSERT INTO origin (id, ordinal, mine, made_ms, reason, chain, stamp_ms, stamp_counter)
      SELECT ?1, coalesce(max(ordinal), 0) + 1, 1, ?2, ?3, ?4, coalesce(max(stamp_ms), 0), 0
      FROM origin
      """,
      [.blob(id.bytes), .integer(atMilliseconds), .text(reason), .blob(Digest.zero.bytes)])
  }

  fileprivate func store(_ db: borrowing Connection) throws {
    try db.run(
      """
      UPDATE origin SET sequence = ?2, chain = ?3, stamp_ms = ?4, stamp_counter = ?5 WHERE id = ?1
      """,
      [
        .blob(id.bytes), .integer(Int64(sequence)), .blob(chain.bytes),
        .integer(stamp.milliseconds), .integer(Int64(stamp.counter)),
      ])
  }
}
