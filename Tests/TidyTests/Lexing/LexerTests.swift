import Testing

@Suite struct LexerTests {
  private func words(_ text: String, isC: Bool = false) -> [String] {
    Lexer.tokens(of: text, isC: isC).filter { $0.kind == .word }.map(\.text)
  }

  @Test(arguments: [
    ("a // b", ["a"]),
    ("a /* b /* c */ d */ e", ["a", "e"]),
    (#"a "b" c"#, ["a", "c"]),
    (#"a "b \" c" d"#, ["a", "d"]),
    (##"a "b \(c("d") + e) f" g"##, ["a", "c", "e", "g"]),
    (###"a #"b " \(c) \#(d)"# e"###, ["a", "d", "e"]),
    ("a \"\"\"\nb \"c\" d\n\"\"\" e", ["a", "e"]),
    (##"a #/b "c/# d"##, ["a", "d"]),
    ("#if a", ["if", "a"]),
    ("func `a sentence`()", ["func", "`a sentence`"]),
    ("grüße(2.5e3, 0x1F_FF, 1...b)", ["grüße", "b"]),
  ])
  func `comments and literals hide words, interpolations do not`(text: String, expected: [String]) {
    #expect(words(text) == expected)
  }

  @Test func `in C a quote may stand in a character, and comments do not nest`() {
    #expect(words("a '\"' b '\\'' /* /* */ c", isC: true) == ["a", "b", "c"])
    #expect(words("#include \"x\"\nint y;", isC: true) == ["include", "int", "y"])
  }

  @Test func `a token knows its line, also after strings and comments of many lines`() {
    let text = "a\n/* \n */ b \"\"\"\n\n\"\"\"\nc\r\nd"
    let lines = Lexer.tokens(of: text).filter { $0.kind == .word }.map(\.line)
    #expect(lines == [1, 3, 6, 7])
  }

  @Test(arguments: ["\"", "/*", "#\"a", "`a", "'", "\"\\(a", "a\\", "\"\"\"", "#/"])
  func `text that ends too early is still read to its end`(text: String) {
    #expect(Lexer.tokens(of: text).count <= text.utf8.count + 1)
    #expect(Lexer.tokens(of: text, isC: true).count <= text.utf8.count + 1)
  }

  @Test func `a pattern matches words and symbols whatever the blanks, and no literal`() {
    let tokens = Lexer.tokens(of: "try await Task\n  .sleep(1); \"Task\".sleep")
    let pattern = "Task . sleep".split(separator: " ")
    #expect(tokens.indices.filter { tokens.matches(pattern, at: $0) } == [2])
    #expect(Lexer.tokens(of: "try!a").matches(["try", "!"], at: 0))
    #expect(!Lexer.tokens(of: "try !a").matches(["try", "!"], at: 0))
  }
}
