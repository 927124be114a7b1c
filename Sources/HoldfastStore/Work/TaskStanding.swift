package import HoldfastModel
package import HoldfastSQLite

/// Where a task stands for those who look at it (S8): whatever waits names its cause and what ends
/// the wait.
package struct TaskStanding: Hashable, Sendable {
  /// A task that no launch has, of a kind that does not run on this device now, waits.
  package var phase: TaskPhase
  /// Why, for people; empty when nothing is to be said.
  package var cause: String
  /// What ends it, for people; empty where nothing is waited for.
  package var wake: String

  package init(phase: TaskPhase, cause: String, wake: String) {
    self.phase = phase
    self.cause = cause
    self.wake = wake
  }

  /// A task as it stands, in the transaction that read it.
  package init(_ task: TaskRow, _ db: borrowing Connection) throws {
    phase = task.phase
    cause = task.cause
    wake = Self.wake(of: task)
    guard task.phase == .ready || task.phase == .parked else { return }
    if task.phase == .ready, try Self.goesOn(task.recording, db) {
      if cause.isEmpty { cause = "the recording goes on" }
      wake = "more sound arrives, or the recording stops"
    } else if let obstacle = try KindObstacles.read(db).all[task.kind] {
      phase = .waiting
      (cause, wake) = (obstacle.cause, obstacle.wake)
    }
  }

  private static func wake(of task: TaskRow) -> String {
    switch task.phase {
    case .waiting:
      switch task.wait {
      case .tasks: "those tasks are done"
      case .input: "the audio arrives"
      case .retry: "the time has passed, or it is retried"
      case .conditions: "conditions change, or it is retried"
      case .trash: "the recording is restored"
      case .none: "it is retried"
      }
    case .parked: "work runs with a handler for the kind"
    case .failed: "it is retried"
    case .quarantined: "it is released"
    case .ready, .running, .done, .cancelled: ""
    }
  }

  private static func goesOn(
    _ recording: RecordingID, _ db: borrowing Connection
  ) throws -> Bool {
    try db.first(
      """
      SELECT 1 FROM recording WHERE id = ?1 AND purged = 0 AND \(RecordingRows.unfinished)
      """, [.blob(recording.bytes)]
    ) { $0.int64(0) } != nil
  }
}
