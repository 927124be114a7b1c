/// The name of a pass, the same on every replica.
package struct PassID: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// SHA-256 over the recording and 16 random bytes: two runs never share a name, and the last word
  /// between equal passes belongs to nobody (X1).
  package let digest: Digest

  /// A name as it was stored.
  package init(digest: Digest) { self.digest = digest }

  /// Takes exactly 32 bytes; any other count gives nil.
  package init?(_ bytes: [UInt8]) {
    guard let digest = Digest(bytes) else { return nil }
    self.digest = digest
  }

  /// The name of a new pass over a recording.
  ///
  /// - Parameter nonce: 16 random bytes.
  package init(recording: RecordingID, nonce: [UInt8], hashing: some Hashing) {
    let spelled = CanonicalValue.array([
      .text("pass"), .bytes(recording.bytes), .bytes(nonce),
    ])
    digest = hashing.sha256(CanonicalEncoder.encode(spelled))
  }

  /// The 32 bytes.
  package var bytes: [UInt8] { digest.bytes }

  /// 64 lower-case hexadecimal digits.
  package var description: String { digest.description }

  package static func < (left: PassID, right: PassID) -> Bool { left.digest < right.digest }
}

/// What is said of a pass when it begins.
package struct PassDraft: Hashable, Sendable {
  /// The kind of the task that makes it.
  package var kind: TaskKind
  /// The engine, as its handler names it; one line.
  package var engine: String
  /// The handler's version.
  package var version: Int32
  /// The quality that the handler declares; larger is better.
  package var quality: Int32
  /// Made while the recording runs.
  package var isLive: Bool
  /// The task that makes it.
  package var task: TaskID?
  /// The language of the text (BCP 47), where the engine knows it.
  package var language: String?

  package init(
    kind: TaskKind = .transcribe, engine: String = "", version: Int32 = 0, quality: Int32 = 0,
    isLive: Bool = false, task: TaskID? = nil, language: String? = nil
  ) {
    self.kind = kind
    self.engine = engine
    self.version = version
    self.quality = quality
    self.isLive = isLive
    self.task = task
    self.language = language
  }
}

/// What the change "pass" says.
package struct PassFact: Hashable, Sendable {
  package var pass: PassID
  package var draft: PassDraft

  package init(pass: PassID, draft: PassDraft) {
    self.pass = pass
    self.draft = draft
    self.draft.engine = TranscriptText.label(draft.engine)
    self.draft.language = draft.language.map(TranscriptText.label)
  }

  package var body: [String: CanonicalValue] {
    var body: [String: CanonicalValue] = [
      "pass": .bytes(pass.bytes), "kind": .text(draft.kind.rawValue),
      "engine": .text(draft.engine), "version": .integer(Int64(draft.version)),
      "quality": .integer(Int64(draft.quality)), "live": .bool(draft.isLive),
    ]
    if let task = draft.task { body["task"] = .bytes(task.digest.bytes) }
    if let language = draft.language { body["language"] = .text(language) }
    return body
  }

  package init?(_ body: [String: CanonicalValue]) {
    guard let pass = body["pass"]?.bytes.flatMap({ PassID($0) }),
      let version = body["version"]?.integer.flatMap(Int32.init(exactly:)),
      let quality = body["quality"]?.integer.flatMap(Int32.init(exactly:))
    else { return nil }
    self.pass = pass
    draft = PassDraft(
      kind: TaskKind(rawValue: body["kind"]?.text ?? ""), engine: body["engine"]?.text ?? "",
      version: version, quality: quality, isLive: body["live"]?.bool ?? false,
      task: body["task"]?.bytes.flatMap { Digest($0) }.map { TaskID(digest: $0) },
      language: body["language"]?.text)
  }
}

/// What the change "passClosed" says: the pass has all its units, and is final.
package struct PassClosedFact: Hashable, Sendable {
  package var pass: PassID

  package init(pass: PassID) { self.pass = pass }

  package var body: [String: CanonicalValue] { ["pass": .bytes(pass.bytes)] }

  package init?(_ body: [String: CanonicalValue]) {
    guard let pass = body["pass"]?.bytes.flatMap({ PassID($0) }) else { return nil }
    self.pass = pass
  }
}
