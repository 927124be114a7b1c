import Holdfast

/// The text with everything visible that could act on a terminal or deceive a reader: control
/// characters (C0, DEL, C1, so every ANSI sequence too), line and paragraph separators, and format
/// characters such as the overrides of writing direction (Unicode's Cc, Zl, Zp and Cf).
///
/// Kept are the joiners that emoji and Persian or Indic words need, and the tags of emoji flags.
/// Newline, tab, return and escape become `\n`, `\t`, `\r`, `\e`; the rest `\u{202E}`. Bytes of
/// file names that are no UTF-8 become `\xE9` (``PathText``). Meant for
/// eyes: a backslash of the text itself is not doubled.
package func visible(_ text: String) -> String {
  if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
  let text = PathText.shown(text)
  var result = String.UnicodeScalarView()
  for scalar in text.unicodeScalars {
    if isHarmless(scalar) {
      result.append(scalar)
    } else {
      result.append(contentsOf: spelling(of: scalar).unicodeScalars)
    }
  }
  return String(result)
}

private func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.properties.generalCategory {
  case .control, .lineSeparator, .paragraphSeparator: false
  case .format:
    // Zero-width (non-)joiner; soft hyphen; tags, which only follow an emoji flag's black flag.
    scalar.value == 0x200C || scalar.value == 0x200D || scalar.value == 0xAD
      || (0xE0020...0xE007F).contains(scalar.value)
  default: true
  }
}

private func spelling(of scalar: Unicode.Scalar) -> String {
  switch scalar {
  case "\n": "\\n"
  case "\t": "\\t"
  case "\r": "\\r"
  case "\u{1B}": "\\e"
  default: "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
  }
}
