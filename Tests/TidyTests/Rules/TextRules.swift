/// No tab, no blank at the end of a line, no carriage return, one newline at the end.
func strayBlanks(_ file: SourceFile) -> [Violation] {
  var found = file.lines.enumerated().compactMap { index, line -> Violation? in
    if line.unicodeScalars.contains("\t") {
      return file.violation(index + 1, "blanks", "write blanks instead of the tab")
    }
    if line.unicodeScalars.last == "\r" {
      return file.violation(index + 1, "blanks", "end lines by a newline alone")
    }
    guard line.last == " " else { return nil }
    return file.violation(index + 1, "blanks", "remove the blanks at the end")
  }
  if !file.text.isEmpty, file.text.unicodeScalars.last != "\n" {
    found.append(file.violation(file.lines.count, "blanks", "end the file by a newline"))
  }
  return found
}

/// Words that stand for unfinished work, as whole words. Spelled in pieces, since this file is read
/// by its own rule.
private let leftOvers = ["TO" + "DO", "FIX" + "ME", "X" + "XX", "HA" + "CK"]

/// Traces of the place where the code was written: a reader's machine has none of these.
private let traces = [
  "session" + " tool", "/wo" + "rk/", "/tmp" + "/hf", "/ro" + "ot/", "/ho" + "me/", "sub" + "agent",
]

/// No left-over marker and no trace of the machine on which the line was written.
func strayWords(_ file: SourceFile) -> [Violation] {
  file.lines.enumerated().flatMap { index, line -> [Violation] in
    let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
    let unfinished = leftOvers.filter { words.contains(Substring($0)) }.map {
      file.violation(index + 1, "words", "`\($0)`: finish it, or file it as an issue")
    }
    let strange = traces.filter { trace in
      // A path counts only from its root: "Tests/work/a" is a relative one.
      line.ranges(of: trace).contains { range in
        !trace.hasPrefix("/") || range.lowerBound == line.startIndex
          || !isPathCharacter(line[line.index(before: range.lowerBound)])
      }
    }
    return unfinished
      + strange.map { file.violation(index + 1, "words", "`\($0)`: name nothing of one machine") }
  }
}

private func isPathCharacter(_ character: Character) -> Bool {
  character.isLetter || character.isNumber || "._-}$)*~".contains(character)
}

/// Every file of what is shipped begins by saying what it is for: with a comment at its head, or a
/// doc comment on its first declaration.
func missingHead(_ file: SourceFile) -> [Violation] {
  guard file.isShipped, file.isSwift || file.isC else { return [] }
  let skipped = Set(
    file.tokens.indices.filter { place in
      let text = file.tokens[place].text
      return text == "import" || (text == "#" && file.tokens[place].kind == .symbol)
    }.map { file.tokens[$0].line })
  guard let first = file.tokens.first(where: { !skipped.contains($0.line) }),
    first.kind != .comment
  else { return [] }
  return [
    file.violation(first.line, "head", "say at the head what the file is for and what it keeps")
  ]
}

/// The root holds what the design names, and nothing else.
func strayTopLevel(_ names: [String]) -> [Violation] {
  let visible = Set(names.filter { !$0.hasPrefix(".") })
  let extra = visible.subtracting(topLevel).sorted().map {
    Violation(file: $0, line: 1, rule: "root", remedy: "move it below one of \(topLevel.sorted())")
  }
  let missing = topLevel.subtracting(visible).sorted().map {
    Violation(file: $0, line: 1, rule: "root", remedy: "it is absent; the design names it")
  }
  return extra + missing
}
