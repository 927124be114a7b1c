package import HoldfastModel
package import HoldfastSQLite

/// The queue of deferred work in the database. Every call runs in the caller's transaction, so that
/// what belongs together commits together (T2, T3).
///
/// Invariants:
/// - T1: a claim counts the death that it may be before the work starts.
/// - T2: what a worker brings is taken only while the claim's epoch and counter stand as they were
///   when it was given; nothing else decides, no state, no name, no clock.
/// - T4: no failure removes audio; a kind that nobody handles stays.
/// - T9: a task is its kind, recording and generation, whoever makes it.
package struct TaskBook {
  let log: ChangeLog
  let environment: StoreEnvironment
  /// The epoch of this launch.
  package let epoch: UInt64

  var now: Int64 { environment.clock.now().wallMilliseconds }

  private static let turnCounter = "taskTurn"

  /// The next turn: turns are counted, not timed.
  func nextTurn(_ db: borrowing Connection) throws -> UInt64 {
    let turn = try (Settings.unsigned(Self.turnCounter, db) ?? 0) + 1
    try Settings.set(Self.turnCounter, .integer(Int64(turn)), db)
    return turn
  }

  // MARK: making

  /// Makes a task, unless there is one of its kind that is not settled yet: then that one is
  /// answered. After a settled one comes the next generation.
  ///
  /// - Throws: `invalidArgument` for a kind that is no name, `notFound` for no recording.
  @discardableResult
  package func enqueue(
    _ kind: TaskKind, on recording: RecordingID, after: [TaskKind] = [],
    _ db: borrowing Connection
  ) throws -> (task: TaskRow, isNew: Bool) {
    guard kind.isName else { throw Self.noName(kind) }
    let newest = try TaskRows.newest(kind, of: recording, db)
    if let newest, !newest.phase.isSettled { return (newest, false) }
    let fact = TaskFact(kind: kind, generation: (newest?.generation ?? 0) + 1, after: after)
    try log.add([.init(.task, fact.body)], to: recording, db)
    let id = TaskID(
      kind: kind, recording: recording, generation: fact.generation, hashing: environment.hashing)
    try TaskProjection(hashing: environment.hashing).insert(
      fact, id, recording, madeMilliseconds: now, turn: try nextTurn(db), db)
    guard let made = try TaskRows.one(id, db) else {
      throw HoldfastError(.damaged, "A task that was just made is not there.")
    }
    return (made, true)
  }

  /// Makes a recording's pipeline: each kind waits for the one before.
  package func enqueue(
    pipeline: [TaskKind], on recording: RecordingID, _ db: borrowing Connection
  ) throws {
    var before: [TaskKind] = []
    for kind in pipeline {
      try enqueue(kind, on: recording, after: before, db)
      before = [kind]
    }
  }

  private static func noName(_ kind: TaskKind) -> HoldfastError {
    HoldfastError(
      .invalidArgument, "\"\(kind.rawValue)\" is no kind of task.",
      hint: "A kind has 1 to 64 letters, digits, dots, dashes or underscores.")
  }

  // MARK: what the user says

  /// Calls a task off. A worker that has it is fenced off.
  ///
  /// - Returns: whether it was not settled before.
  package func cancel(_ task: TaskRow, _ db: borrowing Connection) throws -> Bool {
    guard !task.phase.isSettled || task.phase == .quarantined else { return false }
    try settle(task.key, .cancelled, cause: "called off", db)
    try tellDependents(of: task, "which was called off", db)
    return true
  }

  /// Tries a task again now: one that failed, was called off or waits for its time. Its counters
  /// begin anew.
  ///
  /// - Returns: whether there was something to do.
  /// - Throws: `conflict` for one in quarantine, which `release` lets go.
  package func retry(_ task: TaskRow, _ db: borrowing Connection) throws -> Bool {
    switch task.phase {
    case .quarantined:
      throw HoldfastError(
        .conflict, "Task \(task.id) is in quarantine: three processes died while it ran.",
        hint: "`holdfast tasks release` lets it go.")
    case .running, .done, .ready, .parked: return false
    case .waiting, .failed, .cancelled:
      if task.phase == .waiting, task.wait == .tasks || task.wait == .trash { return false }
      try reopen(task, db)
      return true
    }
  }

  /// Lets a task out of quarantine.
  ///
  /// - Returns: whether it was in one.
  package func release(_ task: TaskRow, _ db: borrowing Connection) throws -> Bool {
    guard task.phase == .quarantined else { return false }
    try reopen(task, db)
    return true
  }

  private func reopen(_ task: TaskRow, _ db: borrowing Connection) throws {
    var counters = task.counters
    counters.reset()
    try store(counters, tries: 0, of: task.key, db)
    try db.run(
      "UPDATE task SET finished_ms = NULL, held_under = '' WHERE key = ?1", [.integer(task.key)])
    try place(task.key, task.recording, cause: "", db)
  }

  // MARK: standing

  /// Puts a task that no worker has where it belongs: ready, or waiting for what comes before it.
  func place(
    _ key: Int64, _ recording: RecordingID, cause: String, _ db: borrowing Connection
  ) throws {
    let unmet = try TaskRows.unmet(try TaskRows.predecessors(key, db), of: recording, db)
    let isTrash =
      try db.first(
        "SELECT deleted FROM recording WHERE id = ?1", [.blob(recording.bytes)]
      ) { $0.int64(0) != 0 } ?? false
    if isTrash {
      try stand(key, .waiting, .trash, cause: "its recording is in the trash", db)
    } else if unmet.isEmpty {
      try stand(key, .ready, .none, cause: cause, db)
    } else {
      let names = unmet.map(\.rawValue).sorted().joined(separator: ", ")
      try stand(key, .waiting, .tasks, cause: "waits for \(names)", db)
    }
  }

  func stand(
    _ key: Int64, _ phase: TaskPhase, _ wait: TaskWait, cause: String,
    _ db: borrowing Connection
  ) throws {
    try db.run(
      "UPDATE task SET phase = ?2, wait = ?3, cause = ?4 WHERE key = ?1",
      [.integer(key), .text(phase.rawValue), .text(wait.rawValue), .text(cause)])
  }

  /// Writes what a claim, a unit and a completion change of a task, in one statement.
  func store(_ task: TaskRow, _ db: borrowing Connection) throws {
    try db.run(
      """
      UPDATE task SET phase = ?2, wait = ?3, cause = ?4, turn = ?5, failures = ?6,
        interruptions = ?7, deaths = ?8, tries = ?9, progress = ?10, unit = ?11, cursor = ?12,
        checkpoint = ?13, pass = ?14, epoch = ?15, claim = ?16, finished_ms = ?17 WHERE key = ?1
      """,
      [
        .integer(task.key), .text(task.phase.rawValue), .text(task.wait.rawValue),
        .text(task.cause), .integer(Int64(clamping: task.turn)),
        .integer(Int64(task.counters.failures)), .integer(Int64(task.counters.interruptions)),
        .integer(Int64(task.counters.deaths)), .integer(Int64(task.tries)),
        .integer(Int64(task.progress.units)), .integer(Int64(clamping: task.unit)),
        .blob(task.cursor.bytes), task.checkpoint.map { .blob($0) } ?? .null,
        task.pass.map { .blob($0.bytes) } ?? .null, .integer(Int64(clamping: task.epoch)),
        .integer(Int64(clamping: task.claim)),
        task.finishedMilliseconds.map { .integer($0) } ?? .null,
      ])
  }

  func settle(
    _ key: Int64, _ phase: TaskPhase, cause: String, _ db: borrowing Connection
  ) throws {
    try db.run(
      "UPDATE task SET phase = ?2, wait = '', cause = ?3, finished_ms = ?4 WHERE key = ?1",
      [.integer(key), .text(phase.rawValue), .text(cause), .integer(now)])
  }

  func store(
    _ counters: TaskCounters, tries: UInt32, of key: Int64, _ db: borrowing Connection
  ) throws {
    try db.run(
      """
      UPDATE task SET failures = ?2, interruptions = ?3, deaths = ?4, tries = ?5 WHERE key = ?1
      """,
      [
        .integer(key), .integer(Int64(counters.failures)),
        .integer(Int64(counters.interruptions)), .integer(Int64(counters.deaths)),
        .integer(Int64(tries)),
      ])
  }

  /// Tasks that wait for one that comes to nothing say so.
  func tellDependents(
    of task: TaskRow, _ fate: String, _ db: borrowing Connection
  ) throws {
    try db.run(
      """
      UPDATE task SET cause = ?3 WHERE recording = ?1 AND phase = 'waiting' AND wait = 'tasks'
        AND EXISTS (SELECT 1 FROM task_after a WHERE a.task_key = task.key AND a.kind = ?2)
      """,
      [
        .blob(task.recording.bytes), .text(task.kind.rawValue),
        .text("waits for \(task.kind.rawValue), \(fate)"),
      ])
  }

  /// Tasks that waited for a kind of this recording are placed anew.
  func wakeDependents(of task: TaskRow, _ db: borrowing Connection) throws {
    let waiting = try db.all(
      """
      SELECT key FROM task WHERE recording = ?1 AND phase = 'waiting' AND wait = 'tasks'
        AND EXISTS (SELECT 1 FROM task_after a WHERE a.task_key = task.key AND a.kind = ?2)
      """, [.blob(task.recording.bytes), .text(task.kind.rawValue)]
    ) { $0.int64(0) }
    for key in waiting { try place(key, task.recording, cause: "", db) }
  }
}

extension TaskKind {
  /// Whether it may name work: 1 to 64 letters, digits, dots, dashes or underscores.
  package var isName: Bool {
    (1...64).contains(rawValue.utf8.count)
      && rawValue.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"),
          UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }
}

extension StoreWriter {
  /// The queue of deferred work, to be used inside a commit.
  package var tasks: TaskBook { TaskBook(log: log, environment: environment, epoch: epoch) }
}
