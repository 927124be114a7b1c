package import HoldfastModel
import HoldfastSQLite

/// A task that a launch had in hand when it ended.
package struct ReleasedTask: Hashable, Sendable {
  package var task: TaskID
  package var kind: TaskKind
  package var recording: RecordingID
  /// Where it stands now: ready, or quarantined.
  package var phase: TaskPhase
  /// How its launch ended, as it counts for the task.
  package var end: ClaimEnd
}

/// Frees the claims of launches that are dead (T8): at once, whatever their age. A living launch's
/// claim is never touched, however long it was frozen.
package enum TaskRecovery {
  /// A launch that has a task in hand, as the rows tell.
  struct Holder {
    /// Nil when the rows do not know the epoch.
    var launch: LaunchID?
    /// How it ended, if that was recorded.
    var ending: LaunchVerdict.Kind?
  }

  /// Frees the claims of every launch that has ended.
  ///
  /// - Parameter ending: how a launch ended, or nil while it lives.
  /// - Returns: the tasks that were in hand, in the order of their claims.
  static func run(
    now: Int64, _ db: borrowing Connection, _ ending: (Holder) -> LaunchVerdict.Kind?
  ) throws -> [ReleasedTask] {
    let running = try db.all(
      """
      SELECT t.id, l.id, l.ending FROM task t LEFT JOIN launch l ON l.epoch = t.epoch
      WHERE t.phase = 'running' ORDER BY t.turn
      """, []
    ) {
      (
        Digest($0.blob(0)),
        Holder(
          launch: $0.optionalBlob(1).flatMap { LaunchID($0) },
          ending: $0.optionalText(2).map { LaunchVerdict.Kind(rawValue: $0) })
      )
    }
    var released: [ReleasedTask] = []
    for (digest, holder) in running {
      guard let kind = ending(holder), let digest,
        let task = try TaskRows.one(TaskID(digest: digest), db)
      else { continue }
      released.append(try release(task, kind, now: now, db))
    }
    return released
  }

  private static func release(
    _ task: TaskRow, _ kind: LaunchVerdict.Kind, now: Int64, _ db: borrowing Connection
  ) throws -> ReleasedTask {
    let end: ClaimEnd = kind.isSilentDeath ? .silentDeath : .innocent
    var counters = task.counters
    counters.launchEnded(end)
    let phase: TaskPhase = counters.isDeadly ? .quarantined : .ready
    let cause =
      counters.isDeadly
      ? "\(TaskCounters.deathBound) processes in a row died while it ran"
      : "its process ended while it ran (\(kind.rawValue))"
    try db.run(
      """
      UPDATE task SET phase = ?2, wait = '', cause = ?3, interruptions = ?4, deaths = ?5,
        finished_ms = ?6 WHERE key = ?1
      """,
      [
        .integer(task.key), .text(phase.rawValue), .text(cause),
        .integer(Int64(counters.interruptions)), .integer(Int64(counters.deaths)),
        phase == .quarantined ? .integer(now) : .null,
      ])
    return ReleasedTask(
      task: task.id, kind: task.kind, recording: task.recording, phase: phase, end: end)
  }
}

extension LaunchVerdict.Kind {
  /// Whether a process that ended so died by its own doing, as far as we know: such a death counts
  /// against the work that it was doing (T1). An end while suspended, a power-off, an expiry or a
  /// clean end does not.
  package var isSilentDeath: Bool {
    [.killedInForeground, .killedAfterStaleProgress, .unknown, .crashed].contains(self)
  }
}
