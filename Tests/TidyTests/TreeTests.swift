import Foundation
import Testing

/// The rules of the house, held against the tree as it is. What each rule takes and refuses is
/// shown in `RuleTests`.
@Suite struct TreeTests {
  private let tree = Repository.shared

  /// Records each departure as a failure of its own, so that one run names them all.
  private func expectNone(
    _ violations: [Violation], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for violation in violations {
      Issue.record(Comment(rawValue: violation.description), sourceLocation: sourceLocation)
    }
  }

  private func expectKept(
    _ rule: (SourceFile) -> [Violation], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    expectNone(tree.files.flatMap(rule), sourceLocation: sourceLocation)
  }

  @Test func `the whole tree is read`() {
    for path in ["Package.swift", "tools/test", "schema/README.md", ".ci/run"] {
      #expect(tree.files.contains { $0.path == path })
    }
    #expect(tree.files.contains { $0.path == "Tests/TidyTests/TreeTests.swift" })
    #expect(Set(tree.files.compactMap(\.module)).isSuperset(of: house.keys))
  }

  @Test func `lines, functions and files are short`() {
    expectKept(longLines)
    expectKept(longFunctions)
    expectKept(longFiles)
  }

  @Test func `text is clean, and speaks of the project alone`() {
    expectKept(strayBlanks)
    expectKept(strayWords)
  }

  @Test func `every file says what it is for`() {
    expectKept(missingHead)
  }

  @Test func `the root holds what the design names`() {
    expectNone(strayTopLevel(tree.topLevel))
  }

  @Test func `imports point down, and the manifest agrees`() throws {
    let file = try #require(tree.files.first { $0.path == "Package.swift" })
    let manifest = Manifest(file)
    expectNone(strayDependencies(manifest, house: house))
    expectKept { strayImports($0, house: house, manifest: manifest) }
    expectNone(strayExports(tree.files))
  }

  @Test func `no banned code is shipped`() {
    expectKept(bannedWords)
  }

  @Test func `unsafe code stays in the leaves, and spans out of the public API`() {
    expectKept(strayUnsafe)
    expectKept(publicSpans)
  }

  @Test func `bytes, frames, times and sequences have a fixed width`() {
    expectKept(wordSizedQuantities)
  }

  @Test func `every disabled test says why`() {
    expectKept(disabledTests)
  }

  @Test func `the migrations compiled in are those of the SQL files`() throws {
    let generator = Process()
    generator.executableURL = tree.root.appending(path: "tools/generate-schema")
    generator.arguments = ["--print"]
    let output = Pipe()
    generator.standardOutput = output
    try generator.run()
    let wanted = String(
      decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    generator.waitUntilExit()
    #expect(generator.terminationStatus == 0)
    let file = tree.files.first { $0.path == "schema/Migrations.generated.swift" }
    #expect(file?.text == wanted, "run tools/generate-schema and commit what it writes")
  }
}
