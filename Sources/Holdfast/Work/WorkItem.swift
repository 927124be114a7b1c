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
  /// Failures that spent its budget of five.
  public var failures: Int32
  /// Times that it was interrupted since its last progress; never punished.
  public var interruptions: Int32
  /// Processes in a row that died while it ran; three quarantine it.
  public var deaths: Int32
  /// How far it is, 0…1.
  public var progress: Double
  /// What it made, when it is done: texts by kind ("summary" …), the best of each.
  public var results: [String: String]

  package init(_ task: TaskRow, results: [ResultRow] = []) {
    id = ID(task.id)
    kind = task.kind.rawValue
    recording = Recording.ID(task.recording)
    state = task.phase.rawValue
    cause = task.cause.isEmpty ? nil : task.cause
    failures = Int32(clamping: task.counters.failures)
    interruptions = Int32(clamping: task.counters.interruptions)
    deaths = Int32(clamping: task.pastDeaths)
    progress = task.progress.fraction
    self.results = Dictionary(
      results.filter { $0.artefact.kind != Artefact.passKind }.map {
        ($0.artefact.kind, $0.artefact.text)
      }
    ) { first, _ in first }
  }
}

/// What ``WorkRunner/drain(until:)`` did.
public struct DrainReport: Sendable {
  /// Tasks that were done.
  public var done: Int32
  /// Tasks that are not settled.
  public var left: Int32
}
