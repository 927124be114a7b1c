import Foundation
import Holdfast

/// `holdfast import`.
struct ImportCommand: Command {
  private struct Item: Encodable {
    let file: String
    let recording: String?
    let result: String
    let inTrash: Bool?
    let bytes: UInt64?
    let error: String?
  }
  private struct Document: Encodable { let imported: [Item] }

  func run(_ context: CommandContext) async throws(HoldfastError) -> ExitCode {
    let signals = try ProcessSignals.stream([.interrupt, .terminate, .hangUp])
    let isCancelled = Locked(false)
    let watching = Task {
      for await _ in signals { isCancelled.withLock { $0 = true } }
    }
    defer { watching.cancel() }
    let raw = try RecordCommand.rawFormat(context)
    let (items, code) = try await context.writing(creates: true) { store throws(HoldfastError) in
      var items: [Item] = []
      var code = ExitCode.done
      var last: HoldfastError?
      for name in context[Arguments.files] {
        guard last == nil, !isCancelled.withLock({ $0 }) else {
          items.append(Self.failed(name, "notTried", last?.message))
          continue
        }
        do throws(HoldfastError) {
          let outcome = try await one(name, raw, store, context, isCancelled)
          items.append(try await told(name, outcome, context))
          if outcome.kind == .cancelled { code = max(code, .failed) }
        } catch {
          await context.output.report(error)
          code = max(code, ExitCode(error))
          items.append(
            Self.failed(name, error.code == .inputRefused ? "refused" : "failed", error.message))
          if error.concernsAll { last = error }
        }
      }
      return (items, code)
    }
    if context.output.isJSON { try await context.output.document(Document(imported: items)) }
    return code
  }

  private static func failed(_ name: String, _ result: String, _ why: String?) -> Item {
    Item(
      file: PathText.shown(name), recording: nil, result: result, inTrash: nil, bytes: nil,
      error: why.map(PathText.shown))
  }

  private func one(
    _ name: String, _ raw: AudioFormat?, _ store: RecordingStore, _ context: CommandContext,
    _ isCancelled: Locked<Bool>
  ) async throws(HoldfastError) -> ImportOutcome {
    let file = try ImportFile(name, raw: raw, SystemFiles())
    defer { file.close() }
    for oddity in file.info.oddities { await context.output.remark("\(name): \(oddity.message)") }
    let title =
      context[Options.title]
      ?? URL(fileURLWithPath: PathText.repaired(name)).deletingPathExtension().lastPathComponent
    let seed = RecordingSeed(
      title: title, recordedAtMilliseconds: context[Options.recordedAt],
      externalID: context[Options.externalID])
    let request = ImportRequest(
      seed, track: context[Options.track], chunkSeconds: context[Options.chunkSeconds])
    let output = context.output
    return try await store.host.importing(file, request) { progress in
      Task {
        await output.progress(
          ProgressReading(
            "Importing \(name)", bytes: progress.doneBytes, of: progress.totalBytes))
      }
    } isCancelled: {
      isCancelled.withLock { $0 }
    }
  }

  private func told(
    _ name: String, _ outcome: ImportOutcome, _ context: CommandContext
  ) async throws(HoldfastError) -> Item {
    if !context.output.isJSON {
      let words: String =
        switch outcome.kind {
        case .alreadyThere:
          outcome.isInTrash ? "is already there, in the trash" : "is already there"
        case .completed: "was completed"
        case .cancelled: "was cancelled; import it again to go on"
        default: "was imported"
        }
      try await context.output.line("\(outcome.recording) \(name) \(words)")
    }
    if outcome.isNameless {
      await context.output.remark(
        "\(outcome.recording) has no external id, and got none: one is set only when a "
          + "recording is made")
    }
    return Item(
      file: PathText.shown(name), recording: outcome.recording.description,
      result: outcome.kind.rawValue,
      inTrash: outcome.isInTrash, bytes: outcome.progress.doneBytes, error: nil)
  }
}
