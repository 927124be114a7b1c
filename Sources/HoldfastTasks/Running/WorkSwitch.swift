import HoldfastPlatform

/// Turns work off and on, from any thread, at once. Touches no database.
package final class WorkSwitch: Sendable {
  private let state = Locked(State())

  private struct State: Sendable {
    var cut: WorkCut?
    var races: [ObjectIdentifier: UnitRace] = [:]
  }

  package init() {}

  /// Ends what runs, and lets no new unit begin until ``turnOn()``.
  package func turnOff(_ cut: WorkCut) {
    let races = state.withLock { state -> [UnitRace] in
      state.cut = cut
      return Array(state.races.values)
    }
    for race in races { race.settle(.cut(cut)) }
  }

  /// Ends what runs now; new units may begin.
  func cutRunning(_ cut: WorkCut) {
    let races = state.withLock { Array($0.races.values) }
    for race in races { race.settle(.cut(cut)) }
  }

  /// Lets units begin again.
  package func turnOn() { state.withLock { $0.cut = nil } }

  /// Why no unit begins; nil when they do.
  package var cut: WorkCut? { state.withLock { $0.cut } }

  /// A unit begins: it is cut at once when the switch is off.
  func enter(_ race: UnitRace) {
    let cut = state.withLock { state -> WorkCut? in
      state.races[ObjectIdentifier(race)] = race
      return state.cut
    }
    if let cut { race.settle(.cut(cut)) }
  }

  func leave(_ race: UnitRace) {
    state.withLock { _ = $0.races.removeValue(forKey: ObjectIdentifier(race)) }
  }
}
