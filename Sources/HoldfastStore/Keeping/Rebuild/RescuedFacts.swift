import HoldfastModel
import HoldfastSQLite

/// Says again what every recording must have said of it: that it exists, and the names of its
/// tracks.
///
/// Invariant: no recording of which a take or a title is left is hidden because the change that
/// made it was lost. Times and names come from the reels' headers; where there is none, from what
/// is left.
struct RescuedFacts {
  /// Everything from outside.
  let environment: StoreEnvironment
  /// Headers of all reels of the old store.
  let headers: [ReelHeader]

  /// Appends what is absent, inside a transaction.
  func complete(_ db: borrowing Connection) throws {
    let log = ChangeLog(environment)
    let ids = try db.all(
      "SELECT DISTINCT recording FROM change WHERE recording IS NOT NULL AND bytes IS NOT NULL"
    ) { RecordingID($0.blob(0)) }
    for case .some(let id) in ids {
      let state = try ChangeLog.state(of: id, db)
      guard !state.isPurged else { continue }
      let drafts = drafts(state)
      if !drafts.isEmpty { try log.append(drafts, to: id, db) }
    }
  }

  private func drafts(_ state: RecordingState) -> [ChangeLog.Draft] {
    var drafts: [ChangeLog.Draft] = []
    if state.created == nil {
      let header = headers.first { $0.recording == state.id }
      let earliest = state.takes.map(\.fact.openedMilliseconds).min()
      let start =
        header?.recordingStarted.wallMilliseconds ?? earliest ?? state.phase.atMilliseconds
      drafts.append(.init(.recordingCreated, RecordingFact(startedMilliseconds: start).body))
    }
    var known = Set(state.tracks.map(\.track))
    for take in state.takes where known.insert(take.fact.track).inserted {
      let name = headers.first { $0.track == take.fact.track }?.trackName
      let fact = TrackFact(track: take.fact.track, name: name ?? "track \(take.fact.track)")
      drafts.append(.init(.trackCreated, fact.body))
    }
    return drafts
  }
}
