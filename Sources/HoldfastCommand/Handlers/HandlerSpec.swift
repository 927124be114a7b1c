import Foundation
package import Holdfast

/// A handler as the words of `--handler` and `--handler-info` describe it.
package struct HandlerSpec: Hashable, Sendable {
  package var kind: TaskKind
  /// A line for the shell.
  package var command: String
  /// Kept on results (T7).
  package var version: Int32 = 0
  /// The larger, the better.
  package var quality: Int32 = 0
  /// Seconds of sound in a unit; nil: the whole recording is one.
  package var unitSeconds: Double?
  /// Kinds that must be done before.
  package var after: [TaskKind] = []
  package var needs: TaskConditions = []
  /// Whether it is given the sound.
  package var hearsAudio = true
  /// Whether silence is an answer: it makes a transcript.
  package var makesPass: Bool

  private init(_ kind: TaskKind, _ command: String) {
    self.kind = kind
    self.command = command
    makesPass = kind == .transcribe
  }

  /// Reads the words of all `--handler KIND=COMMAND` and `--handler-info KIND:KEY=VALUE,…`.
  ///
  /// - Throws: `invalidArgument` for words that say nothing, or twice the same.
  package static func read(
    handlers: [String], info: [String]
  ) throws(HoldfastError) -> [HandlerSpec] {
    var specs: [TaskKind: HandlerSpec] = [:]
    for word in handlers {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let kind = TaskKind(rawValue: String(parts[0]))
      guard parts.count == 2, kind.isName, !parts[1].allSatisfy(\.isWhitespace) else {
        throw HoldfastError(
          .invalidArgument, "--handler \(word): KIND=COMMAND is needed",
          hint: "for instance --handler 'summarize=tools/handlers/summarize'")
      }
      guard specs[kind] == nil else {
        throw HoldfastError(
          .invalidArgument, "--handler \(kind.rawValue) is given twice",
          hint: "one handler a kind")
      }
      specs[kind] = HandlerSpec(kind, String(parts[1]))
    }
    for word in info {
      let parts = word.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      let kind = TaskKind(rawValue: String(parts[0]))
      guard parts.count == 2 else {
        throw HoldfastError(
          .invalidArgument, "--handler-info \(word): KIND:KEY=VALUE,… is needed",
          hint: "for instance --handler-info transcribe:version=3,unit=12")
      }
      guard var spec = specs[kind] else {
        throw HoldfastError(
          .invalidArgument, "--handler-info \(kind.rawValue): there is no --handler of that kind")
      }
      for pair in parts[1].split(separator: ",") { try spec.take(String(pair)) }
      specs[kind] = spec
    }
    return specs.values.sorted { $0.kind.rawValue < $1.kind.rawValue }
  }

  private mutating func take(_ pair: String) throws(HoldfastError) {
    let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let value = parts.count == 2 ? String(parts[1]) : ""
    switch String(parts[0]) {
    case "version": version = try Self.whole(value, pair)
    case "quality": quality = try Self.whole(value, pair)
    case "unit":
      guard let seconds = Double(value), seconds.isFinite, (0.1...3_600).contains(seconds) else {
        throw Self.bad(pair, "seconds between 0.1 and 3600")
      }
      unitSeconds = seconds
      makesPass = true
    case "after":
      after = value.split(separator: "+").map { TaskKind(rawValue: String($0)) }
      guard !after.isEmpty, after.allSatisfy(\.isName), !after.contains(kind) else {
        throw Self.bad(pair, "other kinds with + between them")
      }
    case "needs":
      guard !value.isEmpty else { throw Self.bad(pair, "what it needs") }
      for name in value.split(separator: "+") {
        switch name {
        case "network": needs.insert(.network)
        case "power": needs.insert(.power)
        case "foreground": needs.insert(.foreground)
        default: throw Self.bad(pair, "network, power or foreground, with + between them")
        }
      }
    case "audio":
      guard ["yes", "no"].contains(value) else { throw Self.bad(pair, "yes or no") }
      hearsAudio = value == "yes"
    case "transcript":
      guard ["yes", "no"].contains(value) else { throw Self.bad(pair, "yes or no") }
      makesPass = value == "yes"
    default:
      throw Self.bad(pair, "version, quality, unit, after, needs, audio or transcript as the key")
    }
  }

  private static func whole(_ text: String, _ pair: String) throws(HoldfastError) -> Int32 {
    guard let value = Int32(text) else { throw bad(pair, "a whole number") }
    return value
  }

  private static func bad(_ pair: String, _ wanted: String) -> HoldfastError {
    HoldfastError(.invalidArgument, "--handler-info \(pair): \(wanted) is needed")
  }

  /// What the scheduler needs to know.
  package var traits: HandlerTraits {
    var traits = HandlerTraits(
      kind, version: version, quality: quality,
      unitMilliseconds: unitSeconds.map { Int64($0 * 1_000) })
    traits.dependencies = Set(after)
    traits.conditions = needs
    traits.follows = unitSeconds != nil
    return traits
  }
}
