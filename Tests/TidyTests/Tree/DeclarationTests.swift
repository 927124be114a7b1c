import Testing

@Suite struct DeclarationTests {
  /// `access keyword name first-last` of each declaration.
  private func summary(_ text: String) -> [String] {
    SourceFile("Sources/A/a.swift", text).declarations().map {
      "\($0.access ?? "-") \($0.keyword) \($0.name) \($0.firstLine)-\($0.lastLine)"
    }
  }

  @Test func `members, nested types and operators are found with their lines and access`() {
    let text = """
      @frozen
      public struct A: B {
        package private(set) var a: [Int: String] = ["x": { 1 }()]
        var b: Int {
          let hidden = 1; var alsoHidden = 2
          func inner() {}
          return hidden
        }
        package static func < (
          left: A, right: A
        ) -> Bool { true }
        public init?(_ c: () -> Void = {}) throws(E) where A: B {
          self.init(1)
        }
        private class func d() {}
      }
      """
    #expect(
      summary(text) == [
        "public struct A 2-16", "package var a 3-3", "- var b 4-8", "- func inner 6-6",
        "package func < 9-11", "public init  12-14", "- func d 15-15",
      ])
  }

  @Test func `requirements and cases take the access of their type, and have no body`() {
    let text = """
      package protocol P: Sendable {
        /// One.
        func one() throws(F) -> Int
        var two: Int { get }
        func three() -> @Sendable () -> Void
      }
      public enum E { case a(bytes: Int), b
        indirect case c
        func f() { switch self { case .a: break
          case .b: break } }
      }
      """
    #expect(
      summary(text) == [
        "package protocol P 1-6", "package func one 3-3", "package var two 4-4",
        "package func three 5-5", "public enum E 7-11", "public case a 7-7", "public case c 8-8",
        "- func f 9-10",
      ])
  }

  @Test func `what only looks like a declaration is none`() {
    let text = """
      let a = B.init(x: 1)
      if case .some(let y) = z, let w { use(.class, actor: 1) }
      let type = c.protocol
      """
    #expect(summary(text) == ["- let a 1-1", "- let type 3-3"])
  }
}
