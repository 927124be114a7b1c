package import HoldfastModel
package import HoldfastSQLite

/// Beginning, resuming and ending recordings.
///
/// Invariants: J1 (recording, track and take are committed, durably, before the first chunk); L1
/// (only the launch that records a take closes it).
extension StoreWriter {
  /// Makes a recording in the phase *recording*, captured by this launch.
  ///
  /// `check` looks at the store in the transaction that makes it; when it throws, nothing is made.
  package func startRecording(
    _ seed: RecordingSeed, unless check: (borrowing Connection) throws -> Void = { _ in }
  ) throws(HoldfastError) -> RecordingID {
    let id = RecordingID(random: environment.random)
    let now = environment.clock.now()
    let fact = RecordingFact(
      startedMilliseconds: now.wallMilliseconds, externalID: seed.externalID,
      sourceBytes: seed.sourceBytes)
    var drafts = [ChangeLog.Draft(.recordingCreated, fact.body)]
    drafts += Self.edits(seed, in: nil)
    drafts.append(
      ChangeLog.set(
        RegisterField.phase,
        PhaseValue(.recording, reason: .stop, atMilliseconds: now.wallMilliseconds).canonical,
        in: nil))
    try database.commit { db in
      try check(db)
      try Anchor(recording: id, launch: launch, start: now).store(db)
      try log.append(drafts, to: id, db)
      try tasks.enqueue(pipeline: options.pipeline, on: id, db)
    }
    return id
  }

  /// The register changes that bring a recording to what a seed says.
  static func edits(_ seed: RecordingSeed, in state: RecordingState?) -> [ChangeLog.Draft] {
    var drafts: [ChangeLog.Draft] = []
    if let title = seed.title, title != state?.title {
      drafts.append(ChangeLog.set(RegisterField.title, .text(title), in: state))
    }
    if let at = seed.recordedAtMilliseconds,
      at != state?.registers[RegisterField.recordedAt]?.value.integer
    {
      drafts.append(ChangeLog.set(RegisterField.recordedAt, .integer(at), in: state))
    }
    for (name, value) in seed.attributes.sorted(by: { $0.key < $1.key })
    where value != state?.attributes[name] && !(value == .null && state?.attributes[name] == nil) {
      drafts.append(ChangeLog.set(RegisterField.attributePrefix + name, value, in: state))
    }
    return drafts
  }

  /// Brings a recording that waits, was interrupted or stopped back to *recording*, in this launch.
  ///
  /// - Throws: `notFound`; `conflict` when it is deleted or another living launch captures it.
  package func resumeRecording(_ id: RecordingID) throws(HoldfastError) {
    let now = environment.clock.now()
    try database.commit { db in
      let alive = try aliveLaunches()
      let state = try existing(id, db)
      guard !state.isDeleted else { throw Self.deleted(id) }
      let anchor = try Anchor.of(id, db)
      if let anchor, anchor.launch != launch, alive.contains(anchor.launch),
        state.phase.phase == .recording
      {
        throw HoldfastError(
          .conflict, "Recording \(id) is being captured by another process.",
          hint: "Stop it there first.")
      }
      let start =
        anchor?.start
        ?? Moment(
          monotonicNanoseconds: now.monotonicNanoseconds,
          wallMilliseconds: state.created?.startedMilliseconds ?? now.wallMilliseconds,
          boot: .none)
      try Anchor(recording: id, launch: launch, start: start).store(db)
      let place = RecordingClock(start: start).place(now)
      let value = PhaseValue(
        .recording, reason: state.phase.reason, atMilliseconds: place.wallMilliseconds)
      try log.append(
        [ChangeLog.set(RegisterField.phase, value.canonical, in: state)], to: id, db)
      // What was done was done on less than there will be: a new final input is a new generation.
      try tasks.enqueue(pipeline: options.pipeline, on: id, db)
    }
  }

  /// Moves a recording to another phase.
  package func setPhase(
    _ phase: RecordingPhase, of id: RecordingID, reason: GapReason
  ) throws(HoldfastError) {
    let now = environment.clock.now()
    try database.commit { db in
      let state = try existing(id, db)
      guard state.phase.phase != phase || state.phase.reason != reason else { return }
      let at = try Anchor.of(id, db).map { RecordingClock(start: $0.start).place(now) }
      let value = PhaseValue(
        phase, reason: reason, atMilliseconds: at?.wallMilliseconds ?? now.wallMilliseconds,
        recovered: state.phase.recovered && phase == .stopped)
      try log.append(
        [ChangeLog.set(RegisterField.phase, value.canonical, in: state)], to: id, db)
    }
  }

  /// Ends a recording that nobody captures now: interrupted, pending or abandoned. One that has
  /// ended, by itself or by a death, stays what it is.
  ///
  /// - Returns: false when it had ended before.
  /// - Throws: `conflict` when a living launch captures it.
  @discardableResult
  package func stopRecording(_ id: RecordingID) throws(HoldfastError) -> Bool {
    // Rows first, then who lives: a launch has its file before it has a row.
    let open = try database.read { db in
      try db.all(
        "SELECT launch FROM take WHERE recording = ?1 AND closed_reason IS NULL",
        [.blob(id.bytes)]
      ) { $0.optionalBlob(0).flatMap { LaunchID($0) } }
    }
    let alive = try aliveLaunches()
    if open.contains(where: { $0.map(alive.contains) ?? false }) {
      throw HoldfastError(
        .conflict, "Recording \(id) is being captured by a living process.",
        hint: "End that process (SIGINT stops it cleanly), or wait for it.")
    }
    if try database.read({ try existing(id, $0).phase.phase }) == .stopped { return false }
    try setPhase(.stopped, of: id, reason: .stop)
    return true
  }

  /// Launches that hold their lock, this one among them (L1).
  package func aliveLaunches() throws(HoldfastError) -> Set<LaunchID> {
    let logs = try LaunchDirectory.read(layout, environment)
    return Set(logs.filter(\.isAlive).map(\.header.launch) + [launch])
  }

  /// The state of a recording that must exist.
  func existing(_ id: RecordingID, _ db: borrowing Connection) throws -> RecordingState {
    let state = try ChangeLog.state(of: id, db)
    guard state.created != nil, !state.isPurged else {
      throw HoldfastError(
        .notFound, "There is no recording \(id) in this store.",
        hint: "`holdfast list --all` shows what there is.")
    }
    return state
  }

  static func deleted(_ id: RecordingID) -> HoldfastError {
    HoldfastError(
      .conflict, "Recording \(id) is in the trash.", hint: "`holdfast restore` brings it back.")
  }
}
