/// What the change "task" says: this work is to be done on the recording. The same task made on two
/// replicas is one (T9).
package struct TaskFact: Hashable, Sendable {
  package var kind: TaskKind
  /// From 1; a new final input, or the user, makes the next one.
  package var generation: UInt64
  /// Kinds of the same recording that must be done before.
  package var after: [TaskKind]

  package init(kind: TaskKind, generation: UInt64 = 1, after: [TaskKind] = []) {
    self.kind = kind
    self.generation = generation
    self.after = Array(Set(after)).sorted { $0.rawValue < $1.rawValue }
  }

  package var body: [String: CanonicalValue] {
    var body: [String: CanonicalValue] = [
      "task": .text(kind.rawValue), "generation": .unsigned(generation),
    ]
    if !after.isEmpty { body["after"] = .array(after.map { .text($0.rawValue) }) }
    return body
  }

  package init?(_ body: [String: CanonicalValue]) {
    guard let kind = body["task"]?.text, let generation = body["generation"]?.unsigned,
      Int64(exactly: generation) != nil
    else { return nil }
    self.init(
      kind: TaskKind(rawValue: kind), generation: generation,
      after: (body["after"]?.array ?? []).compactMap(\.text).map { TaskKind(rawValue: $0) })
  }
}

/// Something that a task made: a summary, a list of action items …
package struct Artefact: Hashable, Sendable {
  /// What it is: "summary" …
  package var kind: String
  /// Its media type: "text/plain" …
  package var contentType: String
  package var text: String

  /// The longest text, in bytes of UTF-8: with its frame it is one change (S6).
  package static let maximumBytes: UInt64 = 192 * 1024

  package init(kind: String, contentType: String = "text/plain", text: String) {
    self.kind = kind
    self.contentType = contentType
    self.text = text
  }

  /// Whether there is nothing in it but white space: no completion (T2).
  package var isEmpty: Bool { text.allSatisfy(\.isWhitespace) }

  /// Its name by content.
  package func hash(_ hashing: some Hashing) -> Digest {
    hashing.sha256(
      CanonicalEncoder.encode(.array([.text(kind), .text(contentType), .text(text)])))
  }
}

/// What the change "result" says: a task had this result.
package struct ResultFact: Hashable, Sendable {
  package var task: TaskID
  package var artefact: Artefact
  /// The quality that its handler declared; more is better.
  package var quality: Int32
  /// The handler's version (T7).
  package var version: Int32
  /// The revision of the input that it was made from (T7).
  package var inputRevision: UInt64

  package init(
    task: TaskID, artefact: Artefact, quality: Int32, version: Int32, inputRevision: UInt64
  ) {
    self.task = task
    self.artefact = artefact
    self.quality = quality
    self.version = version
    self.inputRevision = inputRevision
  }

  package var body: [String: CanonicalValue] {
    [
      "task": .bytes(task.digest.bytes), "kind": .text(artefact.kind),
      "type": .text(artefact.contentType), "text": .text(artefact.text),
      "quality": .integer(Int64(quality)), "version": .integer(Int64(version)),
      "input": .unsigned(inputRevision),
    ]
  }

  package init?(_ body: [String: CanonicalValue]) {
    guard let task = body["task"]?.bytes.flatMap({ Digest($0) }), let kind = body["kind"]?.text,
      let text = body["text"]?.text
    else { return nil }
    self.init(
      task: TaskID(digest: task),
      artefact: Artefact(
        kind: kind, contentType: body["type"]?.text ?? "text/plain", text: text),
      quality: Int32(clamping: body["quality"]?.integer ?? 0),
      version: Int32(clamping: body["version"]?.integer ?? 0),
      inputRevision: min(body["input"]?.unsigned ?? 0, UInt64(Int64.max)))
  }
}
