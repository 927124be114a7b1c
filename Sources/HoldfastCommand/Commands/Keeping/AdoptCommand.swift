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
      try await take(AdoptionPaths(given, .system()), store, context)
    }
    if context.output.isJSON {
      try await context.output.document(Document(adopted: items))
    } else {
      for item in items where item.result != "failed" {
        try await context.output.line(Self.words(item))
      }
    }
    return code
  }

  /// Takes in what can be taken in; each path has its own result.
  private func take(
    _ paths: AdoptionPaths, _ store: RecordingStore, _ context: CommandContext
  ) async throws(HoldfastError) -> ([Item], ExitCode) {
    var items: [Item] = []
    var code = ExitCode.done
    for fault in paths.faults { await fail(fault.path, fault.error, context, &items, &code) }
    var last: HoldfastError?
    if !paths.reels.isEmpty {
      let reels = paths.reels
      let adopted = try await store.host.write { writer throws(HoldfastError) in
        try StoreAdoption.run(reels, writer)
      }
      for item in adopted {
        if let fault = item.fault {
          await fail(item.path, fault, context, &items, &code)
          if fault.concernsAll { last = fault }
        } else {
          items.append(Self.item(item))
          if item.refusal != nil { code = max(code, .refused) }
        }
        if item.damaged > 0 { code = max(code, .damage) }
      }
    }
    for path in paths.others {
      do throws(HoldfastError) {
        if let last { throw last }
        items.append(try await Self.audio(path, store))
      } catch {
        await fail(path, error, context, &items, &code)
        if error.concernsAll { last = error }
      }
    }
    return (items, code)
  }

  /// Notes and reports why a path was not taken in. A file that is no audio is a result, not a
  /// fault.
  private func fail(
    _ path: String, _ error: HoldfastError, _ context: CommandContext, _ items: inout [Item],
    _ code: inout ExitCode
  ) async {
    code = max(code, ExitCode(error))
    let isRefusal = error.code == .inputRefused
    items.append(Self.notTaken(path, isRefusal ? "refused" : "failed", error.message))
    if !isRefusal { await context.output.report(error) }
  }

  private static func audio(
    _ path: String, _ store: RecordingStore
  ) async throws(HoldfastError) -> Item {
    let file = try ImportFile(path, SystemFiles())
    defer { file.close() }
    let title = URL(fileURLWithPath: PathText.repaired(path)).deletingPathExtension()
      .lastPathComponent
    let outcome = try await store.host.importing(
      file, ImportRequest(RecordingSeed(title: title)), progress: { _ in }, isCancelled: { false })
    return Item(
      path: PathText.shown(path), result: outcome.kind.rawValue,
      recording: outcome.recording.description,
      take: nil, added: 0, healed: 0, known: 0, damaged: 0, refusal: nil)
  }

  private static func notTaken(_ path: String, _ result: String, _ why: String) -> Item {
    Item(
      path: PathText.shown(path), result: result, recording: nil, take: nil, added: 0, healed: 0,
      known: 0,
      damaged: 0, refusal: PathText.shown(why))
  }

  private static func item(_ item: StoreAdoption.Item) -> Item {
    let result =
      item.refusal != nil ? "refused" : item.isNews ? "adopted" : "alreadyThere"
    return Item(
      path: PathText.shown(item.path), result: result, recording: item.recording?.description,
      take: item.take?.description, added: item.added, healed: item.healed, known: item.known,
      damaged: item.damaged, refusal: item.refusal.map(PathText.shown))
  }

  private static func words(_ item: Item) -> String {
    if let refusal = item.refusal { return "\(item.path): refused: \(refusal)" }
    let recording = item.recording.map { " (recording \($0.prefix(8)))" } ?? ""
    switch item.result {
    case "adopted":
      return
        "\(item.path): \(CountedNoun.text(item.added, "chunk")) taken in, \(item.healed) healed"
        + (item.damaged > 0 ? ", \(item.damaged) damaged stretches" : "") + recording
    case "alreadyThere": return "\(item.path): is already there" + recording
    default: return "\(item.path): \(item.result)" + recording
    }
  }
}
