package import HoldfastModel
package import HoldfastStore

/// A store at a glance, as text: what it is, what is in it, what recovery would say, what room is
/// left.
///
/// Invariant: titles and names of tracks are shown with what could move a cursor made visible;
/// every other word is ours or passes the same way.
package struct TextInspector {
  private let reader: StoreReader
  private let limit: UInt64

  /// - Parameter recordings: how many recordings are shown at most, the newest.
  package init(_ reader: StoreReader, recordings: UInt64 = 20) {
    self.reader = reader
    limit = recordings
  }

  /// The text, in lines that end with a newline.
  package func text() throws(HoldfastError) -> String {
    let facts = try SupportFacts.read(reader)
    let launches = try LaunchList.read(reader)
    let space = try SpaceReport.read(reader)
    var request = RecordingRequest()
    request.includesDeleted = true
    let recordings = try reader.recordings(request)
    var lines = head(facts, launches, space, recordings)
    lines += [""] + section(recordings)
    lines += try outstanding()
    return lines.joined(separator: "\n") + "\n"
  }

  // MARK: the store

  private func head(
    _ facts: SupportFacts, _ launches: [LaunchInfo], _ space: SpaceReport,
    _ recordings: [RecordingSummary]
  ) -> [String] {
    let origin = facts.origins.last { $0.isMine }
    let chunks = recordings.reduce(0) { $0 + $1.chunks }
    let other = space.launchesBytes + space.evidenceBytes + space.incomingBytes
    var lines = [
      "Store     \(facts.store.map { "\($0)" } ?? "without an id") in "
        + VisibleText.escaped(reader.layout.directory),
      "Schema    \(facts.schemaVersion)"
        + (reader.isPreview ? ", shown as recovery would leave it" : ""),
      "Origin    " + (origin.map { "\($0.id) (\(VisibleText.escaped($0.reason)))" } ?? "none"),
      "Audio     \(InspectWords.bytes(space.audioBytes)) in "
        + "\(InspectWords.count(UInt64(recordings.count), "recording")), "
        + InspectWords.count(chunks, "chunk"),
      "Database  \(InspectWords.bytes(space.databaseBytes)), log "
        + "\(InspectWords.bytes(space.logBytes)), reserve "
        + "\(InspectWords.bytes(space.reserveBytes)), other \(InspectWords.bytes(other))",
      "Room      \(InspectWords.bytes(space.freeBytes)) free"
        + (space.secondsLeft.map { ", \(InspectWords.seconds($0)) of recording" } ?? ""),
    ]
    if facts.damagedChunks + facts.missingChunks > 0 {
      lines.append(
        "Damage    \(facts.damagedChunks) chunks marked damaged, \(facts.missingChunks) missing")
    }
    if space.orphanBytes > 0 {
      lines.append("Orphans   \(InspectWords.bytes(space.orphanBytes)) that no row knows")
    }
    return lines + launchLines(launches)
  }

  private func launchLines(_ launches: [LaunchInfo]) -> [String] {
    let alive = launches.filter(\.isAlive)
    return ["Launches  \(launches.count) known, \(alive.count) alive"]
      + alive.map {
        "          \(VisibleText.escaped($0.program)), process \($0.process), since "
          + InspectWords.time($0.startedMilliseconds)
      }
  }

  // MARK: recordings

  private func section(_ recordings: [RecordingSummary]) -> [String] {
    guard !recordings.isEmpty else { return ["No recordings."] }
    var lines = ["Recordings, newest first    \(TimelineDrawing.legend)"]
    for summary in recordings.prefix(Int(clamping: limit)) { lines += self.lines(summary) }
    if UInt64(recordings.count) > limit {
      lines.append("  … and \(UInt64(recordings.count) - limit) older")
    }
    return lines
  }

  private func lines(_ summary: RecordingSummary) -> [String] {
    let timeline = summary.timeline
    let marks =
      (summary.isUnderWay ? [] : [reason(summary.phase.reason)])
      + (summary.phase.recovered ? ["recovered"] : [])
    let mark = marks.isEmpty ? "" : " (\(marks.joined(separator: ", ")))"
    var lines = [
      "  \(summary.id)  \(VisibleText.quoted(summary.title))",
      "    \(VisibleText.escaped(summary.state))\(mark), "
        + "\(InspectWords.time(summary.startedMilliseconds)), "
        + "\(InspectWords.seconds(timeline.capturedSeconds)) of "
        + InspectWords.seconds(summary.elapsedSeconds),
    ]
    let drawing = TimelineDrawing(summary)
    for track in summary.tracks {
      let takes = summary.takes.filter { $0.span.track == track.track }
      lines.append("    |\(drawing.line(takes.map(\.span)))| \(VisibleText.escaped(track.name))")
      lines.append("     \(describe(takes))")
    }
    lines += timeline.gaps.prefix(Self.shownGaps).map { gap($0, summary) }
    let more = timeline.gaps.count - Self.shownGaps
    if more > 0 { lines.append("      … and \(InspectWords.count(UInt64(more), "gap")) more") }
    return lines
  }

  /// Gaps told of one recording.
  private static let shownGaps = 8

  private func describe(_ takes: [TakeRow]) -> String {
    let chunks = takes.reduce(0) { $0 + $1.chunks }
    let bytes = takes.reduce(0) { $0 + $1.bytes }
    var formats: [String] = []
    for take in takes {
      let format = take.format
      let text =
        "\(VisibleText.escaped(format.encoding.rawValue)) \(number(format.sampleRate)) Hz "
        + InspectWords.count(UInt64(format.channels), "channel")
      if !formats.contains(text) { formats.append(text) }
    }
    return "\(InspectWords.count(UInt64(takes.count), "take")), "
      + "\(InspectWords.count(chunks, "chunk")), \(InspectWords.bytes(bytes)); "
      + formats.joined(separator: ", ")
  }

  private func number(_ value: Double) -> String {
    value == value.rounded() && value.magnitude < 1e15 ? "\(Int64(value))" : "\(value)"
  }

  private func gap(_ gap: Gap, _ summary: RecordingSummary) -> String {
    let take = summary.takes.first { $0.id == gap.take }
    let at =
      (take.map { Double($0.span.startNanoseconds) / 1e9 } ?? 0)
      + (take.map { Double(gap.atFrame) / $0.span.sampleRate } ?? 0)
    let length = gap.seconds.map { InspectWords.seconds($0) } ?? "going on"
    let known =
      switch gap.known {
      case .monotonic: ""
      case .wall: ", by the wall clock"
      default: gap.seconds == nil ? "" : " at most"
      }
    return "      gap at \(InspectWords.seconds(at)): \(reason(gap.reason)), \(length)\(known)"
  }

  private func reason(_ reason: GapReason) -> String { VisibleText.escaped(reason.rawValue) }

  // MARK: what earlier launches left

  private func outstanding() throws(HoldfastError) -> [String] {
    let found = try Outstanding.read(reader)
    guard !found.isEmpty else { return ["", "Nothing is left to acknowledge."] }
    var lines = [
      "",
      reader.isPreview
        ? "What the next opening for writing will say" : "Not acknowledged yet",
    ]
    lines += found.launches.map { launch in
      "  launch \(launch.launch) (\(VisibleText.escaped(launch.program))): "
        + "\(VisibleText.escaped(launch.ending?.rawValue ?? "unknown")); "
        + VisibleText.escaped(launch.evidence)
    }
    lines += found.recordings.map { item in
      let lost = Double(item.lostAtMostNanoseconds) / 1e9
      return "  recording \(item.recording): \(item.indexedChunks) chunks indexed, "
        + "\(item.salvagedChunks) salvaged, at most \(InspectWords.seconds(lost)) lost"
        + (item.damaged > 0 ? ", \(item.damaged) damaged parts" : "")
    }
    lines += found.attention.map { item in
      "  \(VisibleText.escaped(item.code)): \(VisibleText.escaped(item.message))"
    }
    return lines
  }
}
