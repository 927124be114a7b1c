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
  /// Of one that is being captured: when its process last told how far it is. What is written by
  /// then counts as captured; rows, and so `chunks`, follow within ten seconds.
  let asOf: String?
  /// Progress 0…1 of deferred work by kind.
  let tasks: [String: Double]
  /// Names of other replicas that durably have all of it.
  let custody: [String]

  init(_ summary: RecordingSummary) {
    id = summary.id.description
    title = summary.title
    state = summary.state
    startedAt = RFC3339.text(summary.startedMilliseconds)
    durationSeconds = summary.timeline.capturedSeconds
    elapsedSeconds = summary.elapsedSeconds
    asOf = summary.asOfMilliseconds.map { RFC3339.text($0) }
    chunks = summary.chunks
    gaps = UInt64(summary.timeline.gaps.count)
    payloadBytes = summary.payloadBytes
    origin = summary.origin?.description ?? ""
    recovered = summary.phase.recovered
    externalId = summary.externalID
    tasks = summary.work
    custody = []
  }
}
