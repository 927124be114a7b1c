/// The replicated transcripts of one recording, derived from the set of its changes.
///
/// Invariant (S1): ``init(_:changes:)`` is a function of the *set*: order, duplicates and route
/// change nothing. Of two changes with one name (a pass opened twice, a unit delivered twice, with
/// whatever labels) the one with the smallest (stamp, origin, sequence) counts, so that no text
/// doubles.
package struct TranscriptState: Hashable, Sendable {
  /// One pass with what is known of it.
  package struct Pass: Hashable, Sendable {
    package var fact: PassFact
    package var stamp: Stamp
    /// Whether it has all its units.
    package var isClosed: Bool
    /// Its units, and of long ones the parts, in their order.
    package var parts: [Part]

    package var id: PassID { fact.pass }
    package var words: UInt64 { parts.reduce(0) { $0 + $1.fact.words } }
    package var segments: [PassSegment] { parts.flatMap(\.fact.segments) }
    /// What the choice of the current pass needs to know.
    package var summary: PassSummary {
      PassSummary(
        hash: id.digest, isLive: fact.draft.isLive, isFinal: isClosed, words: words,
        quality: fact.draft.quality)
    }
  }

  /// A part of a unit with the change that says it.
  package struct Part: Hashable, Sendable {
    package var name: ChangeName
    package var fact: UnitFact
  }

  package let recording: RecordingID
  /// Passes in the order in which they were begun.
  package private(set) var passes: [Pass] = []
  /// Overlays that nothing replaces, those taken back too, in the order of (stamp, name).
  package private(set) var overlays: [Overlay] = []

  /// Derives the state.
  ///
  /// - Parameter changes: changes in any order, duplicates allowed; those of other recordings and
  ///   of other kinds are passed over.
  package init(_ recording: RecordingID, changes: some Sequence<Change>) {
    self.recording = recording
    var seen: [ChangeName: Change] = [:]
    for change in changes where change.recording == recording && change.kind.isOfTranscript {
      seen[change.name] = change
    }
    let ordered = seen.values.sorted { ($0.stamp, $0.name) < ($1.stamp, $1.name) }
    var opened: [PassID: Pass] = [:]
    var order: [PassID] = []
    var closed: Set<PassID> = []
    var units: [PassID: Units] = [:]
    var replaced: Set<ChangeName> = []
    for change in ordered {
      switch change.kind {
      case .passOpened:
        guard let fact = PassFact(change.body), opened[fact.pass] == nil else { continue }
        opened[fact.pass] = Pass(fact: fact, stamp: change.stamp, isClosed: false, parts: [])
        order.append(fact.pass)
      case .passSegments:
        guard let fact = UnitFact(change.body) else { continue }
        units[fact.pass, default: Units()].take(Part(name: change.name, fact: fact))
      case .passClosed:
        if let fact = PassClosedFact(change.body) { closed.insert(fact.pass) }
      default: replaced.formUnion(change.replaces)
      }
    }
    for id in order {
      guard var pass = opened[id] else { continue }
      pass.isClosed = closed.contains(id)
      pass.parts = units[id]?.parts ?? []
      passes.append(pass)
    }
    overlays = ordered.filter { $0.kind == .overlay && !replaced.contains($0.name) }.compactMap {
      guard let fact = OverlayFact($0.body) else { return nil }
      return Overlay(name: $0.name, stamp: $0.stamp, fact: fact)
    }
  }

  /// The pass that is shown (X1).
  package func current(chosen: PassID?) -> Pass? {
    let hash = CurrentPass.hash(among: passes.map(\.summary), chosen: chosen?.digest)
    return passes.first { $0.id.digest == hash }
  }

  /// The units of a pass as they come, earliest first.
  private struct Units {
    private var deliveries: [UInt64: [UInt8]] = [:]
    private var taken: [UInt64: [UInt32: Part]] = [:]

    mutating func take(_ part: Part) {
      let fact = part.fact
      let delivery = deliveries[fact.number] ?? fact.delivery
      deliveries[fact.number] = delivery
      guard fact.delivery == delivery, taken[fact.number]?[fact.part] == nil else { return }
      taken[fact.number, default: [:]][fact.part] = part
    }

    var parts: [Part] {
      taken.values.flatMap(\.values).sorted {
        ($0.fact.number, $0.fact.part) < ($1.fact.number, $1.fact.part)
      }
    }
  }
}
