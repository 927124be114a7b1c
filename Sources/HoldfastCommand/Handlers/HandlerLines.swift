import Foundation
package import Holdfast

/// What a handler's lines say, one after the other. Pure.
///
/// Invariants: a line that is no JSON object, or whose value for a known key makes no sense, breaks
/// the contract; unknown keys are ignored; what stands in one line and in all of them is bounded.
package struct HandlerLines: Sendable {
  /// The longest line, bytes.
  package static let longestLine: UInt64 = 1 << 20
  /// Segments of one unit at most.
  package static let mostSegments: UInt64 = 100_000

  /// What a line says.
  package enum Line: Sendable {
    case progress(Double)
    case checkpoint([UInt8], [SpokenSegment])
    case nothing
  }

  /// Segments since the last checkpoint.
  package private(set) var segments: [SpokenSegment] = []
  package private(set) var artefacts: [Artefact] = []
  /// Whether any line said something that we know.
  package private(set) var saidAnything = false
  private var count: UInt64 = 0

  package init() {}

  /// Takes a line without its end.
  ///
  /// - Throws: `inputRefused` when it breaks the contract; the message names the line by number.
  package mutating func take(_ line: [UInt8]) throws(HoldfastError) -> Line {
    count += 1
    if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { return .nothing }
    guard String(validating: line, as: UTF8.self) != nil,
      let object = try? JSONSerialization.jsonObject(with: Data(line)) as? [String: Any]
    else { throw bad("is no JSON object") }
    if let value = object["progress"] { return try progress(value) }
    if let value = object["segment"] { return try segment(value) }
    if object.keys.contains("checkpoint") { return try checkpoint(object["checkpoint"]) }
    if let value = object["artefact"] { return try artefact(value) }
    return .nothing
  }

  private mutating func progress(_ value: Any) throws(HoldfastError) -> Line {
    guard let number = Self.number(value), number.isFinite else { throw bad("has no progress") }
    saidAnything = true
    return .progress(min(max(number, 0), 1))
  }

  private mutating func segment(_ value: Any) throws(HoldfastError) -> Line {
    guard let fields = value as? [String: Any], let text = fields["text"] as? String,
      let start = Self.number(fields["startSeconds"]), let end = Self.number(fields["endSeconds"])
    else { throw bad("has a segment without startSeconds, endSeconds and text") }
    guard UInt64(segments.count) < Self.mostSegments else {
      throw bad("is one segment too many: \(Self.mostSegments) without a checkpoint")
    }
    saidAnything = true
    segments.append(
      SpokenSegment(
        startSeconds: start, endSeconds: end, text: text, speaker: fields["speaker"] as? String,
        confidence: Self.number(fields["confidence"]),
        words: (fields["words"] as? [[String: Any]] ?? []).compactMap(Self.word),
        isFinal: fields["final"] as? Bool ?? true))
    return .nothing
  }

  private static func word(_ fields: [String: Any]) -> SpokenSegment.Word? {
    guard let text = fields["text"] as? String, let start = number(fields["startSeconds"]),
      let end = number(fields["endSeconds"])
    else { return nil }
    return SpokenSegment.Word(
      startSeconds: start, endSeconds: end, text: text, confidence: number(fields["confidence"]))
  }

  private mutating func checkpoint(_ value: Any?) throws(HoldfastError) -> Line {
    let data = try? JSONSerialization.data(
      withJSONObject: value ?? NSNull(), options: [.fragmentsAllowed, .sortedKeys])
    guard let data else { throw bad("has a checkpoint that is no JSON") }
    saidAnything = true
    defer { segments = [] }
    return .checkpoint(Array(data), segments)
  }

  private mutating func artefact(_ value: Any) throws(HoldfastError) -> Line {
    guard let fields = value as? [String: Any], let text = fields["text"] as? String,
      let kind = fields["kind"] as? String, TaskKind(rawValue: kind).isName
    else { throw bad("has an artefact without kind and text") }
    guard UInt64(text.utf8.count) <= Artefact.maximumBytes else {
      throw bad(
        "has an artefact of \(text.utf8.count) bytes; at most \(Artefact.maximumBytes) are kept")
    }
    guard artefacts.count < 64 else { throw bad("is one artefact too many: 64") }
    saidAnything = true
    artefacts.append(
      Artefact(
        kind: kind, contentType: fields["contentType"] as? String ?? "text/plain", text: text))
    return .nothing
  }

  /// A number. (The system's parser does not tell true from 1 on every platform.)
  private static func number(_ value: Any?) -> Double? { (value as? NSNumber)?.doubleValue }

  private func bad(_ what: String) -> HoldfastError {
    HoldfastError(.inputRefused, "line \(count) of its output \(what)")
  }
}
