/// Bounds of what a reader takes in at once.
enum Bound {
  static let line = 100
  static let function = 70
  static let file = 400
}

/// No line is longer than 100 characters. Tables and links cannot be broken, and are free.
func longLines(_ file: SourceFile) -> [Violation] {
  guard !file.isGenerated else { return [] }
  return file.lines.enumerated().compactMap { index, line in
    guard line.count > Bound.line, !line.contains("://"),
      !(file.isMarkdown && (line.hasPrefix("|") || line.contains("](")))
    else { return nil }
    return file.violation(
      index + 1, "line", "\(line.count) characters, at most \(Bound.line): break it")
  }
}

/// No file has more than 400 lines.
func longFiles(_ file: SourceFile) -> [Violation] {
  guard file.lines.count > Bound.file, !file.isGenerated else { return [] }
  return [
    file.violation(
      file.lines.count, "file", "\(file.lines.count) lines, at most \(Bound.file): split by idea")
  ]
}

/// No function has more than 70 lines, its signature and last brace included.
func longFunctions(_ file: SourceFile) -> [Violation] {
  functions(in: file).filter { $0.lines.count > Bound.function }.map { name, lines in
    file.violation(
      lines.lowerBound, "function",
      "\(name) has \(lines.count) lines, at most \(Bound.function): give its steps names")
  }
}

private func functions(in file: SourceFile) -> [(name: String, lines: ClosedRange<Int>)] {
  if file.isSwift {
    return file.declarations().filter(\.isFunction).map {
      ($0.name.isEmpty ? $0.keyword : $0.name, $0.firstLine...max($0.firstLine, $0.lastLine))
    }
  }
  if file.isC { return functionsOfC(file.tokens.code) }
  return functionsOfScript(file.lines)
}

/// In C, a block at the outermost level that follows a parenthesis.
private func functionsOfC(_ tokens: [Token]) -> [(name: String, lines: ClosedRange<Int>)] {
  var found: [(name: String, lines: ClosedRange<Int>)] = []
  var (depth, start, name) = (0, 0, "")
  for (index, token) in tokens.enumerated() where token.kind == .symbol {
    switch token.text {
    case "{":
      if depth == 0, index > 0, tokens[index - 1].text == ")" { start = token.line }
      depth += 1
    case "}":
      depth -= 1
      if depth == 0, start > 0 {
        found.append((name, start...token.line))
        start = 0
      }
    case "(" where depth == 0 && index > 0: name = tokens[index - 1].text
    default: break
    }
  }
  return found
}

/// In a shell script `name() {` up to `}`, in Python `def name` up to the next line that is not
/// indented more.
private func functionsOfScript(_ lines: [Substring]) -> [(name: String, lines: ClosedRange<Int>)] {
  var found: [(name: String, lines: ClosedRange<Int>)] = []
  for (index, line) in lines.enumerated() {
    let indentation = line.prefix { $0 == " " }.count
    let rest = lines[(index + 1)...]
    var length: Int?
    if line.hasSuffix("() {") {
      length = rest.firstIndex { $0 == String(repeating: " ", count: indentation) + "}" }
    } else if line.dropFirst(indentation).hasPrefix("def ") {
      let end = rest.firstIndex { !$0.isEmpty && $0.prefix { $0 == " " }.count <= indentation }
      length = (end ?? lines.count) - 1
    }
    if let length {
      found.append((String(line.dropFirst(indentation)), (index + 1)...(length + 1)))
    }
  }
  return found
}
