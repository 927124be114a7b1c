/// How many columns text takes on a terminal. The system's `wcwidth` depends on the locale and says
/// nothing in the "C" one, so the rule is here, over Swift's own characters: a grapheme cluster is
/// as wide as its widest scalar.
package enum DisplayWidth {
  /// The columns of the text; it must not contain what ``visible(_:)`` makes visible.
  package static func of(_ text: some StringProtocol) -> Int {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
    return text.reduce(0) { $0 + of($1) }
  }

  /// The columns of one character: 0, 1 or 2.
  package static func of(_ character: Character) -> Int {
    let scalars = character.unicodeScalars
    // VARIATION SELECTOR-16 asks for the emoji form, which is wide; so is a flag of two letters.
    if scalars.count > 1, scalars.contains(where: { $0.value == 0xFE0F }) { return 2 }
    if scalars.count > 1, scalars.allSatisfy({ (0x1F1E6...0x1F1FF).contains($0.value) }) {
      return 2
    }
    return scalars.reduce(0) { max($0, of($1)) }
  }

  private static func of(_ scalar: Unicode.Scalar) -> Int {
    if scalar.value < 0x7F { return scalar.value < 0x20 ? 0 : 1 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: return scalar.value == 0xAD ? 1 : 0
    default: break
    }
    if (0x1160...0x11FF).contains(scalar.value) { return 0 }  // Hangul vowels and finals join.
    if scalar.properties.isEmojiPresentation { return 2 }
    return wide.contains { $0.contains(scalar.value) } ? 2 : 1
  }

  /// East Asian Width W and F (Unicode 15.1, EastAsianWidth.txt), merged over unassigned code
  /// points between them; emoji come from their own property.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97C,
    0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6B, 0xFF01...0xFF60,
    0xFFE0...0xFFE6, 0x16FE0...0x18CFF, 0x1AFF0...0x1B2FF, 0x1F200...0x1F265, 0x20000...0x3FFFD,
  ]

  /// The text cut to at most so many columns, the last of them an ellipsis where something was cut.
  package static func truncate(_ text: String, to columns: Int) -> String {
    guard of(text) > columns else { return text }
    guard columns > 0 else { return "" }
    var (kept, used) = ("", 0)
    for character in text {
      let width = of(character)
      guard used + width < columns else { break }
      kept.append(character)
      used += width
    }
    return kept + "…"
  }

  /// The text with spaces before or after it, up to so many columns.
  package static func pad(_ text: String, to columns: Int, right: Bool = false) -> String {
    let spaces = String(repeating: " ", count: max(0, columns - of(text)))
    return right ? spaces + text : text + spaces
  }

  /// The words of the text in lines of at most so many columns; a longer word has its own line.
  package static func wrap(_ text: String, to columns: Int) -> [String] {
    var lines: [String] = []
    var (line, used) = ("", 0)
    for word in text.split(separator: " ") {
      let width = of(word)
      if !line.isEmpty, used + 1 + width > columns {
        lines.append(line)
        (line, used) = ("", 0)
      }
      if !line.isEmpty { (line, used) = (line + " ", used + 1) }
      (line, used) = (line + word, used + width)
    }
    return line.isEmpty ? lines : lines + [line]
  }
}
