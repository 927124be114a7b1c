import Foundation
import HoldfastInspect
import HoldfastModel
import HoldfastStore
import Testing

@Suite("A store at a glance")
struct TextInspectorTests {
  private func bars(_ text: String) -> [String] {
    text.split(separator: "\n").filter { $0.hasPrefix("    |") }.map {
      String($0.split(separator: "|")[1])
    }
  }

  @Test("a time line is drawn to scale: takes, gaps, dropped frames, a bound of a loss")
  func timeline() throws {
    let store = try ShownStore()
    let writer = try store.open()
    let id = try writer.startRecording(RecordingSeed(title: "Drawn"))
    try store.take(writer, id, at: 0, [(20, 0)], reason: .pause)
    try store.take(writer, id, at: 60, [(10, 0), (10, 10)], reason: .termination, lostSeconds: 10)
    try writer.setPhase(.stopped, of: id, reason: .termination)
    writer.close()
    let text = try TextInspector(store.reader()).text()
    let drawn = "==========" + String(repeating: ".", count: 20) + "=====!!!!!====="
    #expect(bars(text) == [drawn.padding(toLength: 45, withPad: "=", startingAt: 0) + "?????"])
    #expect(text.contains("\"Drawn\"") && text.contains("gap at 20.0 s: pause, 40.0 s"))
    #expect(text.contains("gap at 1 m 10 s: overflow, 10.0 s"))
    #expect(text.contains("2 takes, 40 chunks, 4.0 kB; u8 100 Hz 1 channel"))
  }

  @Test("the smallest gap and the shortest take are seen, tracks share one scale")
  func smallest() throws {
    let store = try ShownStore()
    let writer = try store.open()
    let id = try writer.startRecording(RecordingSeed())
    try store.take(writer, id, at: 0, [(500, 0)], reason: .interruption)
    try store.take(writer, id, at: 501, [(499, 0)], reason: .stop)
    try store.take(writer, id, track: "remote", at: 300, [(1, 0)], reason: .stop)
    try writer.setPhase(.stopped, of: id, reason: .stop)
    writer.close()
    let bars = bars(try TextInspector(store.reader()).text())
    #expect(bars.map(\.count) == [50, 50])
    #expect(bars[0].filter { $0 == "." }.count == 1 && bars[0].filter { $0 == "=" }.count == 49)
    #expect(Array(bars[1])[15] == "=" && bars[1].filter { $0 == "." }.count == 49)
  }

  @Test("a running recording ends in an arrow, and its launch is named as alive")
  func running() throws {
    let store = try ShownStore()
    let writer = try store.open()
    let id = try writer.startRecording(RecordingSeed())
    try store.take(writer, id, at: 0, [(10, 0)], reason: nil)
    _ = try writer.startRecording(RecordingSeed(title: "Nothing yet"))
    let text = try TextInspector(store.reader()).text()
    #expect(bars(text).map { $0.last } == [">"])
    #expect(text.contains("Launches  1 known, 1 alive") && text.contains("    recording, 20"))
    #expect(text.contains("Nothing is left to acknowledge."))
    writer.close()
  }

  @Test("what recovery would say is said before, nothing is written, and no title moves a cursor")
  func recovery() throws {
    let store = try ShownStore()
    do {
      let writer = try store.open()
      let id = try writer.startRecording(RecordingSeed(title: "\u{1b}[2J\nfake: line"))
      try store.take(writer, id, track: "m\tic", at: 0, [(10, 0)], reason: nil)
    }
    let before = try FileManager.default.subpathsOfDirectory(atPath: store.directory).sorted()
    let text = try TextInspector(store.reader()).text()
    #expect(text.contains("What the next opening for writing will say"))
    #expect(text.contains("10 chunks indexed, 0 salvaged, at most 1.0 s lost"))
    #expect(text.contains(#""\u{1b}[2J\u{a}fake: line""#) && text.contains(#"| m\u{9}ic"#))
    #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 32 })
    let after = try FileManager.default.subpathsOfDirectory(atPath: store.directory).sorted()
    #expect(after == before)
  }

  @Test("an empty store says so; of many recordings the newest are shown")
  func limits() throws {
    let store = try ShownStore()
    let writer = try store.open()
    #expect(try TextInspector(store.reader()).text().contains("No recordings."))
    for index in 0..<5 {
      _ = try writer.startRecording(
        RecordingSeed(title: "Number \(index)", recordedAtMilliseconds: Int64(index) * 1_000))
    }
    let text = try TextInspector(store.reader(), recordings: 2).text()
    #expect(text.contains("Number 4") && text.contains("Number 3") && !text.contains("Number 2"))
    #expect(text.contains("… and 3 older") && text.contains("1970-01-01T00:00:04.000Z"))
    writer.close()
  }

  @Test(
    "times are those of the calendar",
    arguments: [
      (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
      (951_782_400_000, "2000-02-29T00:00:00.000Z"),
      (4_107_542_399_000, "2100-02-28T23:59:59.000Z"),
      (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
      (1_764_544_161_007, "2025-11-30T23:09:21.007Z"),
    ])
  func calendar(milliseconds: Int64, text: String) throws {
    let store = try ShownStore()
    let writer = try store.open()
    _ = try writer.startRecording(RecordingSeed(recordedAtMilliseconds: milliseconds))
    #expect(try TextInspector(store.reader()).text().contains(text))
    writer.close()
  }
}
