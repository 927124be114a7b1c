import HoldfastModel
import HoldfastPlatform
package import HoldfastStore
import HoldfastTasks

/// The store as the work engine uses it.
extension StoreHost: WorkStore {
  package func workTurn(
    _ brought: (claim: TaskClaim, ending: WorkEnding)?, next search: WorkSearch?
  ) async throws(HoldfastError) -> WorkTurn {
    let turn = try await read { writer throws(HoldfastError) in
      try writer.workTurn(brought, next: search)
    }
    // Looking for work that is not there is no news.
    if brought != nil || turn.order != nil { changeHub.bump() }
    return turn
  }

  package func workTakes(
    of recording: RecordingID
  ) async throws(HoldfastError) -> (takes: [TakeSpan], isOver: Bool) {
    try await query { db in
      guard let found = try RecordingRows.one(recording, db) else {
        throw HoldfastError(.notFound, "Recording \(recording) is gone.")
      }
      return (found.takes.map(\.span), found.phase.phase == .stopped)
    }
  }

  package nonisolated func beat(_ heartbeat: LaunchHeartbeat) {
    launchFileNow?.beat(heartbeat)
  }
}
