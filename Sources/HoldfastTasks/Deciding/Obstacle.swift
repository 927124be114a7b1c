package import HoldfastModel

/// Why a task does not run now. Each obstacle names its cause and what ends it (S8).
package enum Obstacle: Hashable, Sendable {
  /// Nobody here handles the kind: parked.
  case unknownKind
  /// It took three processes down.
  case quarantined
  /// Its failures are used up.
  case failed
  /// Other tasks of the recording come first.
  case dependencies(Set<TaskKind>)
  /// Sound is not on this device.
  case missingInput
  /// It failed a moment ago; so many milliseconds are left.
  case backoff(Int64)
  /// Conditions that do not hold.
  case conditions(TaskConditions)
  /// Its compute unit is not allowed now.
  case compute(ComputeUnit)
  /// The device is too hot.
  case heat
  /// Interrupted again and again without progress under these very conditions.
  case interruptions
  /// Less than a unit of sound is there and the recording goes on; or it runs, and the work needs
  /// all of it.
  case recordingRuns
  /// A unit is expected to last so many milliseconds (0: not measured), longer than is left.
  case deadline(Int64)
  /// Another task is before it.
  case turn

  /// The cause, as people read it.
  package var cause: String {
    switch self {
    case .unknownKind: "no handler here for this kind"
    case .quarantined: "three processes died while it ran"
    case .failed: "it failed too often, or its input can never work"
    case .dependencies(let kinds): "waits for \(Self.list(kinds.map(\.rawValue)))"
    case .missingInput: "audio is not on this device yet"
    case .backoff(let left): "failed; tried again in \((left + 999) / 1000) s"
    case .conditions(let missing): "needs \(Self.list(Self.names(missing)))"
    case .compute(let unit): "\(unit.rawValue) may not be used now"
    case .heat: "the device is too hot"
    case .interruptions: "interrupted \(TaskCounters.interruptionBound) times without progress"
    case .recordingRuns: "the recording goes on"
    case .deadline(0): "no time is left"
    case .deadline(let needed): "a unit needs \((needed + 999) / 1000) s, more than is left"
    case .turn: "another task is before it"
    }
  }

  /// What ends it, as people read it.
  package var wake: String {
    switch self {
    case .unknownKind: "a handler for the kind is registered"
    case .quarantined: "it is released"
    case .failed: "it is retried"
    case .dependencies: "those tasks are done"
    case .missingInput: "the audio arrives"
    case .backoff: "the time has passed"
    case .conditions(let missing): Self.wakes(missing)
    case .compute: "the compute unit is allowed"
    case .heat: "the device has cooled"
    case .interruptions: "conditions change"
    case .recordingRuns: "more sound arrives, or the recording stops"
    case .deadline: "work runs with more time"
    case .turn: "its turn comes"
    }
  }

  private static func list(_ names: [String]) -> String {
    names.sorted().joined(separator: ", ")
  }

  private static func wakes(_ conditions: TaskConditions) -> String {
    var wakes: [String] = []
    if conditions.contains(.network) { wakes.append("a network is reachable") }
    if conditions.contains(.power) { wakes.append("there is external power") }
    if conditions.contains(.foreground) { wakes.append("the app is in the foreground") }
    return wakes.isEmpty ? "the conditions hold" : wakes.joined(separator: " and ")
  }

  private static func names(_ conditions: TaskConditions) -> [String] {
    var names: [String] = []
    if conditions.contains(.network) { names.append("network") }
    if conditions.contains(.power) { names.append("power") }
    if conditions.contains(.foreground) { names.append("foreground") }
    let known: TaskConditions = [.network, .power, .foreground]
    if !conditions.subtracting(known).isEmpty { names.append("an unknown condition") }
    return names
  }
}
