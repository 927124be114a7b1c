/// Text of transcripts in the form in which it is kept.
package enum TranscriptText {
  /// Text without control characters but newline, lines ended by one newline, no blanks at its
  /// ends. Characters that only deceive the eye (overrides of writing direction) are text, and are
  /// made visible where they are shown.
  package static func cleaned(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    var wasReturn = false
    for scalar in text.unicodeScalars {
      defer { wasReturn = scalar == "\r" }
      switch scalar {
      case "\n" where wasReturn: continue
      case "\n", "\r", "\u{2028}", "\u{2029}", "\u{85}": scalars.append("\n")
      case "\t": scalars.append(" ")
      case _ where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value): continue
      default: scalars.append(scalar)
      }
    }
    return trimmed(scalars)
  }

  /// Bytes of a label that are kept.
  package static let labelBytes: UInt64 = 200

  /// A short name on one line: a speaker, an engine.
  package static func label(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    var bytes: UInt64 = 0
    for scalar in cleaned(text).unicodeScalars {
      bytes += UInt64(UTF8.width(scalar))
      guard bytes <= labelBytes else { break }
      scalars.append(scalar == "\n" ? " " : scalar)
    }
    return trimmed(scalars)
  }

  private static func trimmed(_ scalars: String.UnicodeScalarView) -> String {
    guard let first = scalars.firstIndex(where: { !isBlank($0) }),
      let last = scalars.lastIndex(where: { !isBlank($0) })
    else { return "" }
    return String(scalars[first...last])
  }

  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isWhitespace }

  /// How many words a text has: runs between blanks that hold a letter or a digit; each character
  /// of a script that is written without blanks is one. Counted by whoever makes the change, since
  /// two versions of Unicode may not agree.
  package static func wordCount(_ text: String) -> UInt64 {
    var count: UInt64 = 0
    var isInWord = false
    for scalar in text.unicodeScalars {
      if isBlank(scalar) {
        isInWord = false
      } else if isUnspaced(scalar) {
        count += 1
        isInWord = false
      } else if !isInWord, scalar.properties.isAlphabetic || scalar.properties.numericType != nil {
        count += 1
        isInWord = true
      }
    }
    return count
  }

  /// Han, Hiragana, Katakana, Thai, Lao, Khmer, Myanmar: scripts without blanks between words.
  private static func isUnspaced(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.value < 0xE00 { return false }
    switch scalar.value {
    case 0xE01...0xE30, 0xE81...0xEB0, 0x1000...0x102A, 0x1780...0x17B3, 0x3041...0x30FF:
      return true
    default: return scalar.properties.isIdeographic
    }
  }
}
