import Foundation
import Holdfast

/// A recording as `list --json` shows it.
struct RecordingDocument: Encodable, Sendable {
  let id: String
  let title: String
  let state: String
  let startedAt: String
  let durationSeconds: Double
  let elapsedSeconds: Double
  let chunks: UInt64
  let gaps: UInt64
  let payloadBytes: UInt64
  let origin: String
  let recovered: Bool
  let externalId: String?
  /// Progress of deferred work by kind; empty until there are tasks.
  let tasks: [String: Double]
  /// Names of other replicas that durably have all of it.
  let custody: [String]

  init(_ summary: RecordingSummary) {
    id = summary.id.description
    title = summary.title
    state = summary.state
    startedAt = RFC3339.text(summary.startedMilliseconds)
    durationSeconds = summary.timeline.capturedSeconds
    elapsedSeconds = summary.timeline.elapsedSeconds
    chunks = summary.chunks
    gaps = UInt64(summary.timeline.gaps.count)
    payloadBytes = summary.payloadBytes
    origin = summary.origin?.description ?? ""
    recovered = summary.phase.recovered
    externalId = summary.externalID
    tasks = [:]
    custody = []
  }
}

/// A gap as `show --json` shows it.
struct GapDocument: Encodable, Sendable {
  let reason: String
  /// Sample frame within the take after which it begins.
  let atFrame: UInt64
  /// Its length; null while it goes on.
  let seconds: Double?
  /// How the length is known: monotonic, wall, unknown (then it is a bound).
  let known: String
  let startedAt: String
  let take: String
  let takeIndex: UInt32
  let track: String

  init(_ gap: Gap, tracks: [TrackFact]) {
    reason = gap.reason.rawValue
    atFrame = gap.atFrame
    seconds = gap.seconds
    known = gap.known.rawValue
    startedAt = RFC3339.text(gap.startedMilliseconds)
    take = gap.take.description
    takeIndex = gap.takeIndex
    track = tracks.first { $0.track == gap.track }?.name ?? gap.track.description
  }

  private enum CodingKeys: String, CodingKey {
    case reason, atFrame, seconds, known, startedAt, take, takeIndex, track
  }

  func encode(to encoder: any Encoder) throws {
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
