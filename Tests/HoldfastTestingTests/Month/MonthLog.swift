import HoldfastPlatform
import HoldfastTesting

/// What became of each recording of a month, kept outside of the app: no death takes it.
final class MonthLog: Sendable {
  struct Fate: Sendable {
    /// When the recording stopped: by the user, or by the death of its process.
    var stopped = 0.0
    var transcript, summary: Double?
  }

  struct State: Sendable {
    /// By the number of the recording.
    var fates: [UInt32: Fate] = [:]
    /// How often each unit was computed to its end, by recording and start.
    var computed: [String: UInt32] = [:]
    /// How processes ended, and what the next launch said of it.
    var verdicts: [String: UInt32] = [:]
    /// What must not be; each is told with the moment.
    var faults: [String] = []
  }

  private let state = Locked(State())

  var fates: [UInt32: Fate] { state.withLock { $0.fates } }
  var faults: [String] { state.withLock { $0.faults } }
  var verdicts: [String: UInt32] { state.withLock { $0.verdicts } }
  /// Units that were computed again after they had been computed to their end.
  var again: UInt32 { state.withLock { $0.computed.values.reduce(0) { $0 + $1 - 1 } } }
  var units: UInt32 { state.withLock { UInt32($0.computed.count) } }

  func stopped(_ number: UInt32, at moment: Double) {
    state.withLock { $0.fates[number] = Fate(stopped: moment) }
  }

  func transcript(_ number: UInt32, at moment: Double) {
    state.withLock { $0.fates[number]?.transcript = moment }
  }

  func summary(_ number: UInt32, at moment: Double) {
    state.withLock { $0.fates[number]?.summary = moment }
  }

  func computed(_ unit: String) { state.withLock { $0.computed[unit, default: 0] += 1 } }
  func judged(_ text: String) { state.withLock { $0.verdicts[text, default: 0] += 1 } }
  func fault(_ text: String) { state.withLock { $0.faults.append(text) } }
}

/// What the handlers of both designs need, at full speed.
enum MonthWork {
  /// Seconds of sound that a second of transcription does.
  static let transcribed = 20.0
  /// Seconds of a summary: the 8.4 s that became 102–174 s in the background.
  static let summary = 8.4
}
