import Testing

/// What the rules over lines take and refuse.
@Suite struct TextRuleTests {
  private func lines(_ violations: [Violation]) -> [Int] { violations.map(\.line) }

  private func file(_ text: String, _ path: String = "Sources/HoldfastModel/a.swift") -> SourceFile
  {
    SourceFile(path, text)
  }

  @Test func `a line of 100 characters is taken, one of 101 refused`() {
    let full = String(repeating: "é", count: 100)
    #expect(
      longLines(file("\(full)\n\(full)x\n")) == [
        Violation(
          file: "Sources/HoldfastModel/a.swift", line: 2, rule: "line",
          remedy: "101 characters, at most 100: break it")
      ])
  }

  @Test func `what cannot be broken is taken: links, tables, generated files`() {
    let long = String(repeating: "x", count: 101)
    #expect(longLines(file("/// https://example.org/\(long)\n")).isEmpty)
    #expect(longLines(file("| \(long) |\n", "Sources/Holdfast/a.md")).isEmpty)
    #expect(longLines(file(long, "schema/Migrations.generated.swift")).isEmpty)
    #expect(lines(longLines(file("# \(long)\n", "Sources/Holdfast/a.md"))) == [1])
  }

  @Test func `a file of 400 lines is taken, one of 401 refused`() {
    #expect(longFiles(file(String(repeating: "a\n", count: 400))).isEmpty)
    #expect(lines(longFiles(file(String(repeating: "a\n", count: 401)))) == [401])
  }

  @Test(arguments: [
    ("a.swift", "func f() {", "}"),
    ("a.swift", "init(\n) {", "}"),
    ("a.swift", "subscript(a: A) -> B {", "}"),
    ("a.swift", "var a: B {", "}"),
    ("a.c", "int f(int x)\n{", "}"),
    ("a.sh", "f() {", "}"),
    ("a.py", "def f(a):", "g()"),
  ])
  func `a function of 70 lines is taken, one of 71 refused`(
    name: String, head: String, end: String
  ) {
    let headLines = head.contains("\n") && !name.hasSuffix(".c") ? 2 : 1
    let endLines = name.hasSuffix(".py") ? 0 : 1
    func function(_ count: Int) -> SourceFile {
      let body = String(repeating: "  x()\n", count: count - headLines - endLines)
      let text = "\(head)\n\(body)\(end)\n"
      // A property counts only as a member.
      return file(name.hasSuffix("swift") ? "struct S {\n\(text)}\n" : text, "Sources/A/\(name)")
    }
    #expect(longFunctions(function(70)).isEmpty)
    #expect(longFunctions(function(71)).count == 1)
  }

  @Test(arguments: [
    ("a\tb\n", [1]), ("a \n", [1]), ("a\r\nb\n", [1]), ("a", [1]), ("a\n\nb\n", []), ("", []),
  ])
  func `stray blanks are refused`(text: String, expected: [Int]) {
    #expect(lines(strayBlanks(file(text))) == expected)
  }

  @Test(arguments: [
    ("// TO" + "DO: later", [1]), ("x\n# X" + "XX\n", [2]), ("// HA" + "CK", [1]),
    ("// FIX" + "ME(me)", [1]), ("mktemp a.X" + "XXXXX", []), ("// HA" + "CKNEYED", []),
    ("cd /wo" + "rk/main", [1]), ("let a = \"/ho" + "me/me\"", [1]), ("Tests/wo" + "rk/a", []),
    ("in this session" + " tool", [1]),
  ])
  func `left-over markers and traces of one machine are refused`(text: String, expected: [Int]) {
    #expect(lines(strayWords(file(text, "tools/a.sh"))) == expected)
  }

  @Test(arguments: [
    ("// What it is.\nimport A\n", []), ("import A\n\n/// A thing.\nstruct B {}\n", []),
    ("#if os(Linux)\n/// A thing.\nstruct B {}\n#endif\n", []), ("", []),
    ("import A\n\nstruct B {}\n", [3]), ("struct B {\n  /// Only inside.\n  var c: D\n}\n", [1]),
  ])
  func `a file without a word at its head is refused`(text: String, expected: [Int]) {
    #expect(lines(missingHead(file(text))) == expected)
  }

  @Test func `a C header needs a head, a test does not`() {
    #expect(lines(missingHead(file("#pragma once\nint a;\n", "Sources/CA/a.h"))) == [2])
    #expect(missingHead(file("#pragma once\n/* A. */\nint a;\n", "Sources/CA/a.h")).isEmpty)
    #expect(missingHead(file("struct A {}\n", "Tests/ATests/a.swift")).isEmpty)
  }

  @Test func `the root takes the names of the design and dot-files only`() {
    #expect(strayTopLevel(Array(topLevel) + [".git", ".ci"]).isEmpty)
    #expect(strayTopLevel(Array(topLevel) + ["docs"]).map(\.file) == ["docs"])
    #expect(strayTopLevel(Array(topLevel.subtracting(["schema"]))).map(\.file) == ["schema"])
  }
}
