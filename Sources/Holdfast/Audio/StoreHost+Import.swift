package import HoldfastModel
package import HoldfastStore

extension StoreHost {
  /// Imports an open file on a thread of its own, as the command does.
  ///
  /// - Parameters:
  ///   - progress: told on that thread.
  ///   - isCancelled: asked on that thread.
  /// - Throws: as `Importer.run`.
  package nonisolated func importing(
    _ file: ImportFile, _ request: ImportRequest,
    progress: @escaping @Sendable (ImportProgress) -> Void,
    isCancelled: @escaping @Sendable () -> Bool
  ) async throws(HoldfastError) -> ImportOutcome {
    let calls = HostCalls(host: self)
    return try await OwnThread.run("holdfast-import") { isTaskCancelled throws(HoldfastError) in
      try Importer(calls, file, request).run(progress: progress) {
        isCancelled() || isTaskCancelled()
      }
    }
  }
}
