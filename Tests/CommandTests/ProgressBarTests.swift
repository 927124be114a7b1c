import HoldfastCommand
import Testing

@Suite("The progress bar")
struct ProgressBarTests {
  private let second: UInt64 = 1_000_000_000

  /// What stands on the line after drawing.
  private func line(_ drawn: String?) -> String? {
    drawn.map { String($0.dropFirst().dropLast(3)) }
  }

  @Test("it is drawn at most ten times a second")
  func throttle() {
    var bar = ProgressBar()
    var drawn = 0
    for millisecond in 0..<1000 {
      let reading = ProgressReading("x", bytes: UInt64(millisecond), of: 1000)
      if bar.draw(reading, now: UInt64(millisecond) * 1_000_000, columns: 80) != nil { drawn += 1 }
    }
    #expect(drawn == 10)
  }

  @Test("part, amounts, rate and time left are told")
  func content() {
    var bar = ProgressBar()
    let first = bar.draw(.init("talk.wav", bytes: 0, of: 76_100_000), now: 0, columns: 100)
    #expect(
      line(first) == "talk.wav    0 %  [--------------------]  0 B of 76.1 MB")
    let second = bar.draw(
      .init("talk.wav", bytes: 34_500_000, of: 76_100_000), now: 2 * second, columns: 100)
    #expect(
      line(second)
        == "talk.wav   45 %  [#########-----------]  34.5 MB of 76.1 MB  17.3 MB/s  3 s left")
  }

  @Test("seconds of audio are told with their speed, without an end where none is known")
  func seconds() {
    var bar = ProgressBar()
    _ = bar.draw(.init("Recording", seconds: 0, of: nil), now: 0, columns: 80)
    let drawn = bar.draw(.init("Recording", seconds: 90, of: nil), now: 60 * second, columns: 80)
    #expect(line(drawn) == "Recording  1 min 30 s  1.5×")
  }

  @Test("the rate counts from where the work began, not from nothing")
  func resumed() {
    var bar = ProgressBar()
    _ = bar.draw(.init("x", bytes: 50_000_000, of: 60_000_000), now: 0, columns: 100)
    let drawn = bar.draw(
      .init("x", bytes: 52_000_000, of: 60_000_000), now: 2 * second, columns: 100)
    #expect(line(drawn)?.hasSuffix("1.0 MB/s  8 s left") == true)
  }

  @Test("it never reaches the last column, whatever the width and the title")
  func width() {
    for columns in 0...120 {
      var bar = ProgressBar()
      let label = "Importing 会議の記録 of a rather long afternoon.wav"
      _ = bar.draw(.init(label, bytes: 0, of: 1_000_000_000), now: 0, columns: columns)
      let drawn = bar.draw(
        .init(label, bytes: 500_000_000, of: 1_000_000_000), now: 5 * second, columns: columns)
      #expect(DisplayWidth.of(line(drawn) ?? "") <= max(0, columns - 1), "\(columns)")
    }
  }

  @Test("control characters in the label are made visible")
  func label() {
    var bar = ProgressBar()
    let drawn = bar.draw(.init("a\u{1B}[2J\nb", bytes: 1, of: nil), now: 0, columns: 80)
    #expect(line(drawn) == "a\\e[2J\\nb  1 B")
  }

  @Test("erasing clears the line, and does nothing when there is none")
  func erase() {
    var bar = ProgressBar()
    #expect(bar.erase() == "")
    _ = bar.draw(.init("x", bytes: 1, of: 2), now: 0, columns: 80)
    #expect(bar.erase() == "\r\u{1B}[K")
    #expect(bar.erase() == "")
    #expect(bar.draw(.init("x", bytes: 1, of: 2), now: 1, columns: 80) != nil)
  }

  @Test("more than all is all, and an empty total is no total")
  func extremes() {
    var bar = ProgressBar()
    #expect(
      line(bar.draw(.init("x", bytes: 3, of: 2), now: 0, columns: 80))?.contains("100 %") == true)
    var empty = ProgressBar()
    #expect(line(empty.draw(.init("x", bytes: 0, of: 0), now: 0, columns: 80)) == "x  0 B of 0 B")
  }
}
