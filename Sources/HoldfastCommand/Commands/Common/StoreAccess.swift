import Foundation
import Holdfast

/// How command bodies come to a store.
extension CommandContext {
  /// Opens the store for reading: nothing is written there, no launch is counted, and what recovery
  /// would say is shown.
  func reader() throws(HoldfastError) -> StoreReader {
    try ReaderOpening.open(
      try existingStore(), temporary: NSTemporaryDirectory(), .system())
  }

  /// A handle for writing that is not open yet; each such command is a launch of its own.
  ///
  /// - Parameter creates: whether a store is made where there is none.
  func store(
    creates: Bool = false, durability: RecordingStore.Configuration.Durability? = nil,
    chunk: Duration? = nil
  ) throws(HoldfastError) -> RecordingStore {
    let path = creates ? try newStore() : try existingStore()
    let directory = URL(fileURLWithPath: path, isDirectory: true)
    var configuration = RecordingStore.Configuration(directory: directory)
    configuration.creates = creates
    configuration.waitsForUnlock = false
    configuration.lockWaitSeconds = self[Options.wait]
    if let kinds = arguments.ifListed(Options.pipeline) {
      configuration.pipeline = try Self.pipeline(kinds)
    }
    if let durability { configuration.durability = durability }
    if let chunk { configuration.chunk = chunk }
    return RecordingStore(configuration)
  }

  /// The kinds of `--pipeline`; "none" is none.
  private static func pipeline(_ text: String) throws(HoldfastError) -> [String] {
    if text == "none" { return [] }
    let kinds = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    for kind in kinds where !TaskKind(rawValue: kind).isName {
      throw HoldfastError(
        .invalidArgument, "--pipeline: \"\(kind)\" is no kind of task",
        hint: "a kind has 1 to 64 letters, digits, dots, dashes or underscores; none for none")
    }
    guard Set(kinds).count == kinds.count else {
      throw HoldfastError(.invalidArgument, "--pipeline names a kind twice")
    }
    return kinds
  }

  /// Opens the store for writing, runs a body and ends the launch cleanly, whatever the body did.
  func writing<T: Sendable>(
    creates: Bool = false,
    _ body: @Sendable (RecordingStore) async throws(HoldfastError) -> T
  ) async throws(HoldfastError) -> T {
    let store = try store(creates: creates)
    let report = try await store.host.engineReport()
    await tell(report)
    let result: T
    do throws(HoldfastError) { result = try await body(store) } catch {
      await store.close()
      throw error
    }
    await store.close()
    return result
  }

  /// Says on standard error what an opening found, so that it cannot be missed.
  func tell(_ report: OpeningReport) async {
    for item in report.recovered {
      await output.remark(
        "recording \(item.recording) of a process that died was recovered; see `holdfast recover`")
    }
    for item in report.attention { await output.remark(item.message) }
  }

  /// The recording that an id or a unique prefix of one names.
  func resolve(_ text: String, in store: RecordingStore) async throws(HoldfastError) -> RecordingID
  {
    try await store.host.read { writer throws(HoldfastError) in
      try writer.database.read { try RecordingRows.resolve(text, $0) }
    }
  }
}
