package import HoldfastModel
package import HoldfastSQLite

/// Why a stored task waits. The raw values are stored.
package enum TaskWait: String, Hashable, Sendable {
  /// It does not wait.
  case none = ""
  /// Other tasks of its recording come first.
  case tasks
  /// Audio that it needs is not on this device.
  case input
  /// It failed a moment ago, or its handler asked for a pause.
  case retry
  /// It was interrupted again and again; only other conditions make an attempt worth while (T1).
  case conditions
  /// Its recording lies in the trash.
  case trash
}

/// A task as it stands here.
package struct TaskRow: Hashable, Sendable {
  /// Its number in this store; never shown.
  package var key: Int64
  package var id: TaskID
  package var kind: TaskKind
  package var recording: RecordingID
  package var generation: UInt64
  package var madeMilliseconds: Int64
  package var phase: TaskPhase
  package var wait: TaskWait
  /// Why it stands where it stands, for people; empty when nothing is to be said.
  package var cause: String
  /// The turn in which it ran last or came to be.
  package var turn: UInt64
  package var counters: TaskCounters
  /// Attempts in a row that came to nothing, for the delay before the next.
  package var tries: UInt32
  package var progress: TaskProgress
  /// Units that are committed.
  package var unit: UInt64
  package var cursor: WorkCursor
  /// The handler's own words about where it is, of its last committed unit.
  package var checkpoint: [UInt8]?
  /// The pass that its segments go to.
  package var pass: Digest?
  /// When a wait began and when it is over, milliseconds since 1970.
  package var retry: Retry?
  /// The conditions under which it was last interrupted, as the runner spells them.
  package var heldUnder: String
  /// The epoch of the launch that holds the claim, or held it last.
  package var epoch: UInt64
  /// Counts its claims.
  package var claim: UInt64
  package var finishedMilliseconds: Int64?

  /// A wait by the clock.
  package struct Retry: Hashable, Sendable {
    package var setMilliseconds: Int64
    package var dueMilliseconds: Int64

    package init(setMilliseconds: Int64, dueMilliseconds: Int64) {
      self.setMilliseconds = setMilliseconds
      self.dueMilliseconds = dueMilliseconds
    }
  }

  /// Silent deaths in a row that have happened: while it runs, the one that the attempt may be is
  /// counted in already (T1).
  package var pastDeaths: UInt32 {
    phase == .running ? max(counters.deaths, 1) - 1 : counters.deaths
  }

  static let columns = """
    key, id, kind, recording, generation, made_ms, phase, wait, cause, turn, failures,
    interruptions, deaths, tries, progress, unit, cursor, checkpoint, pass, retry_set_ms,
    retry_due_ms, held_under, epoch, claim, finished_ms
    """

  init(_ row: borrowing Row) throws {
    guard let digest = Digest(row.blob(1)), let recording = RecordingID(row.blob(3)),
      let phase = TaskPhase(rawValue: row.text(6)), let cursor = WorkCursor(row.blob(16))
    else { throw HoldfastError(.damaged, "A row of a task cannot be read.") }
    key = row.int64(0)
    id = TaskID(digest: digest)
    kind = TaskKind(rawValue: row.text(2))
    self.recording = recording
    generation = UInt64(clamping: row.int64(4))
    madeMilliseconds = row.int64(5)
    self.phase = phase
    wait = TaskWait(rawValue: row.text(7)) ?? .none
    cause = row.text(8)
    turn = UInt64(clamping: row.int64(9))
    counters = TaskCounters(
      failures: UInt32(clamping: row.int64(10)), interruptions: UInt32(clamping: row.int64(11)),
      deaths: UInt32(clamping: row.int64(12)))
    tries = UInt32(clamping: row.int64(13))
    progress = TaskProgress(units: UInt32(clamping: row.int64(14)))
    unit = UInt64(clamping: row.int64(15))
    self.cursor = cursor
    checkpoint = row.optionalBlob(17)
    pass = row.optionalBlob(18).flatMap { Digest($0) }
    if let set = row.optionalInt64(19), let due = row.optionalInt64(20) {
      retry = Retry(setMilliseconds: set, dueMilliseconds: due)
    }
    heldUnder = row.text(21)
    epoch = UInt64(clamping: row.int64(22))
    claim = UInt64(clamping: row.int64(23))
    finishedMilliseconds = row.optionalInt64(24)
  }
}

/// Reads tasks.
package enum TaskRows {
  /// Progress 0…1 of a recording's work by kind, of each the newest task that was not called off.
  static func progress(
    of recording: RecordingID, _ db: borrowing Connection
  ) throws -> [String: Double] {
    let rows = try db.all(
      """
      SELECT kind, progress FROM task WHERE recording = ?1 AND phase <> 'cancelled'
      ORDER BY generation
      """, [.blob(recording.bytes)]
    ) { ($0.text(0), TaskProgress(units: UInt32(clamping: $0.int64(1))).fraction) }
    return Dictionary(rows) { _, last in last }
  }

  /// What earlier launches left to be done: tasks that were begun, or that wait for a person, and
  /// all of some recordings that are not settled.
  package static func left(
    with recordings: Set<RecordingID>, _ db: borrowing Connection
  ) throws -> [TaskView] {
    try db.all(
      """
      SELECT \(TaskRow.columns) FROM task
      WHERE phase NOT IN ('done', 'cancelled', 'running') ORDER BY key
      """, []
    ) { try TaskRow($0) }.filter { $0.claim > 0 || recordings.contains($0.recording) }
      .map { try TaskView.of($0, db) }
  }

  /// One task; nil when there is none of that name.
  package static func one(_ id: TaskID, _ db: borrowing Connection) throws -> TaskRow? {
    try db.first(
      "SELECT \(TaskRow.columns) FROM task WHERE id = ?1", [.blob(id.digest.bytes)]
    ) { try TaskRow($0) }
  }

  /// The tasks of a recording, in the order in which they came to be.
  package static func all(
    of recording: RecordingID, _ db: borrowing Connection
  ) throws -> [TaskRow] {
    try db.all(
      "SELECT \(TaskRow.columns) FROM task WHERE recording = ?1 ORDER BY key",
      [.blob(recording.bytes)]
    ) { try TaskRow($0) }
  }

  /// All tasks, newest first; settled ones only when asked for.
  package static func list(
    settled: Bool, limit: UInt64 = .max, _ db: borrowing Connection
  ) throws -> [TaskRow] {
    try db.all(
      """
      SELECT \(TaskRow.columns) FROM task \(settled ? "" : "WHERE finished_ms IS NULL")
      ORDER BY key DESC LIMIT ?1
      """, [.integer(Int64(clamping: limit))]
    ) { try TaskRow($0) }
  }

  /// The newest task of a kind on a recording.
  package static func newest(
    _ kind: TaskKind, of recording: RecordingID, _ db: borrowing Connection
  ) throws -> TaskRow? {
    try db.first(
      """
      SELECT \(TaskRow.columns) FROM task WHERE recording = ?1 AND kind = ?2
      ORDER BY generation DESC LIMIT 1
      """, [.blob(recording.bytes), .text(kind.rawValue)]
    ) { try TaskRow($0) }
  }

  /// The one task whose name begins with the text.
  ///
  /// - Parameter text: 4 to 64 hexadecimal digits.
  /// - Throws: `invalidArgument`, `notFound`; `conflict` when several begin so.
  package static func resolve(_ text: String, _ db: borrowing Connection) throws -> TaskRow {
    let prefix = text.lowercased()
    guard (4...64).contains(prefix.utf8.count),
      prefix.utf8.allSatisfy({ Hex.value(of: $0) != nil })
    else {
      throw HoldfastError(
        .invalidArgument,
        "\"\(text)\" is no task: a task is named by 64 hexadecimal digits, or at least its "
          + "first 4.",
        hint: "`holdfast tasks ls` shows them.")
    }
    let found = try db.all(
      "SELECT \(TaskRow.columns) FROM task WHERE lower(hex(id)) LIKE ?1 LIMIT 2",
      [.text(prefix + "%")]
    ) { try TaskRow($0) }
    guard let first = found.first else {
      throw HoldfastError(
        .notFound, "There is no task \(text) in this store.",
        hint: "`holdfast tasks ls --all` shows what there is.")
    }
    guard found.count == 1 else {
      throw HoldfastError(
        .conflict, "Several tasks begin with \(text).", hint: "Give more digits.")
    }
    return first
  }

  /// Kinds of a recording that are waited for: of each, the newest task is not done. A kind that
  /// the recording has no task of is not waited for.
  package static func unmet(
    _ kinds: some Collection<TaskKind>, of recording: RecordingID, _ db: borrowing Connection
  ) throws -> Set<TaskKind> {
    var unmet: Set<TaskKind> = []
    for kind in kinds {
      if let task = try newest(kind, of: recording, db), task.phase != .done { unmet.insert(kind) }
    }
    return unmet
  }

  /// The kinds that must be done before a task.
  package static func predecessors(
    _ key: Int64, _ db: borrowing Connection
  ) throws -> [TaskKind] {
    try db.all("SELECT kind FROM task_after WHERE task_key = ?1 ORDER BY kind", [.integer(key)]) {
      TaskKind(rawValue: $0.text(0))
    }
  }
}
