import HoldfastModel
package import HoldfastStore

/// A recording's time line as one line of characters a track, drawn to scale.
///
/// `█` is audio, `·` a gap, `▒` a place where frames were dropped, `?` a bound of what may be
/// missing. Every take and every gap is at least one cell wide, so that nothing is too short to be
/// seen.
package struct TimelineStrip {
  /// Cells of a line.
  private let width: Int  // tidy: index
  private let summary: RecordingSummary

  /// - Parameter columns: cells of a line, at least 10.
  package init(_ summary: RecordingSummary, columns: UInt32) {
    self.summary = summary
    width = Int(max(columns, 10))
  }

  /// A line a track: its name and its cells.
  package var lines: [(track: String, cells: String)] {
    let length = summary.timeline.elapsedSeconds
    guard length > 0 else { return [] }
    return summary.tracks.map { track in
      var cells = [Character](repeating: " ", count: width)
      let takes = summary.takes.filter { $0.span.track == track.track }
      for gap in summary.timeline.gaps where gap.track == track.track {
        guard let take = takes.first(where: { $0.id == gap.take }) else { continue }
        let begin = start(take) + Double(gap.atFrame) / take.format.sampleRate
        let end = min(begin + (gap.seconds ?? length - begin), length)
        fill(&cells, begin, end, gap.known == .unknown ? "?" : "·", length)
      }
      for take in takes { fill(&cells, start(take), take.span.endSeconds, "█", length) }
      for take in takes {
        for jump in take.span.jumps {
          let begin = start(take) + Double(jump.atFrame) / take.format.sampleRate
          fill(
            &cells, begin, begin + Double(jump.frames) / take.format.sampleRate, "▒", length)
        }
      }
      return (track.name, String(cells))
    }
  }

  private func start(_ take: TakeRow) -> Double { Double(take.span.startNanoseconds) / 1e9 }

  private func fill(
    _ cells: inout [Character], _ begin: Double, _ end: Double, _ mark: Character,
    _ length: Double
  ) {
    let scale = Double(width) / length
    let first = min(max(Int((begin * scale).rounded(.down)), 0), width - 1)
    let last = min(max(Int((end * scale).rounded(.up)) - 1, first), width - 1)
    for cell in first...last { cells[cell] = mark }
  }
}
