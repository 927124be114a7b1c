/// Nothing of the table of banned code stands in what is shipped.
func bannedWords(_ file: SourceFile) -> [Violation] {
  guard file.isShipped, file.isSwift else { return [] }
  let code = file.tokens.code
  return bannedCode.filter { !$0.isAllowed(file) }.flatMap { ban in
    let pattern = ban.pattern.split(separator: " ")
    return code.indices.filter { index in
      code.matches(pattern, at: index) && !(index > 0 && isOtherName(code[index - 1].text, pattern))
    }.map { file.violation(code[$0].line, "banned", "`\(ban.pattern)`: \(ban.remedy)") }
  }
}

/// `.print(` and `func print(` are other functions than the global one.
private func isOtherName(_ before: String, _ pattern: [Substring]) -> Bool {
  ["print", "fatalError"].contains(pattern.first) && [".", "func"].contains(before)
}

/// Unsafe constructs stand only in the leaves that wrap C, and in the files that the table names.
func strayUnsafe(_ file: SourceFile) -> [Violation] {
  guard file.isShipped, !placesOfUnsafe.contains(where: file.path.hasPrefix) else { return [] }
  return file.tokens.code.filter { $0.kind == .word && $0.text == "unsafe" }.map {
    file.violation($0.line, "unsafe", "move it into a leaf module behind a safe call")
  }
}

/// Spans are newer than some systems on which apps must build, so none is in the public API.
func publicSpans(_ file: SourceFile) -> [Violation] {
  let spans: Set = ["Span", "RawSpan", "MutableSpan", "MutableRawSpan", "OutputSpan", "UTF8Span"]
  return file.declarations().filter { declaration in
    ["public", "open"].contains(declaration.access)
      && declaration.signature.contains { spans.contains($0.text) && $0.kind == .word }
  }.map { file.violation($0.firstLine, "span", "give a buffer or an array in the public API") }
}

/// A test that does not run says why, and none is hidden in a comment.
func disabledTests(_ file: SourceFile) -> [Violation] {
  guard file.path.hasPrefix("Tests/"), file.isSwift else { return [] }
  let code = file.tokens.code
  let unexplained = code.indices.filter { index in
    code.matches([".", "disabled", "("], at: index)
      && !(index + 3 < code.count && code[index + 3].kind == .string && code[index + 3].text != "")
  }.map { file.violation(code[$0].line, "disabled", "say why: `.disabled(\"reason\")`") }
  let hidden = file.tokens.filter { token in
    let text = token.text.drop { "/* ".contains($0) }
    return token.kind == .comment && (text.hasPrefix("@Test") || text.hasPrefix("#expect("))
  }.map { file.violation($0.line, "disabled", "run the test or delete it") }
  return unexplained + hidden
}
