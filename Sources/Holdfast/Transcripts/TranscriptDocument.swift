package import HoldfastModel
package import HoldfastStore

/// A transcript as JSON.
package struct TranscriptDocument: Encodable, Sendable {
  let recording: String
  let title: String
  let startedAt: String
  /// The pass's hash; null when there is none.
  let pass: String?
  let segments: [SegmentDocument]
  let unplaced: [UnplacedDocument]
  /// The other passes whole, in an archive.
  var otherPasses: [TranscriptDocument]?

  /// A transcript with what is known of its recording.
  package init(_ shown: ShownTranscript, title: String, startedMilliseconds: Int64) {
    recording = shown.recording.description
    self.title = title
    startedAt = RFC3339.text(startedMilliseconds)
    pass = shown.pass?.description
    segments = shown.segments.map { SegmentDocument($0) }
    unplaced = shown.unplaced.map { UnplacedDocument($0) }
  }

  private enum Keys: CodingKey {
    case recording, title, startedAt, pass, segments, unplaced, otherPasses
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Keys.self)
    try container.encode(recording, forKey: .recording)
    try container.encode(title, forKey: .title)
    try container.encode(startedAt, forKey: .startedAt)
    try container.encode(pass, forKey: .pass)
    try container.encode(segments, forKey: .segments)
    try container.encode(unplaced, forKey: .unplaced)
    try container.encodeIfPresent(otherPasses, forKey: .otherPasses)
  }
}

/// A segment as JSON; times are recording time.
struct SegmentDocument: Encodable, Sendable {
  struct Word: Encodable, Sendable {
    let startSeconds, endSeconds: Double
    let text: String
    let confidence: Double?
  }

  let startSeconds, endSeconds: Double
  let text: String
  let speaker: String?
  let final: Bool
  let edited: Bool
  let confidence: Double?
  let words: [Word]?

  init(_ segment: ShownTranscript.Segment) {
    startSeconds = segment.startSeconds
    endSeconds = segment.endSeconds
    text = segment.text
    speaker = segment.speaker
    final = segment.line.isFinal
    edited = segment.line.edited != nil
    let said = segment.line.segment
    confidence = said.confidence
    words =
      said.words.isEmpty
      ? nil
      : said.words.map { word in
        let start = segment.startSeconds + Double(word.offsetFrames) / segment.sampleRate
        return Word(
          startSeconds: start, endSeconds: start + Double(word.frames) / segment.sampleRate,
          text: word.text, confidence: word.confidence)
      }
  }

  private enum Keys: CodingKey {
    case startSeconds, endSeconds, text, speaker, final, edited, confidence, words
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Keys.self)
    try container.encode(startSeconds, forKey: .startSeconds)
    try container.encode(endSeconds, forKey: .endSeconds)
    try container.encode(text, forKey: .text)
    try container.encode(speaker, forKey: .speaker)
    try container.encode(final, forKey: .final)
    if edited { try container.encode(edited, forKey: .edited) }
    try container.encodeIfPresent(confidence, forKey: .confidence)
    try container.encodeIfPresent(words, forKey: .words)
  }
}

/// A name or an edit that fits nowhere on the pass that is shown.
struct UnplacedDocument: Encodable, Sendable {
  let kind, value, pass: String
  /// The engine's label on the pass that it was made on.
  let cluster: String
  let startSeconds: Double?

  init(_ unplaced: ShownTranscript.Unplaced) {
    let fact = unplaced.overlay.fact
    kind = fact.kind.rawValue
    value = fact.value
    pass = fact.pass.description
    cluster = fact.speaker.label
    startSeconds = unplaced.startSeconds
  }
}

/// A pass as JSON.
package struct PassDocument: Encodable, Sendable {
  let pass: String
  let number: UInt64
  let kind, engine: String
  let version, quality: Int32
  let language: String?
  let madeAt: String
  let live, final, current, chosen: Bool
  let words, segments: UInt64
  let task: String?

  /// A pass, and whether it is the current or the chosen one.
  package init(_ row: PassRow, current: PassID?, chosen: PassID?) {
    pass = row.id.description
    number = row.number
    kind = row.draft.kind.rawValue
    engine = row.draft.engine
    version = row.draft.version
    quality = row.draft.quality
    language = row.draft.language
    madeAt = RFC3339.text(row.madeMilliseconds)
    live = row.draft.isLive
    final = row.isClosed
    self.current = row.id == current
    self.chosen = row.id == chosen
    words = row.words
    segments = row.segments
    task = row.draft.task?.description
  }
}
