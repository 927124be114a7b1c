/// The replicated state of one recording, derived from the set of its changes.
///
/// Invariant (S1): ``init(_:changes:)`` is a function of the *set*: order, duplicates and route
/// change nothing. Where facts with one name differ (a log issued again after a rewind), the
/// smallest (stamp, origin, sequence) is taken; of extents and closings, the one that covers most.
package struct RecordingState: Hashable, Sendable {
  /// One register: its current value and those that lost the merge (S5).
  package struct Register: Hashable, Sendable {
    package var value: CanonicalValue
    package var name: ChangeName
    /// Unreplaced values that are not shown, largest first.
    package var conflicts: [Value]
    /// A value with the change that set it.
    package struct Value: Hashable, Sendable {
      package var value: CanonicalValue
      package var name: ChangeName
    }
    /// The names that a new value replaces: all that are unreplaced.
    package var heads: [ChangeName] { [name] + conflicts.map(\.name) }
  }

  /// One take with what is known of its end.
  package struct Take: Hashable, Sendable {
    package var fact: TakeFact
    package var extent: ExtentFact?
    package var closed: ClosedFact?
  }

  package let id: RecordingID
  /// The creation; nil while only other changes of the recording have arrived.
  package private(set) var created: RecordingFact?
  /// The change that created it; its origin is where the recording was made.
  package private(set) var createdBy: ChangeName?
  /// Tracks in the order of their creation.
  package private(set) var tracks: [TrackFact] = []
  /// Takes by track (in the order of `tracks`) and index.
  package private(set) var takes: [Take] = []
  package private(set) var registers: [String: Register] = [:]
  /// The causal length: odd is deleted (S6).
  package private(set) var life: UInt64 = 0
  /// Whether the user removed it for good, everywhere.
  package private(set) var isPurged = false

  /// Derives the state.
  ///
  /// - Parameters:
  ///   - id: the recording.
  ///   - changes: its changes in any order, duplicates allowed; those of other recordings and of
  ///     unknown kinds are passed over.
  package init(_ id: RecordingID, changes: some Sequence<Change>) {
    self.id = id
    var seen: [ChangeName: Change] = [:]
    for change in changes where change.recording == id { seen[change.name] = change }
    let ordered = seen.values.sorted { ($0.stamp, $0.name) < ($1.stamp, $1.name) }
    var replaced: Set<ChangeName> = []
    for change in ordered { replaced.formUnion(change.replaces) }
    var values: [String: [Register.Value]] = [:]
    var ends = Ends()
    var opened: [TakeID: TakeFact] = [:]
    for change in ordered {
      switch change.kind {
      case .recordingCreated where created == nil:
        created = RecordingFact(change.body)
        if created != nil { createdBy = change.name }
      case .trackCreated:
        if let fact = TrackFact(change.body), !tracks.contains(where: { $0.track == fact.track }) {
          tracks.append(fact)
        }
      case .takeOpened:
        if let fact = TakeFact(change.body), opened[fact.take] == nil { opened[fact.take] = fact }
      case .takeExtent: ends.take(ExtentFact(change.body))
      case .takeClosed: ends.take(ClosedFact(change.body))
      case .registerSet where !replaced.contains(change.name):
        if let field = change.body["f"]?.text, let value = change.body["v"] {
          values[field, default: []].append(.init(value: value, name: change.name))
        }
      case .life: life = max(life, change.body["n"]?.unsigned ?? 0)
      case .purge: isPurged = true
      default: break
      }
    }
    settle(values: values, opened: opened, ends: ends)
  }

  private struct Ends {
    var extents: [TakeID: ExtentFact] = [:]
    var closings: [TakeID: ClosedFact] = [:]

    mutating func take(_ fact: ExtentFact?) {
      guard let fact else { return }
      let old = extents[fact.take]
      if old.map({ ($0.chunks, $0.digest) < (fact.chunks, fact.digest) }) ?? true {
        extents[fact.take] = fact
      }
    }

    /// Facts come in the order of (stamp, name), so that of equal ones the first stays.
    mutating func take(_ fact: ClosedFact?) {
      guard let fact else { return }
      if closings[fact.take].map({ $0.chunks < fact.chunks }) ?? true {
        closings[fact.take] = fact
      }
    }
  }

  private mutating func settle(
    values: [String: [Register.Value]], opened: [TakeID: TakeFact], ends: Ends
  ) {
    for (field, unreplaced) in values {
      // In the order of (stamp, origin, sequence): the last is the largest.
      let losers = unreplaced.dropLast().reversed()
      if let shown = unreplaced.last {
        registers[field] = Register(
          value: shown.value, name: shown.name, conflicts: Array(losers))
      }
    }
    var ordinals: [TrackID: Int] = [:]
    for (ordinal, track) in tracks.enumerated() { ordinals[track.track] = ordinal }
    takes = opened.values.map {
      Take(fact: $0, extent: ends.extents[$0.take], closed: ends.closings[$0.take])
    }.sorted {
      let left = ordinals[$0.fact.track] ?? .max
      let right = ordinals[$1.fact.track] ?? .max
      return (left, $0.fact.index, $0.fact.take) < (right, $1.fact.index, $1.fact.take)
    }
  }
}
