import Testing

/// What the rules over code take and refuse.
@Suite struct CodeRuleTests {
  private func lines(_ violations: [Violation]) -> [Int] { violations.map(\.line) }

  private func file(_ text: String, _ path: String = "Sources/HoldfastStore/a.swift") -> SourceFile
  {
    SourceFile(path, text)
  }

  @Test(arguments: [
    "import Synchronization", "let a: Mutex<Int>", "let a = Atomic<Int>(0)", "InlineArray<3, Int>",
    "any AsyncSequence<Int, Never>", "final class E: TaskExecutor {}", "try! f()", "a as! B",
    "fatalError(\"no\")", "print(1)", "Date()", "try await Task.sleep(for: d)",
    "DispatchQueue.main", "ProcessInfo.processInfo", "FileManager.default",
    "SystemRandomNumberGenerator()", "Int.random(in: 1...2)", "a.randomElement()", "UUID()",
  ])
  func `banned code is refused in an engine, and taken in comments and literals`(code: String) {
    #expect(!bannedWords(file("let x = 1; \(code)")).isEmpty)
    #expect(bannedWords(file("// \(code)\n/* \(code) */ \"\"\"\n\(code)\n\"\"\"")).isEmpty)
    #expect(bannedWords(file(code, "Tests/HoldfastStoreTests/a.swift")).isEmpty)
  }

  @Test(arguments: bannedCode.map(\.pattern))
  func `every row of the table bans something`(pattern: String) {
    let code = pattern.split(separator: " ").joined()
    #expect(lines(bannedWords(file("x \(code)"))).contains(1))
  }

  @Test func `what only resembles banned code is taken`() {
    let text =
      "fingerprint(1); out.print(2); try? f(); try !f(); a as? B; Date(x); AsyncSequence; Up<A>"
    #expect(bannedWords(file(text)).isEmpty)
    #expect(bannedWords(file("func print(_ text: String) {}")).isEmpty)
  }

  @Test func `each place has its own freedoms`() {
    #expect(
      bannedWords(file("print(1); FileManager.default", "Sources/HoldfastCommand/a.swift"))
        .isEmpty)
    #expect(bannedWords(file("FileManager.default", "Sources/Holdfast/a.swift")).isEmpty)
    #expect(bannedWords(file("E: TaskExecutor", "Sources/HoldfastTesting/a.swift")).isEmpty)
    #expect(lines(bannedWords(file("\nprint(1)", "Sources/Holdfast/a.swift"))) == [2])
  }

  @Test(arguments: [
    ("Sources/HoldfastStore/a.swift", [1, 2]), ("Sources/HoldfastPlatform/a.swift", []),
    ("Sources/HoldfastSQLite/b/a.swift", []), ("Sources/HoldfastPlatformer/a.swift", [1, 2]),
    ("Sources/HoldfastStore/Capture/TakeWriter.swift", []),
  ])
  func `unsafe code is refused outside the leaves`(path: String, expected: [Int]) {
    let text = "let a = unsafe b()\nnonisolated(unsafe) var c = 1 // unsafe\n\"unsafe\"\n"
    #expect(lines(strayUnsafe(file(text, path))) == expected)
  }

  @Test func `a span is refused in public declarations only`() {
    let text = """
      public func a(_ b: Span<UInt8>) {}
      package func c(_ d: Span<UInt8>) {}
      public func e() { let f: Span<UInt8> = g }
      public protocol P {
        func h(
          _ i: RawSpan
        )
      }
      """
    #expect(lines(publicSpans(file(text))) == [1, 5])
  }

  @Test(arguments: [
    ("package var byteCount: Int", [1]), ("package var byteCount: Int64", []),
    ("package let sizes: [Int]", []), ("package let size: Int?", [1]),
    ("package var count: Int", []), ("var byteCount: Int", []), ("private let size: Int", []),
    ("package func f(at offset: Int, _ b: [String: Int])", [1]),
    ("package func f(\n  frames count: Int\n)", [2]), ("package func frames() -> [Int]", [1]),
    ("public func f(_ seconds: Double, index: Int) -> Int", []),
    ("package func f(body: (_ bytes: [UInt8]) -> Int) -> (offset: Int, B)", [1]),
    ("package enum E { case chunk(firstFrame: Int), b }", [1]),
    ("package protocol P {\n  var sequence: Int { get }\n}", [2]),
    ("package static let size = Int(4)", [1]), ("package let size: Config.Int", []),
    ("package func read(at offset: Int)  // tidy: index", []),
  ])
  func `a quantity that other modules see has a fixed width`(text: String, expected: [Int]) {
    #expect(lines(wordSizedQuantities(file(text))) == expected)
  }

  @Test(arguments: [
    ("@Test(.disabled(\"needs a phone\")) func a() {}", []),
    ("@Test(.disabled()) func a() {}", [1]),
    ("@Test(.disabled(\"\")) func a() {}", [1]), ("@Test(.disabled(if: b)) func a() {}", [1]),
    ("x\n// @Test func a() {}", [2]), ("/* #expect(a) */", [1]), ("// As @Test says.", []),
  ])
  func `a disabled test without a reason is refused`(text: String, expected: [Int]) {
    #expect(lines(disabledTests(file(text, "Tests/ATests/a.swift"))) == expected)
  }
}
