import Foundation
package import HoldfastModel
package import HoldfastStore

/// One task as an app sees it.
public struct WorkItem: Identifiable, Sendable {
  /// The name of a task: 64 lower-case hexadecimal digits, the same on every replica that made it.
  public struct ID: Hashable, Sendable, Codable, CustomStringConvertible {
    package let digest: Digest

    package init(_ id: TaskID) { digest = id.digest }

    /// The 64 digits.
    public var description: String { digest.description }

    /// Reads the digits from a single text value.
    public init(from decoder: any Decoder) throws {
      digest = try decoder.name("A task's name is 64 hexadecimal digits.") { text in
        Hex.decode(text).flatMap { Digest($0) }
      }
    }

    /// Writes the digits as a single text value.
    public func encode(to encoder: any Encoder) throws {
      try encoder.encode(name: description)
    }
  }

  /// Its name.
  public var id: ID
  /// What it does: "transcribe", "summarize" …
  public var kind: String
  /// The recording that it is bound to.
  public var recording: Recording.ID
  /// "waiting", "ready", "running", "parked", "done", "failed", "quarantined" or "cancelled".
  public var state: String
  /// Why it stands where it stands, for people; nil when nothing is to be said.
  public var cause: String?
  /// What ends a wait, for people: "there is power", "the time has passed" …; nil where nothing is
  /// waited for.
  public var wake: String?
  /// Failures that spent its budget of five.
  public var failures: Int32
  /// Times that it was interrupted since its last progress; never punished.
  public var interruptions: Int32
  /// Processes in a row that died while it ran; three quarantine it.
  public var deaths: Int32
  /// How far it is, 0…1.
  public var progress: Double
  /// What it made, when it is done: texts by kind ("summary" …), of each the one that is shown.
  public var results: [String: String]
  /// All that it made, on whichever device and with whichever version: of each kind the one that is
  /// shown first. ``WorkRunner/choose(_:of:)`` shows another one.
  public var candidates: [WorkResult]

  package init(_ task: TaskRow, _ standing: TaskStanding, results: [ResultRow] = []) {
    id = ID(task.id)
    kind = task.kind.rawValue
    recording = Recording.ID(task.recording)
    state = standing.phase.rawValue
    cause = standing.cause.isEmpty ? nil : standing.cause
    wake = standing.wake.isEmpty ? nil : standing.wake
    failures = Int32(clamping: task.counters.failures)
    interruptions = Int32(clamping: task.counters.interruptions)
    deaths = Int32(clamping: task.pastDeaths)
    progress = task.progress.fraction
    candidates = results.filter { $0.artefact.kind != Artefact.passKind }.map(WorkResult.init)
    self.results = Dictionary(candidates.map { ($0.kind, $0.text) }) { first, _ in first }
  }
}

/// One result of a task.
public struct WorkResult: Identifiable, Sendable {
  /// Its name by content: 64 lower-case hexadecimal digits. Equal texts have one name.
  public var id: String
  /// What it is: "summary" …
  public var kind: String
  /// The text.
  public var text: String
  /// The quality that its handler declared; more is better.
  public var quality: Int32
  /// The version of its handler.
  public var version: Int32
  /// Whether the user chose it.
  public var isChosen: Bool
  /// Whether it is the one of its kind that is shown: the user's choice, else the best quality,
  /// else the smallest name.
  public var isShown: Bool

  init(_ row: ResultRow) {
    id = row.hash.description
    kind = row.artefact.kind
    text = row.artefact.text
    quality = row.quality
    version = row.version
    isChosen = row.isChosen
    isShown = row.isShown
  }
}

/// What ``WorkRunner/drain(until:)`` did.
public struct DrainReport: Sendable {
  /// Tasks that were done.
  public var done: Int32
  /// Tasks that are not settled.
  public var left: Int32
}
