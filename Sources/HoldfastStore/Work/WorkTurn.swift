package import HoldfastModel
import HoldfastSQLite

/// What became of what a worker brought.
package enum WorkFate: Hashable, Sendable {
  /// Nothing was brought.
  case none
  /// It stands.
  case taken
  /// The claim held no more: nothing was taken, but a result is kept as a late one.
  case stale
  /// Segments have no place in the recording: the handler broke its contract, and nothing of the
  /// unit was taken.
  case refused(String)
}

/// How a worker looks for its next unit.
package struct WorkSearch: Sendable {
  /// What it handles, with the kinds that must be done before by the handler's word.
  package var kinds: [TaskKind: Set<TaskKind>]
  /// The conditions that hold, as the runner spells them.
  package var conditions: String
  /// The kinds of these that do not run on this device now; nil: as was said before.
  package var obstacles: KindObstacles?
  /// Tasks that are not to be claimed now: an abandoned attempt still runs in this process.
  package var except: Set<TaskID>
  /// Chooses among tasks that no launch holds.
  package var choose: @Sendable ([WorkCandidate], Set<RecordingID>) -> TaskID?

  package init(
    kinds: [TaskKind: Set<TaskKind>], conditions: String, obstacles: KindObstacles? = nil,
    except: Set<TaskID> = [],
    choose: @escaping @Sendable ([WorkCandidate], Set<RecordingID>) -> TaskID?
  ) {
    self.kinds = kinds
    self.conditions = conditions
    self.obstacles = obstacles
    self.except = except
    self.choose = choose
  }
}

/// A task that may be chosen.
package struct WorkCandidate: Hashable, Sendable {
  package var task: TaskRow
  /// The takes of a recording that is not over, else empty.
  package var takes: [TakeSpan]
}

/// A task that was claimed, with what its unit needs to know.
package struct WorkOrder: Sendable {
  package var claim: TaskClaim
  package var task: TaskRow
  package var recording: RecordingSummary
  /// Grows with the input (T7): chunks that are here, and passes that are closed.
  package var inputRevision: UInt64
}

/// What one transaction did and found.
package struct WorkTurn: Sendable {
  package var fate = WorkFate.none
  package var order: WorkOrder?
  /// Whether other kinds than before cannot run here.
  package var hasNews = false
  /// Milliseconds after which to look again: a wait by the clock is over then, or another process
  /// may have died that has a task in hand. Nil without either, or when there is work.
  package var wakeMilliseconds: Int64?
}

/// What a look before the commit found.
private enum WorkProspect {
  case nothing
  /// Something is to be written, or it was not looked.
  case search
  case task(TaskID)
}

extension StoreWriter {
  /// Candidates of each kind that are looked at, those that waited for the most turns: few, and
  /// more where none of them can run. So a claim costs the same whatever the number that waits.
  private static let windows: [UInt64] = [2, 16]

  /// Takes what a worker brings and gives it the next claim, in one power-safe commit (T2, T3).
  /// Without either nothing is written. Where nothing is found to claim, the claims of processes
  /// that died meanwhile are freed, and it is looked for once more (T8).
  package func workTurn(
    _ brought: (claim: TaskClaim, ending: WorkEnding)?, next search: WorkSearch?
  ) throws(HoldfastError) -> WorkTurn {
    var turn = try ownTurn(brought, next: search)
    guard let search, turn.order == nil else { return turn }
    let (freed, hasNeighbours) = try freeDeadClaims()
    if freed > 0 {
      let again = try ownTurn(nil, next: search)
      (turn.order, turn.wakeMilliseconds) = (again.order, again.wakeMilliseconds)
    }
    if hasNeighbours, turn.order == nil {
      turn.wakeMilliseconds = min(turn.wakeMilliseconds ?? .max, Self.neighbourLook)
    }
    return turn
  }

  private func ownTurn(
    _ brought: (claim: TaskClaim, ending: WorkEnding)?, next search: WorkSearch?
  ) throws(HoldfastError) -> WorkTurn {
    var prospect = WorkProspect.search
    if brought == nil {
      prospect = try database.read { db in try search.map { try prospects($0, db) } ?? .nothing }
      if case .nothing = prospect {
        return WorkTurn(wakeMilliseconds: try database.read { try tasks.nextDue($0) })
      }
    }
    let turn = try database.commit { db in
      var turn = WorkTurn()
      if let brought { turn.fate = try take(brought.ending, under: brought.claim, db) }
      if let search {
        if let news = try search.news(db) {
          try news.store(db)
          turn.hasNews = true
        }
        turn.order = try expected(prospect, search, db) ?? next(search, db)
        // Where there is time: not in the commit of each unit, which must not cost more the more
        // tasks there are.
        if turn.order == nil { try tasks.prune(db) }
      }
      if turn.order == nil { turn.wakeMilliseconds = try tasks.nextDue(db) }
      return turn
    }
    checkpointIfDue()
    return turn
  }

  /// What a commit would find to do.
  private func prospects(
    _ search: WorkSearch, _ db: borrowing Connection
  ) throws -> WorkProspect {
    if try search.news(db) != nil { return .search }
    if try tasks.hasSleepers(conditions: search.conditions, db) { return .search }
    if try tasks.hasUnparked(except: Set(search.kinds.keys), db) { return .search }
    return try chosen(search, db).map { .task($0.id) } ?? .nothing
  }

  /// The task that was found before the commit, unless somebody was faster: it is not looked for
  /// twice.
  private func expected(
    _ prospect: WorkProspect, _ search: WorkSearch, _ db: borrowing Connection
  ) throws -> WorkOrder? {
    guard case .task(let id) = prospect, let task = try TaskRows.one(id, db),
      task.phase == .ready || task.phase == .parked
    else { return nil }
    return try order(of: task, search, db)
  }

  // MARK: what is brought

  private func take(
    _ ending: WorkEnding, under claim: TaskClaim, _ db: borrowing Connection
  ) throws -> WorkFate {
    switch ending {
    case .part(let output):
      guard var task = try tasks.held(claim, db) else { return .stale }
      if let refusal = try take(output, &task, db) { return .refused(refusal) }
      try tasks.store(task, db)
    case .unit(let output):
      guard var task = try tasks.held(claim, db) else { return .stale }
      if let refusal = try take(output, &task, db) { return .refused(refusal) }
      task.giveBack()
      try tasks.store(task, db)
    case .done(let output, let artefacts, let handler):
      var held = try tasks.held(claim, db)
      if var task = held {
        if let refusal = try take(output, &task, db) { return .refused(refusal) }
        held = task
      }
      return try finish(held, claim, artefacts, handler, db) ? .taken : .stale
    case .later:
      try tasks.yield(claim, db)
    case .failed(let failure, let cause, let delay):
      let held = try tasks.fail(claim, failure, cause: cause, delayMilliseconds: delay, db)
      return held ? .taken : .stale
    case .interrupted(let cause, let conditions):
      let held = try tasks.interrupt(claim, cause: cause, conditions: conditions, db)
      return held ? .taken : .stale
    }
    return .taken
  }

  /// Writes what a unit gave, and brings the task's row, which the caller stores, up to it.
  ///
  /// - Returns: why nothing of it was taken; nil when it was.
  private func take(
    _ output: UnitOutput, _ task: inout TaskRow, _ db: borrowing Connection
  ) throws -> String? {
    var pass = task.pass.map { PassID(digest: $0) }
    if output.makesPass {
      let takes = try RecordingRows.takes(of: task.recording, db).map(\.span)
      let placing = SegmentPlacing(takes: takes, track: output.track)
      let (placed, refused) = placing.place(output.segments)
      if let refusal = refused.first { return refusal.description }
      let target = try pass ?? openPass(for: task, output.handler, db)
      pass = target
      try PassWriting.append(
        TranscriptUnit(
          number: task.unit, coveredNanoseconds: output.covered, segments: placed), to: target,
        of: task.recording, log, db)
    }
    try output.time?.store(db)
    var cursor = task.cursor
    if let track = output.track { cursor.advance(track, to: output.covered.upperBound) }
    var progress = task.progress
    progress.advance(to: output.fraction)
    task.take(
      UnitCommit(
        cursor: cursor, checkpoint: output.checkpoint, progress: progress, pass: pass?.digest))
    return nil
  }

  private func openPass(
    for task: TaskRow, _ handler: HandlerStamp, _ db: borrowing Connection
  ) throws -> PassID {
    let phase = try RecordingRows.one(task.recording, db)?.phase.phase
    return try PassWriting.open(
      PassDraft(
        kind: task.kind, engine: task.kind.rawValue, version: handler.version,
        quality: handler.quality, isLive: phase != .stopped, task: task.id),
      of: task.recording, log, db)
  }

  /// The pass of a task is closed, and is a result of it.
  private func finish(
    _ task: TaskRow?, _ claim: TaskClaim, _ artefacts: [Artefact], _ handler: HandlerStamp,
    _ db: borrowing Connection
  ) throws -> Bool {
    var results = artefacts
    if let digest = task?.pass {
      let pass = PassID(digest: digest)
      try PassWriting.close(pass, of: claim.recording, log, db)
      results.append(Artefact.pass(pass))
    }
    // A stale worker that only wrote a transcript brings nothing that can be kept.
    if task == nil, results.allSatisfy(\.isEmpty) { return false }
    let revision = try inputRevision(claim.recording, db)
    return try tasks.complete(
      task, claim,
      results.map {
        ResultFact(
          task: claim.task, artefact: $0, quality: handler.quality, version: handler.version,
          inputRevision: revision)
      }, db)
  }

  // MARK: what comes next

  private func next(
    _ search: WorkSearch, _ db: borrowing Connection
  ) throws -> WorkOrder? {
    try tasks.wake(conditions: search.conditions, db)
    try tasks.park(except: Set(search.kinds.keys), db)
    while true {
      guard let task = try chosen(search, db) else { return nil }
      if let order = try order(of: task, search, db) { return order }
    }
  }

  /// Claims a task that can run; nil when it waits for something, which is written down.
  private func order(
    of found: TaskRow, _ search: WorkSearch, _ db: borrowing Connection
  ) throws -> WorkOrder? {
    var task = found
    if try isFiled(task, search, db) { return nil }
    guard let recording = try RecordingRows.one(task.recording, db) else {
      try tasks.waitForInput(task, cause: "its recording is not on this device", db)
      return nil
    }
    return WorkOrder(
      claim: try tasks.claim(&task, db), task: task, recording: recording,
      inputRevision: try inputRevision(task.recording, db))
  }

  /// Writes down a wait that is found only when it is looked for; true when there is one.
  private func isFiled(
    _ task: TaskRow, _ search: WorkSearch, _ db: borrowing Connection
  ) throws -> Bool {
    let unmet = try TaskRows.unmet(search.kinds[task.kind] ?? [], of: task.recording, db)
    if !unmet.isEmpty {
      try tasks.wait(task, for: unmet, db)
      return true
    }
    guard try lacksInput(task.recording, db) else { return false }
    try tasks.waitForInput(task, cause: "its audio is not on this device", db)
    return true
  }

  /// Whether a recording has audio and none of it is here. Holes in what is here read as silence.
  private func lacksInput(_ recording: RecordingID, _ db: borrowing Connection) throws -> Bool {
    let counts = try db.first(
      """
      SELECT coalesce(sum(extent_chunks), 0), coalesce(sum(chunks), 0) FROM take
      WHERE recording = ?1
      """, [.blob(recording.bytes)]
    ) { ($0.int64(0), $0.int64(1)) }
    guard let counts, counts.0 > 0 else { return false }
    if counts.1 == 0 { return true }
    let present = try db.first(
      """
      SELECT 1 FROM take t JOIN chunk c ON c.take_key = t.key JOIN reel r
        ON r.take_key = t.key AND r.number = c.reel
      WHERE t.recording = ?1 AND c.absent = 0 AND r.state <> 'freed' LIMIT 1
      """, [.blob(recording.bytes)]
    ) { $0.int64(0) }
    return present == nil
  }

  /// The task that comes next; nil when none can run.
  private func chosen(_ search: WorkSearch, _ db: borrowing Connection) throws -> TaskRow? {
    let unfinished = Set(try tasks.unfinished(db).map(\.recording))
    let followers = try followers(of: unfinished, search, db)
    for window in Self.windows {
      var found = followers
      let limit = window + UInt64(followers.count + search.except.count)
      for kind in search.kinds.keys {
        for task in try tasks.ready(kind, limit: limit, db) where found[task.id] == nil {
          found[task.id] = WorkCandidate(task: task, takes: [])
        }
      }
      let candidates = found.values.filter { !search.except.contains($0.task.id) }
      if let id = search.choose(candidates, unfinished) { return found[id]?.task }
    }
    return nil
  }

  /// The open tasks of recordings that are not over.
  private func followers(
    of unfinished: Set<RecordingID>, _ search: WorkSearch, _ db: borrowing Connection
  ) throws -> [TaskID: WorkCandidate] {
    var found: [TaskID: WorkCandidate] = [:]
    for recording in unfinished {
      let open = try TaskRows.all(of: recording, db).filter {
        ($0.phase == .ready || $0.phase == .parked) && search.kinds[$0.kind] != nil
      }
      guard !open.isEmpty else { continue }
      let takes = try RecordingRows.takes(of: recording, db).map(\.span)
      for task in open { found[task.id] = WorkCandidate(task: task, takes: takes) }
    }
    return found
  }

  private func inputRevision(
    _ recording: RecordingID, _ db: borrowing Connection
  ) throws -> UInt64 {
    let chunks = try db.first(
      "SELECT coalesce(sum(chunks), 0) FROM take WHERE recording = ?1", [.blob(recording.bytes)]
    ) { UInt64(clamping: $0.int64(0)) }
    let passes = try db.first(
      "SELECT count(*) FROM pass WHERE recording = ?1 AND closed = 1", [.blob(recording.bytes)]
    ) { UInt64(clamping: $0.int64(0)) }
    return (passes ?? 0) << 40 | min(chunks ?? 0, 1 << 40 - 1)
  }
}

extension Artefact {
  /// The kind of a result that is a pass of the transcript.
  package static let passKind = "pass"

  /// A pass as a result: its name.
  static func pass(_ pass: PassID) -> Artefact {
    Artefact(
      kind: passKind, contentType: "application/vnd.holdfast.pass", text: pass.digest.description)
  }
}
