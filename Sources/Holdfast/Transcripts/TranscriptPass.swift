public import Foundation
package import HoldfastModel
package import HoldfastStore

/// One run of an engine over a recording. A later one never replaces an earlier one: each can be
/// shown again.
public struct TranscriptPass: Identifiable, Hashable, Sendable {
  /// The name of a pass: 64 lower-case hexadecimal digits, the same on every device.
  public struct ID: Hashable, Sendable, Codable, LosslessStringConvertible {
    package let model: PassID

    package init(_ model: PassID) { self.model = model }

    /// Reads 64 hexadecimal digits; nil for anything else.
    public init?(_ text: String) {
      guard let bytes = Hex.decode(text), let model = PassID(bytes) else { return nil }
      self.model = model
    }

    /// The 64 digits.
    public var description: String { model.description }

    /// Reads the digits from a single text value.
    public init(from decoder: any Decoder) throws {
      self = try decoder.name("A pass's id is 64 hexadecimal digits.", Self.init)
    }

    /// Writes the digits as a single text value.
    public func encode(to encoder: any Encoder) throws {
      try encoder.encode(name: description)
    }
  }

  /// The pass's name.
  public var id: ID
  /// Its number among the recording's passes, from 1, in the order in which they were begun.
  public var number: Int32
  /// The engine, as its handler names it.
  public var engine: String
  /// The handler's version.
  public var version: Int32
  /// The quality that the handler declared; larger is better.
  public var quality: Int32
  /// When it was begun, by its maker's clock.
  public var madeAt: Date
  /// Whether it was made while the recording ran.
  public var isLive: Bool
  /// Whether it is complete.
  public var isFinal: Bool
  /// Words of its final segments.
  public var words: Int64
  /// Whether it is the one that is shown.
  public var isCurrent: Bool
  /// Whether the user chose it.
  public var isChosen: Bool
}

extension TranscriptPass {
  /// A pass as an app sees it.
  package init(_ row: PassRow, current: PassID?, chosen: PassID?) {
    id = ID(row.id)
    number = Int32(clamping: row.number)
    engine = row.draft.engine
    version = row.draft.version
    quality = row.draft.quality
    madeAt = Date(milliseconds: row.madeMilliseconds)
    isLive = row.draft.isLive
    isFinal = row.isClosed
    words = Int64(clamping: row.words)
    isCurrent = row.id == current
    isChosen = row.id == chosen
  }
}

/// A line of a transcript in which the words that were looked for occur.
public struct SearchResult: Hashable, Sendable {
  /// The recording.
  public var recording: Recording.ID
  /// Its title.
  public var title: String
  /// When it began.
  public var startedAt: Date
  /// Recording time of the line: seconds since the recording's start.
  public var range: Range<Double>
  /// The line, as it is shown.
  public var text: String
  /// What stands around the words; the line itself where it is short.
  public var snippet: String
  /// Who said it.
  public var speaker: String?
}

extension SearchResult {
  /// A hit as an app sees it.
  package init(_ hit: SearchHit) {
    recording = Recording.ID(hit.recording)
    title = hit.title
    startedAt = Date(milliseconds: hit.startedMilliseconds)
    range = hit.startSeconds..<max(hit.endSeconds, hit.startSeconds)
    text = hit.text
    snippet = hit.snippet
    speaker = hit.speaker
  }
}
