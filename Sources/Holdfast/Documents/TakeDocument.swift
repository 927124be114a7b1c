package import HoldfastModel
package import HoldfastStore

/// A run of capture as JSON shows it, in an archive and in the command's documents.
package struct TakeDocument: Encodable, Sendable {
  private let id, track: String
  private let index: UInt32
  private let state: String
  private let reason: String?
  private let encoding: String
  private let sampleRate: Double
  private let channels: UInt32
  private let startSeconds, seconds: Double
  private let known: String
  private let startedAt: JSONTime
  private let endedAt: JSONTime?
  private let chunks, frames, payloadBytes: UInt64

  /// The document of a take; `tracks` are those of its recording.
  package init(_ take: TakeRow, tracks: [TrackFact]) {
    id = take.id.description
    track = tracks.name(of: take.span.track)
    index = take.span.index
    state = take.isOpen ? "open" : "closed"
    reason = take.span.closedReason?.rawValue
    encoding = take.format.encoding.rawValue
    sampleRate = take.format.sampleRate
    channels = take.format.channels
    startSeconds = Double(take.span.startNanoseconds) / 1e9
    seconds = take.span.seconds
    known = take.span.known.rawValue
    startedAt = JSONTime(milliseconds: take.span.openedMilliseconds)
    endedAt = take.isOpen ? nil : JSONTime(milliseconds: take.span.closedMilliseconds)
    chunks = take.chunks
    frames = take.span.frames
    payloadBytes = take.bytes
  }
}

/// A stretch without audio as JSON shows it, in an archive and in the command's documents.
package struct GapDocument: Encodable, Sendable {
  private let reason: String
  /// Sample frame within the take after which it begins.
  private let atFrame: UInt64
  /// Its length; null while it goes on.
  private let seconds: Double?
  /// How the length is known: monotonic, wall, unknown (then it is a bound).
  private let known: String
  private let startedAt: JSONTime
  private let take: String
  private let takeIndex: UInt32
  private let track: String

  /// The document of a gap; `tracks` are those of its recording.
  package init(_ gap: Gap, tracks: [TrackFact]) {
    reason = gap.reason.rawValue
    atFrame = gap.atFrame
    seconds = gap.seconds
    known = gap.known.rawValue
    startedAt = JSONTime(milliseconds: gap.startedMilliseconds)
    take = gap.take.description
    takeIndex = gap.takeIndex
    track = tracks.name(of: gap.track)
  }

  private enum CodingKeys: String, CodingKey {
    case reason, atFrame, seconds, known, startedAt, take, takeIndex, track
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(reason, forKey: .reason)
    try container.encode(atFrame, forKey: .atFrame)
    // Null, not absent: an open gap has no length yet.
    try container.encode(seconds, forKey: .seconds)
    try container.encode(known, forKey: .known)
    try container.encode(startedAt, forKey: .startedAt)
    try container.encode(take, forKey: .take)
    try container.encode(takeIndex, forKey: .takeIndex)
    try container.encode(track, forKey: .track)
  }
}

extension RecordingSummary {
  /// The documents of its gaps.
  package var gapDocuments: [GapDocument] {
    timeline.gaps.map { GapDocument($0, tracks: tracks) }
  }
  /// The documents of its takes.
  package var takeDocuments: [TakeDocument] { takes.map { TakeDocument($0, tracks: tracks) } }
}

extension [TrackFact] {
  /// The name of a track; its id when it is none of these.
  package func name(of track: TrackID) -> String {
    first { $0.track == track }?.name ?? track.description
  }
}
