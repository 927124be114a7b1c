import Foundation
import Holdfast

/// `holdfast dump`.
struct DumpCommand: Command {
  private struct Document: Encodable { let digest: String }

  func run(_ context: CommandContext) async throws(HoldfastError) -> ExitCode {
    let directory = try context.existingStore()
    let isDigest = context[Options.digest] || context.output.isJSON
    let pages = Locked<[String]>([])
    let digest = try StateDump.run(
      directory, temporary: NSTemporaryDirectory(), .system()
    ) { line in
      if !isDigest { pages.withLock { $0.append(line) } }
    }
    if context.output.isJSON {
      try await context.output.document(Document(digest: digest.description))
    } else if isDigest {
      try await context.output.line(digest.description)
    } else {
      for page in pages.withLock({ $0 }) { try await context.output.page(page) }
    }
    return .done
  }
}
