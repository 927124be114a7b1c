import Foundation
import Holdfast

/// One recording whole, for a person.
struct ShowText {
  let summary: RecordingSummary
  let attributes: [String: CanonicalValue]
  let zone: TimeZone

  func write(to output: Output) async throws(HoldfastError) {
    try await output.line(summary.title.isEmpty ? "(no title)" : summary.title, .bold)
    try await output.line("id        \(summary.id)")
    try await output.line("state     \(state)")
    try await output.line("started   \(RFC3339.localText(summary.startedMilliseconds, in: zone))")
    let timeline = summary.timeline
    let missing = max(summary.elapsedSeconds - timeline.capturedSeconds, 0)
    try await output.line(
      "captured  \(Units.duration(timeline.capturedSeconds)) of "
        + "\(Units.duration(summary.elapsedSeconds)) elapsed"
        + (missing >= 0.05 ? ", \(Units.duration(missing)) missing" : ""),
      missing >= 0.05 ? .yellow : .plain)
    try await output.line(
      "audio     \(CountedNoun.text(summary.chunks, "chunk")), \(Units.bytes(summary.payloadBytes))"
    )
    if let id = summary.externalID { try await output.line("external  \(id)") }
    for (name, value) in attributes.sorted(by: { $0.key < $1.key }) {
      let text = (try? JSONText.line(AttributeDocument(value))) ?? ""
      try await output.line("attribute \(name) = \(text.dropLast())")
    }
    try await takes(output)
    try await gaps(output)
  }

  private var state: String {
    let recovered = summary.phase.recovered ? ", recovered" : ""
    let reason =
      summary.isUnderWay || summary.phase.reason == .stop
      ? "" : " (\(summary.phase.reason.rawValue))"
    return summary.state + reason + recovered
  }

  private func name(_ track: TrackID) -> String { summary.tracks.name(of: track) }

  private func takes(_ output: Output) async throws(HoldfastError) {
    guard !summary.takes.isEmpty else { return }
    try await output.line("")
    var table = TextTable([
      .init("TRACK", elastic: true), .init("TAKE", right: true), .init("FROM", right: true),
      .init("LENGTH", right: true), .init("CHUNKS", right: true), .init("SIZE", right: true),
      .init("FORMAT"), .init("ENDED"),
    ])
    for take in summary.takes {
      table.add([
        name(take.span.track), "\(take.span.index)",
        Units.duration(Double(take.span.startNanoseconds) / 1e9),
        Units.duration(take.span.seconds), "\(take.chunks)", Units.bytes(take.bytes),
        "\(take.format.encoding.rawValue) \(Int64(take.format.sampleRate)) Hz "
          + "\(take.format.channels) ch",
        take.span.closedReason?.rawValue ?? "open",
      ])
    }
    try await output.table(table)
  }

  private func gaps(_ output: Output) async throws(HoldfastError) {
    guard !summary.timeline.gaps.isEmpty else { return }
    try await output.line("")
    var table = TextTable([
      .init("GAP"), .init("TRACK", elastic: true), .init("TAKE", right: true),
      .init("AT", right: true), .init("LENGTH", right: true), .init("KNOWN"), .init("SINCE"),
    ])
    for gap in summary.timeline.gaps {
      let take = summary.takes.first { $0.id == gap.take }
      let at = take.map { Double(gap.atFrame) / $0.format.sampleRate } ?? 0
      let length = gap.seconds.map { Units.duration($0) } ?? "goes on"
      table.add([
        gap.reason.rawValue, name(gap.track), "\(gap.takeIndex)", Units.duration(at),
        gap.known == .unknown && gap.seconds != nil ? "≤ " + length : length,
        gap.known.rawValue, RFC3339.localText(gap.startedMilliseconds, in: zone),
      ])
    }
    try await output.table(table)
  }
}
