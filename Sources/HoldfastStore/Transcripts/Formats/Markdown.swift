/// Text that stays text in Markdown (CommonMark 0.31, section 2.4: backslash escapes).
enum Markdown {
  private static let signs: Set<Character> = [
    "\\", "`", "*", "_", "[", "]", "<", ">", "#", "&", "|", "~", "!",
  ]

  /// On one line.
  static func line(_ text: String) -> String {
    escaped(text.split(whereSeparator: \.isNewline).joined(separator: " "))
  }

  /// On several lines; a newline of the text stays one.
  static func block(_ text: String) -> String {
    text.split(separator: "\n").map { line in
      let escaped = escaped(String(line))
      // What begins a list or a rule is text here.
      guard let first = escaped.first, "-+=".contains(first) else { return numbered(escaped) }
      return "\\" + escaped
    }.joined(separator: "\\\n")
  }

  private static func numbered(_ line: String) -> String {
    let digits = line.prefix { $0.isASCII && $0.isNumber }
    guard !digits.isEmpty, let sign = line[digits.endIndex...].first, ".)".contains(sign) else {
      return line
    }
    return digits + "\\" + line[digits.endIndex...]
  }

  private static func escaped(_ text: String) -> String {
    text.reduce(into: "") { escaped, character in
      if signs.contains(character) { escaped.append("\\") }
      escaped.append(character)
    }
  }
}
