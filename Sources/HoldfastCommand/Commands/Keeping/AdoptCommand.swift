import Foundation
import Holdfast

/// `holdfast adopt`.
struct AdoptCommand: Command {
  private struct Item: Encodable {
    let path, result: String
    let recording, take: String?
    let added, healed, known, damaged: UInt64
    let refusal: String?
  }
  private struct Document: Encodable { let adopted: [Item] }

  func run(_ context: CommandContext) async throws(HoldfastError) -> ExitCode {
    let given = context[Arguments.paths]
    let (items, code) = try await context.writing(creates: false) { store throws(HoldfastError) in
      let paths = AdoptionPaths(given, .system())
      var items = paths.faults.map { Self.refused($0.path, $0.error.message) }
      var code = paths.faults.map { ExitCode($0.error) }.max() ?? .done
      if !paths.reels.isEmpty {
        let reels = paths.reels
        let adopted = try await store.host.write { writer throws(HoldfastError) in
          try StoreAdoption.run(reels, writer)
        }
        items += adopted.map(Self.item)
        if adopted.contains(where: { $0.refusal != nil }) { code = max(code, .refused) }
        if adopted.contains(where: { $0.damaged > 0 }) { code = max(code, .damage) }
      }
      for path in paths.others {
        do throws(HoldfastError) { items.append(try await Self.audio(path, store)) } catch {
          if ImportCommand.endsAll(error) { throw error }
          code = max(code, ExitCode(error))
          items.append(Self.refused(path, error.message))
        }
      }
      return (items, code)
    }
    if context.output.isJSON {
      try await context.output.document(Document(adopted: items))
    } else {
      for item in items { try await context.output.line(Self.words(item)) }
    }
    return code
  }

  private static func audio(
    _ path: String, _ store: RecordingStore
  ) async throws(HoldfastError) -> Item {
    let file = try ImportFile(path, SystemFiles())
    defer { file.close() }
    let title = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
    let outcome = try await store.host.importing(
      file, ImportRequest(RecordingSeed(title: title)), progress: { _ in }, isCancelled: { false })
    return Item(
      path: path, result: outcome.kind.rawValue, recording: outcome.recording.description,
      take: nil, added: 0, healed: 0, known: 0, damaged: 0, refusal: nil)
  }

  private static func refused(_ path: String, _ why: String) -> Item {
    Item(
      path: path, result: "refused", recording: nil, take: nil, added: 0, healed: 0, known: 0,
      damaged: 0, refusal: why)
  }

  private static func item(_ item: StoreAdoption.Item) -> Item {
    let result =
      item.refusal != nil ? "refused" : item.isNews ? "adopted" : "alreadyThere"
    return Item(
      path: item.path, result: result, recording: item.recording?.description,
      take: item.take?.description, added: item.added, healed: item.healed, known: item.known,
      damaged: item.damaged, refusal: item.refusal)
  }

  private static func words(_ item: Item) -> String {
    if let refusal = item.refusal { return "\(item.path): refused: \(refusal)" }
    let recording = item.recording.map { " (recording \($0.prefix(8)))" } ?? ""
    switch item.result {
    case "adopted":
      return "\(item.path): \(item.added) chunks taken in, \(item.healed) healed"
        + (item.damaged > 0 ? ", \(item.damaged) damaged stretches" : "") + recording
    case "alreadyThere": return "\(item.path): is already there" + recording
    default: return "\(item.path): \(item.result)" + recording
    }
  }
}
