package import HoldfastModel
package import HoldfastSQLite

/// A worker's hold of a task (T2): good as long as the task carries this epoch and this counter.
package struct TaskClaim: Hashable, Sendable {
  package var task: TaskID
  package var kind: TaskKind
  /// The recording that results are bound to (T7).
  package var recording: RecordingID
  /// The epoch of the launch that claimed it.
  package var epoch: UInt64
  /// Which claim of the task it is.
  package var counter: UInt64
  var key: Int64

  /// The task of a claim: `?1` key, `?2` epoch, `?3` counter.
  static let held = """
    SELECT \(TaskRow.columns) FROM task
    WHERE key = ?1 AND epoch = ?2 AND claim = ?3 AND phase = 'running'
    """
  var values: [SQLiteValue] {
    [.integer(key), .integer(Int64(clamping: epoch)), .integer(Int64(clamping: counter))]
  }
}

/// What a unit gave, beside its segments.
package struct UnitCommit: Hashable, Sendable {
  /// How far the tracks are done with it.
  package var cursor: WorkCursor
  /// The handler's own words about where it is; nil keeps the ones before.
  package var checkpoint: [UInt8]?
  package var progress: TaskProgress
  /// The pass that its segments went to.
  package var pass: Digest?

  package init(
    cursor: WorkCursor, checkpoint: [UInt8]? = nil, progress: TaskProgress, pass: Digest? = nil
  ) {
    self.cursor = cursor
    self.checkpoint = checkpoint
    self.progress = progress
    self.pass = pass
  }
}

extension TaskBook {
  /// Gives a ready task to this launch. The death that the attempt may be is counted in the same
  /// commit (T1).
  ///
  /// - Returns: nil when it is not ready: somebody was faster.
  package func claim(_ id: TaskID, _ db: borrowing Connection) throws -> TaskClaim? {
    guard var task = try TaskRows.one(id, db), task.phase == .ready || task.phase == .parked
    else { return nil }
    return try claim(&task, db)
  }

  /// Gives a task to this launch that this transaction found to be ready.
  func claim(_ task: inout TaskRow, _ db: borrowing Connection) throws -> TaskClaim {
    task.counters.begin()
    task.stand(.running, .none, cause: "")
    task.epoch = epoch
    task.claim += 1
    task.turn = try nextTurn(db)
    try store(task, db)
    return TaskClaim(
      task: task.id, kind: task.kind, recording: task.recording, epoch: epoch,
      counter: task.claim, key: task.key)
  }

  /// The task of a claim that still holds; nil when it was taken over, called off or removed.
  package func held(_ claim: TaskClaim, _ db: borrowing Connection) throws -> TaskRow? {
    try db.first(TaskClaim.held, claim.values) { try TaskRow($0) }
  }

  /// Takes what a unit gave (T3): the caller writes its segments in the same transaction.
  ///
  /// - Returns: the task as it stands now; nil when the claim holds no more, and nothing was done.
  @discardableResult
  package func commit(
    _ unit: UnitCommit, under claim: TaskClaim, _ db: borrowing Connection
  ) throws -> TaskRow? {
    guard var task = try held(claim, db) else { return nil }
    task.take(unit)
    try store(task, db)
    return task
  }

  /// A unit is over and the task goes on with another one at its turn.
  package func yield(_ claim: TaskClaim, _ db: borrowing Connection) throws {
    guard var task = try held(claim, db) else { return }
    task.giveBack()
    try store(task, db)
  }

  /// Ends a task with its results (T2). An empty artefact is none.
  ///
  /// - Returns: whether it is done now. False when the claim holds no more: the results are kept as
  ///   late ones, as candidates, while the recording is there.
  /// - Throws: `invalidArgument` when there is no result that says anything.
  @discardableResult
  package func complete(
    _ claim: TaskClaim, _ results: [ResultFact], _ db: borrowing Connection
  ) throws -> Bool {
    try complete(try held(claim, db), claim, results, db)
  }

  /// Ends the task of a claim that was looked up in this transaction.
  func complete(
    _ held: TaskRow?, _ claim: TaskClaim, _ results: [ResultFact], _ db: borrowing Connection
  ) throws -> Bool {
    let telling = results.filter { !$0.artefact.isEmpty }
    guard !telling.isEmpty else {
      throw HoldfastError(.invalidArgument, "A task without a result is not complete.")
    }
    guard held != nil || claim.isOfLivingRecording(db) else { return false }
    try log.add(
      telling.map { ChangeLog.Draft(.result, $0.body) }, to: claim.recording, db)
    for result in telling {
      try TaskProjection(hashing: environment.hashing).insert(
        result, claim.recording, madeMilliseconds: now, isLate: held == nil, db)
    }
    guard var task = held else { return false }
    task.complete(atMilliseconds: now)
    try store(task, db)
    try wakeDependents(of: task, db)
    return true
  }

  /// An attempt failed (T4).
  ///
  /// - Parameters:
  ///   - cause: what went wrong, for people.
  ///   - delayMilliseconds: how long to wait before the next attempt, given how many came to
  ///     nothing in a row.
  /// - Returns: whether the claim held.
  @discardableResult
  package func fail(
    _ claim: TaskClaim, _ failure: FailureClass, cause: String,
    delayMilliseconds: (_ tries: UInt32) -> Int64, _ db: borrowing Connection
  ) throws -> Bool {
    guard let task = try held(claim, db) else { return false }
    var counters = task.counters
    counters.fail(failure)
    let tries = min(task.tries, UInt32.max - 1) + 1
    try store(counters, tries: tries, of: task.key, db)
    if counters.isSpent {
      try settle(task.key, .failed, cause: cause, db)
      try tellDependents(of: task, "which failed: \(cause)", db)
    } else if failure == .missingInput {
      try stand(task.key, .waiting, .input, cause: cause, db)
    } else {
      let delay = max(delayMilliseconds(tries), 0)
      try stand(task.key, .waiting, .retry, cause: cause, db)
      try db.run(
        "UPDATE task SET retry_set_ms = ?2, retry_due_ms = ?3 WHERE key = ?1",
        [.integer(task.key), .integer(now), .integer(now.addingClamped(delay))])
    }
    return true
  }

  /// An attempt was ended from outside: deadline, suspension, expiry (T1). Never punished; after
  /// the bound it waits for other conditions.
  ///
  /// - Parameter conditions: those under which it was interrupted, as the runner spells them.
  /// - Returns: whether the claim held.
  @discardableResult
  package func interrupt(
    _ claim: TaskClaim, cause: String, conditions: String, _ db: borrowing Connection
  ) throws -> Bool {
    guard let task = try held(claim, db) else { return false }
    var counters = task.counters
    counters.interrupt()
    try store(counters, tries: task.tries, of: task.key, db)
    try db.run(
      "UPDATE task SET held_under = ?2 WHERE key = ?1", [.integer(task.key), .text(conditions)])
    if counters.needsChange {
      let bound = TaskCounters.interruptionBound
      try stand(
        task.key, .waiting, .conditions,
        cause: "interrupted \(bound) times without progress: \(cause)", db)
    } else {
      try stand(task.key, .ready, .none, cause: cause, db)
    }
    return true
  }
}

extension TaskBook {
  /// Gives back every claim of this launch as an interruption (J9): it ends, or is suspended. What
  /// its workers bring afterwards is stale.
  package func returnClaims(cause: String, _ db: borrowing Connection) throws {
    let held = try db.all(
      "SELECT \(TaskRow.columns) FROM task WHERE phase = 'running' AND epoch = ?1",
      [.integer(Int64(clamping: epoch))]
    ) { try TaskRow($0) }
    for task in held {
      let claim = TaskClaim(
        task: task.id, kind: task.kind, recording: task.recording, epoch: epoch,
        counter: task.claim, key: task.key)
      try interrupt(claim, cause: cause, conditions: "", db)
    }
  }

  /// Whether this launch has a claim.
  package func hasClaims(_ db: borrowing Connection) throws -> Bool {
    try db.first(
      "SELECT 1 FROM task WHERE phase = 'running' AND epoch = ?1",
      [.integer(Int64(clamping: epoch))]
    ) { $0.int64(0) } != nil
  }
}

extension TaskRow {
  /// A unit was committed under the claim.
  mutating func take(_ commit: UnitCommit) {
    counters.progress()
    tries = 0
    unit += 1
    cursor = commit.cursor
    checkpoint = commit.checkpoint ?? checkpoint
    progress = max(progress, commit.progress)
    pass = commit.pass ?? pass
  }

  /// The attempt is over without harm, and the task may go on at its turn.
  mutating func giveBack() {
    counters.endCleanly()
    stand(.ready, .none, cause: "")
  }

  /// The task has its results.
  mutating func complete(atMilliseconds now: Int64) {
    counters.endCleanly()
    tries = 0
    stand(.done, .none, cause: "")
    progress = TaskProgress(units: TaskProgress.whole)
    checkpoint = nil
    finishedMilliseconds = now
  }

  /// Where it stands from now on, and why.
  mutating func stand(_ phase: TaskPhase, _ wait: TaskWait, cause: String) {
    self.phase = phase
    self.wait = wait
    self.cause = cause
  }
}

extension TaskClaim {
  /// Whether the recording is there: of a purged one nothing is kept.
  func isOfLivingRecording(_ db: borrowing Connection) -> Bool {
    let purged = try? db.first(
      "SELECT purged FROM recording WHERE id = ?1", [.blob(recording.bytes)]
    ) { $0.int64(0) }
    return purged == 0
  }
}

extension Int64 {
  /// The sum, held to the largest number.
  func addingClamped(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }
}
