import Foundation
import Testing

/// The platform guide shows code that is compiled: every block of Swift in it stands, line by line,
/// in the app code that `tools/check-app-code` compiles.
@Suite struct GuideTests {
  private static let guide = "Sources/Holdfast/Holdfast.docc/Platforms/"

  /// Lines without what indents all of them.
  private func outdented(_ lines: some Sequence<Substring>) -> [Substring] {
    let lines = Array(lines)
    let depths = lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }
    return lines.map { $0.dropFirst(depths.min() ?? 0) }
  }

  private func blocks(_ file: SourceFile) -> [[Substring]] {
    var blocks: [[Substring]] = []
    var block: [Substring]?
    for line in file.lines {
      if line == "```swift" {
        block = []
      } else if line == "```", let whole = block {
        blocks.append(whole)
        block = nil
      } else {
        block?.append(line)
      }
    }
    return blocks
  }

  private func holds(_ file: SourceFile, _ block: [Substring]) -> Bool {
    file.lines.indices.contains { start in
      start + block.count <= file.lines.count
        && file.lines[start].hasSuffix(block[0])
        && outdented(file.lines[start..<start + block.count]) == block
    }
  }

  @Test func `every block of code in the guide is compiled app code`() {
    let files = Repository.shared.files
    let code = files.filter { $0.path.hasPrefix("Tests/AppCode/") && $0.isSwift }
    let articles = files.filter { $0.path.hasPrefix(Self.guide) && $0.isMarkdown }
    #expect(articles.count >= 10)
    #expect(articles.reduce(0) { $0 + blocks($1).count } >= 15)
    for article in articles {
      for block in blocks(article) where !code.contains(where: { holds($0, block) }) {
        Issue.record("\(article.path): no app code has \"\(block.first ?? "")\"")
      }
    }
  }
}
