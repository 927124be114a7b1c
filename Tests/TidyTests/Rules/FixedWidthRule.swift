/// No byte, frame, time or sequence is an `Int`, which has 32 bits on many watches.
///
/// A heuristic over what other modules see: a property, parameter or result whose name speaks of
/// such a quantity has a fixed width. An index into an array is marked on its line:
/// `// tidy: index`.
func wordSizedQuantities(_ file: SourceFile) -> [Violation] {
  guard file.isShipped else { return [] }
  let marked = Set(
    file.tokens.filter { $0.kind == .comment && $0.text.contains("tidy: index") }.map(\.line))
  return file.declarations().filter { $0.access != nil }.flatMap { declaration in
    namesTypedInt(declaration).filter { isQuantity($0.name) && !marked.contains($0.line) }.map {
      file.violation(
        $0.line, "fixed width", "`\($0.name)` is an Int: UInt64, Int64 or UInt32, or an index")
    }
  }
}

/// The names in a declaration whose type is, or holds, an `Int`. A result counts for the function.
private func namesTypedInt(_ declaration: Declaration) -> [(name: String, line: Int)] {
  var found: [(name: String, line: Int)] = []
  /// The names that the type under way belongs to, a level of brackets each: a label and a name.
  var owners: [[String]] = [[declaration.name]]
  var brackets = ""
  let signature = declaration.signature
  for (index, token) in signature.enumerated() where token.kind != .string {
    switch token.text {
    case "(", "[":
      owners.append(owners.last ?? [])
      brackets += token.text
    case ")", "]":
      owners.removeLast()
      _ = brackets.popLast()
    case ",": owners[owners.count - 1] = owners.dropLast().last ?? [declaration.name]
    case ":" where brackets.last != "[":
      let names = signature[max(0, index - 2)..<index].filter { $0.kind == .word }
      owners[owners.count - 1] = names.map(\.text)
    case ">" where brackets.isEmpty && index > 0 && signature[index - 1].text == "-":
      owners = [[declaration.name]]
    case "Int" where index == 0 || signature[index - 1].text != ".":
      found += (owners.last ?? []).map { ($0, token.line) }
    default: break
    }
  }
  if declaration.value.matches(["Int", "("], at: 0) {
    found.append((declaration.name, declaration.firstLine))
  }
  return found
}

private let quantities: Set = [
  "byte", "bytes", "frame", "frames", "sample", "samples", "sequence", "seq", "offset", "offsets",
  "time", "times", "second", "seconds", "milliseconds", "microseconds", "nanoseconds", "duration",
  "position", "size", "length",
]

/// Whether one of the words of a name in camel case speaks of a quantity.
private func isQuantity(_ name: String) -> Bool {
  var words: [String] = [""]
  for character in name {
    if character.isUppercase { words.append("") }
    words[words.count - 1] += character.lowercased()
  }
  return words.contains(where: quantities.contains)
}
