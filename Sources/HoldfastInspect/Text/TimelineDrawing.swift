import HoldfastModel
import HoldfastStore

/// Draws a track of a recording to scale, in characters that every terminal has.
///
/// Invariant: every gap and every take has a column at least, as far as there are columns enough;
/// all tracks of a recording share one scale.
struct TimelineDrawing {
  /// Characters of a drawing.
  static let columns = 50
  /// What the characters mean.
  static let legend = "= audio  . gap  ! frames dropped  ? perhaps lost  > being recorded"

  /// Seconds that all columns together stand for.
  let seconds: Double

  /// A drawing's scale: the recording with all its takes and its last gaps.
  init(_ summary: RecordingSummary) {
    let ends = summary.takes.map { take in
      take.span.endSeconds + Double(take.span.lostAtMostNanoseconds) / 1e9
    }
    seconds = max(summary.elapsedSeconds, ends.max() ?? 0)
  }

  /// The line of one track.
  func line(_ takes: [TakeSpan]) -> String {
    guard seconds > 0, seconds.isFinite else {
      return String(repeating: " ", count: Self.columns)
    }
    var cells = [Character](repeating: ".", count: Self.columns)
    var covered = [Double](repeating: 0, count: Self.columns)
    for take in takes { cover(&covered, Double(take.startNanoseconds) / 1e9, take.endSeconds) }
    for index in cells.indices where covered[index] * 2 >= width { cells[index] = "=" }
    for take in takes where take.endFrame > 0 { keep("=", at: take, in: &cells) }
    for (take, next) in zip(takes, takes.dropFirst()) {
      let start = take.endSeconds
      let end = Double(next.startNanoseconds) / 1e9
      if end - start >= 0.000_5 { mark(".", from: start, to: end, in: &cells) }
    }
    for take in takes {
      for jump in take.jumps {
        let start = Double(take.startNanoseconds) / 1e9 + Double(jump.atFrame) / take.sampleRate
        mark("!", from: start, to: start + Double(jump.frames) / take.sampleRate, in: &cells)
      }
    }
    if let last = takes.last { end(last, in: &cells) }
    return String(cells)
  }

  private var width: Double { seconds / Double(Self.columns) }

  private func column(_ time: Double) -> Int {
    min(max(Int(time / width), 0), Self.columns - 1)
  }

  private func cover(_ covered: inout [Double], _ start: Double, _ end: Double) {
    guard end > start else { return }
    for index in column(start)...column(end) {
      let left = Double(index) * width
      covered[index] += max(min(end, left + width) - max(start, left), 0)
    }
  }

  /// A take too short for a column of its own gets the one that it lies in.
  private func keep(_ mark: Character, at take: TakeSpan, in cells: inout [Character]) {
    let start = column(Double(take.startNanoseconds) / 1e9)
    let end = column(take.endSeconds)
    if !cells[start...max(start, end)].contains(mark) { cells[start] = mark }
  }

  /// Marks the columns of a stretch: those that it fills, and one at least.
  private func mark(
    _ mark: Character, from start: Double, to end: Double, in cells: inout [Character]
  ) {
    let first = column(start)
    cells[first] = mark
    let last = column(end)
    guard last > first + 1 else { return }
    for index in first + 1..<last { cells[index] = mark }
  }

  private func end(_ last: TakeSpan, in cells: inout [Character]) {
    let end = column(last.endSeconds)
    if last.closedReason == nil {
      cells[end] = ">"
    } else if last.lostAtMostNanoseconds > 0 {
      let lost = Double(last.lostAtMostNanoseconds) / 1e9
      let from = min(cells[end] == "=" ? end + 1 : end, Self.columns - 1)
      for index in from...max(from, column(last.endSeconds + lost)) { cells[index] = "?" }
    }
  }
}
