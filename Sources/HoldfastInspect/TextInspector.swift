package import HoldfastModel
package import HoldfastStore

/// The store at a glance, as text.
package struct TextInspector {
  private let reader: StoreReader
  /// Turns milliseconds since 1970 into text.
  private let time: (Int64) -> String
  private let duration: (Double) -> String
  private let bytes: (UInt64) -> String
  private let columns: UInt32
  /// Recordings shown; the rest are counted.
  private static let shown: UInt64 = 40

  /// An inspector of a store that is open for reading.
  ///
  /// - Parameters:
  ///   - columns: width of a line.
  ///   - time: how a time is shown; milliseconds since 1970.
  ///   - duration: how seconds are shown.
  ///   - bytes: how bytes are shown.
  package init(
    _ reader: StoreReader, columns: UInt32, time: @escaping (Int64) -> String,
    duration: @escaping (Double) -> String, bytes: @escaping (UInt64) -> String
  ) {
    self.reader = reader
    self.columns = columns
    self.time = time
    self.duration = duration
    self.bytes = bytes
  }

  /// The lines of the page; titles are escaped.
  package func lines() throws(HoldfastError) -> [String] {
    var lines = try header()
    lines += try launches()
    lines += try outstanding()
    lines += try recordings()
    return lines
  }

  private func header() throws(HoldfastError) -> [String] {
    let facts = try SupportFacts.read(reader)
    let space = try SpaceReport.read(reader)
    let origin = facts.origins.last { $0.isMine }
    let size = bytes(space.totalBytes)
    let parts = "audio \(bytes(space.audioBytes)), database \(bytes(space.databaseBytes))"
    return [
      "store \(facts.store.map(\.description) ?? "without an id") in \(reader.layout.directory)",
      "  schema \(facts.schemaVersion), origin "
        + (origin.map { "\($0.id.description.prefix(8)) (\($0.reason))" } ?? "none yet"),
      "  \(size): \(parts), reserve \(bytes(space.reserveBytes))",
      "  free on the disk \(bytes(space.freeBytes))"
        + (space.secondsLeft.map { ", room for \(duration($0)) more" } ?? ""),
    ]
  }

  private func launches() throws(HoldfastError) -> [String] {
    let list = try LaunchList.read(reader)
    let alive = list.filter(\.isAlive)
    var lines = ["", "launches: \(list.count), \(alive.count) alive"]
    lines += alive.map {
      "  \($0.launch.description.prefix(8)) \($0.program), process \($0.process), since "
        + time($0.startedMilliseconds)
    }
    if let last = list.first(where: { !$0.isAlive }) {
      lines.append(
        "  the last one ended \(last.ending?.rawValue ?? "unknown"): \(last.evidence)")
    }
    return lines
  }

  /// What recovery found, or would find if a writer opened the store now.
  private func outstanding() throws(HoldfastError) -> [String] {
    let findings = try reader.read { try RecoveryFindings.read($0) }
    guard !findings.isEmpty else { return [] }
    var lines = ["", "not acknowledged yet (holdfast recover):"]
    for item in findings.recordings {
      let lost = Double(item.salvaged.lostAtMostNanoseconds) / 1e9
      lines.append(
        "  recording \(item.summary.id.description.prefix(8)): "
          + "\(item.salvaged.indexedChunks) chunks indexed, "
          + "\(item.salvaged.salvagedChunks) salvaged, at most \(duration(lost)) lost")
    }
    for launch in findings.launches {
      lines.append(
        "  launch \(launch.launch.description.prefix(8)): \(launch.ending.kind.rawValue)")
    }
    lines += findings.attention.map { "  \($0.code): \(VisibleText.escaped($0.message))" }
    return lines
  }

  private func recordings() throws(HoldfastError) -> [String] {
    var request = RecordingRequest()
    request.includesDeleted = true
    let all = try reader.recordings(request)
    var lines = ["", "recordings: \(all.count)"]
    for summary in all.prefix(Int(Self.shown)) { lines += recording(summary) }
    if UInt64(all.count) > Self.shown {
      lines.append("  … and \(UInt64(all.count) - Self.shown) older ones")
    }
    if !all.isEmpty {
      lines.append("  █ audio  · gap  ▒ dropped frames  ? may be missing")
    }
    return lines
  }

  private func recording(_ summary: RecordingSummary) -> [String] {
    let title = summary.title.isEmpty ? "(no title)" : VisibleText.escaped(summary.title)
    let line = summary.timeline
    let recovered = summary.phase.recovered ? ", recovered" : ""
    var lines = [
      "  \(summary.id.description.prefix(8)) \(time(summary.startedMilliseconds)) "
        + "\(summary.state)\(recovered)  \(title)",
      "    \(duration(line.capturedSeconds)) captured of \(duration(line.elapsedSeconds)) "
        + "elapsed, \(summary.chunks) chunks, \(bytes(summary.payloadBytes))",
    ]
    let room = columns > 40 ? columns - 24 : 40
    for strip in TimelineStrip(summary, columns: min(room, 60)).lines {
      let name = VisibleText.escaped(strip.track)
      let padding = String(repeating: " ", count: max(14 - name.count, 1))
      lines.append("    \(name)\(padding)│\(strip.cells)│")
    }
    return lines
  }
}
