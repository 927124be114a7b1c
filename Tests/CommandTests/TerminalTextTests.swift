import HoldfastCommand
import Testing

@Suite("Text on a terminal")
struct TerminalTextTests {
  @Test("whatever could act on a terminal or deceive a reader is made visible")
  func visibleText() {
    #expect(visible("a\u{1B}[31mred\u{7}") == "a\\e[31mred\\u{7}")
    #expect(visible("one\ntwo\tthree\r") == "one\\ntwo\\tthree\\r")
    #expect(visible("one\r\ntwo") == "one\\r\\ntwo")
    #expect(visible("\u{9B}31m\u{7F}") == "\\u{9B}31m\\u{7F}")
    #expect(visible("exe\u{202E}gnp.") == "exe\\u{202E}gnp.")
    #expect(visible("\u{2066}a\u{2069}\u{200F}\u{FEFF}") == "\\u{2066}a\\u{2069}\\u{200F}\\u{FEFF}")
    #expect(visible("a\u{2028}b") == "a\\u{2028}b")
    #expect(visible("\0") == "\\u{0}")
  }

  @Test("ordinary text of any script stays as it is")
  func harmlessText() {
    for text in [
      "", "Besprechung über Öl", "会議の記録", "👩‍👩‍👧 talk", "می‌خواهم", "e\u{301}", "C:\\talk",
      "🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}",
    ] {
      #expect(visible(text) == text)
    }
  }

  @Test("nothing that is made visible holds a control character", arguments: 0..<20)
  func noControl(seed: UInt64) {
    var source = Seeded(seed)
    var text = String.UnicodeScalarView()
    for _ in 0..<300 {
      let value = UInt32.random(in: 0...0x10FFFF, using: &source)
      if let scalar = Unicode.Scalar(value % 3 == 0 ? value % 0x2100 : value) {
        text.append(scalar)
      }
    }
    let shown = visible(String(text))
    #expect(shown.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
    #expect(visible(shown) == shown)
  }

  @Test("width is counted in columns, not in characters")
  func width() {
    #expect(DisplayWidth.of("abc") == 3)
    #expect(DisplayWidth.of("会議") == 4)
    #expect(DisplayWidth.of("ｆｕ") == 4)
    #expect(DisplayWidth.of("e\u{301}") == 1)
    #expect(DisplayWidth.of("한글") == 4)
    #expect(DisplayWidth.of("\u{1112}\u{1161}\u{11AB}") == 2)
    #expect(DisplayWidth.of("🎙") == 1 && DisplayWidth.of("🎙\u{FE0F}") == 2)
    #expect(DisplayWidth.of("👩‍👩‍👧") == 2)
    #expect(DisplayWidth.of("🇩🇪") == 2)
    #expect(DisplayWidth.of("naïve…") == 6)
  }

  @Test("cut text fits, ends in an ellipsis, and cuts no character in two")
  func truncation() {
    #expect(DisplayWidth.truncate("meeting", to: 7) == "meeting")
    #expect(DisplayWidth.truncate("meeting", to: 6) == "meeti…")
    #expect(DisplayWidth.truncate("会議の記録", to: 6) == "会議…")
    #expect(DisplayWidth.truncate("会議", to: 1) == "…")
    #expect(DisplayWidth.truncate("会議", to: 0) == "")
    for columns in 0...12 {
      #expect(DisplayWidth.of(DisplayWidth.truncate("a会e\u{301}b👩‍👩‍👧c", to: columns)) <= columns)
    }
  }

  @Test("wrapped lines fit, and no word is lost")
  func wrapping() {
    let text = "one two three 会議の記録 five superlongwordthatfitsnowhere six"
    let lines = DisplayWidth.wrap(text, to: 12)
    #expect(lines.joined(separator: " ") == text)
    #expect(lines.allSatisfy { DisplayWidth.of($0) <= 12 || !$0.contains(" ") })
    #expect(DisplayWidth.wrap("", to: 10) == [])
  }
}

@Suite("Tables")
struct TextTableTests {
  private func table() -> TextTable {
    var table = TextTable([.init("ID"), .init("TITLE", elastic: true), .init("SIZE", right: true)])
    table.add(["4f2a", "会議の記録", "34.5 MB"])
    table.add(["beef", "line\nbreak and more", "1 B"])
    return table
  }

  @Test("columns line up by what the terminal shows")
  func aligned() {
    #expect(
      table().lines(width: nil) == [
        "ID    TITLE                    SIZE",
        "4f2a  会議の記録            34.5 MB",
        "beef  line\\nbreak and more      1 B",
      ])
  }

  @Test("where the line is too narrow the elastic column gives way")
  func narrow() {
    let lines = table().lines(width: 28)
    #expect(lines[2] == "beef  line\\nbreak …      1 B")
    #expect(lines.allSatisfy { DisplayWidth.of($0) <= 28 })
  }

  @Test("the elastic column stays readable, whatever the width")
  func veryNarrow() {
    #expect(table().lines(width: 1)[2] == "beef  line\\nb…      1 B")
  }

  @Test("a short row and an empty table are tables")
  func short() {
    var short = TextTable([.init("A"), .init("B")])
    #expect(short.isEmpty)
    #expect(short.lines(width: 80) == ["A  B"])
    short.add(["1"])
    #expect(short.lines(width: 80) == ["A  B", "1  "])
  }
}

@Suite("Quantities")
struct UnitsTests {
  @Test("durations are rounded once and carry over")
  func durations() {
    let cases: [(Double, String)] = [
      (0, "0.0 s"), (0.04, "0.0 s"), (0.35, "0.4 s"), (59.94, "59.9 s"), (59.96, "1 min 00 s"),
      (61, "1 min 01 s"), (3599.6, "1 h 00 min 00 s"), (3723, "1 h 02 min 03 s"),
      (90_000, "25 h 00 min 00 s"), (-2, "-2.0 s"), (-0.01, "0.0 s"), (.nan, "unknown"),
      (.infinity, "unknown"),
    ]
    for (seconds, text) in cases { #expect(Units.duration(seconds) == text) }
  }

  @Test("byte counts change their unit before they show four digits")
  func bytes() {
    let cases: [(UInt64, String)] = [
      (0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (999_949, "999.9 kB"), (999_950, "1.0 MB"),
      (34_500_000, "34.5 MB"), (4_294_967_296, "4.3 GB"), (.max, "18.4 EB"),
    ]
    for (count, text) in cases { #expect(Units.bytes(count) == text) }
  }
}
