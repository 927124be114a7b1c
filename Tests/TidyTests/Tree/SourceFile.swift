/// A text file of the package, as rules see it.
struct SourceFile {
  /// The path from the package's root, as in `Sources/Holdfast/Store.swift`.
  let path: String
  let text: String
  /// Without line ends; the first has the number 1.
  let lines: [Substring]
  /// All tokens of Swift and C; none of other languages.
  let tokens: [Token]

  init(_ path: String, _ text: String) {
    self.path = path
    self.text = text
    // "\r\n" is one character, so lines are cut at the newline's scalar.
    var lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
      .map(Substring.init)
    if lines.last == "" { lines.removeLast() }
    self.lines = lines
    let isC = path.hasSuffix(".c") || path.hasSuffix(".h")
    tokens = isC || path.hasSuffix(".swift") ? Lexer.tokens(of: text, isC: isC) : []
  }

  var isSwift: Bool { path.hasSuffix(".swift") }
  var isC: Bool { path.hasSuffix(".c") || path.hasSuffix(".h") }
  var isMarkdown: Bool { path.hasSuffix(".md") }

  /// Whether a tool wrote it, so that its shape is not a person's choice.
  var isGenerated: Bool { path.hasSuffix(".generated.swift") }

  /// The module or test target that the file belongs to; nil outside of them.
  var module: String? {
    let parts = path.split(separator: "/")
    if parts.first == "schema" { return "HoldfastSchema" }
    guard parts.count > 2, parts[0] == "Sources" || parts[0] == "Tests" else { return nil }
    return String(parts[1])
  }

  /// Whether the file is part of what is built and shipped.
  var isShipped: Bool { path.hasPrefix("Sources/") || path.hasPrefix("schema/") }

  func violation(_ line: Int, _ rule: String, _ remedy: String) -> Violation {
    Violation(file: path, line: line, rule: rule, remedy: remedy)
  }
}

/// A place where the tree departs from a rule.
struct Violation: Equatable, CustomStringConvertible {
  var file: String
  var line: Int
  var rule: String
  /// What to do about it.
  var remedy: String

  var description: String { "\(file):\(line): \(rule): \(remedy)" }
}
