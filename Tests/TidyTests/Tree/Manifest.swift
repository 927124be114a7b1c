/// The targets of `Package.swift`, read from its text.
struct Manifest {
  struct Target: Equatable {
    var name: String
    var dependencies: Set<String>
    var isTest: Bool
    /// The line on which it begins.
    var line: Int
  }

  var targets: [Target] = []

  /// Reads calls of `.target`, `.executableTarget` and `.testTarget`. In a list of dependencies, a
  /// variable stands for every string in any of its definitions (`#if` gives it more than one).
  init(_ file: SourceFile) {
    let code = file.tokens.code
    let kinds = ["target", "executableTarget", "testTarget"]
    var end = 0  // A `.target(name:)` inside a call is a dependency.
    for index in code.indices.dropLast(2)
    where index >= end && code[index].text == "." && kinds.contains(code[index + 1].text)
      && code[index + 2].text == "("
    {
      let call = Self.bracketed(code, from: index + 2)
      end = call.endIndex
      guard let name = Self.argument("name", of: call).first(where: { $0.kind == .string }) else {
        continue
      }
      let dependencies = Self.argument("dependencies", of: call).flatMap { token in
        token.kind == .string ? [token.text] : Self.strings(ofVariable: token.text, in: code)
      }
      targets.append(
        Target(
          name: name.text, dependencies: Set(dependencies),
          isTest: code[index + 1].text == "testTarget", line: code[index].line))
    }
  }

  /// What stands between the bracket at `start` and its partner.
  private static func bracketed(_ code: [Token], from start: Int) -> ArraySlice<Token> {
    var depth = 0
    for index in start..<code.count where code[index].kind == .symbol {
      depth += ["(", "["].contains(code[index].text) ? 1 : 0
      depth -= [")", "]"].contains(code[index].text) ? 1 : 0
      if depth == 0 { return code[(start + 1)..<index] }
    }
    return code[start...]
  }

  /// The tokens of one argument of a call.
  private static func argument(_ label: String, of call: ArraySlice<Token>) -> ArraySlice<Token> {
    var (depth, start) = (0, call.endIndex)
    for index in call.indices where call[index].kind != .string {
      let text = call[index].text
      if depth == 0, text == label, start == call.endIndex { start = index + 2 }
      if depth == 0, text == ",", start < index { return call[start..<index] }
      depth += ["(", "["].contains(text) ? 1 : [")", "]"].contains(text) ? -1 : 0
    }
    return call[min(start, call.endIndex)...]
  }

  private static func strings(ofVariable name: String, in code: [Token]) -> [String] {
    code.indices.filter { code.matches(["let", Substring(name)], at: $0) }.flatMap { definition in
      code[definition...].firstIndex { $0.text == "=" }.map { equals in
        bracketed(code, from: equals + 1).filter { $0.kind == .string }.map(\.text)
      } ?? []
    }
  }
}
