public import Foundation
public import HoldfastModel
import HoldfastStore

/// Audio in and out: files become recordings, recordings become files.
extension RecordingStore {
  /// The audio of a recording, to be exported.
  ///
  /// - Throws: `notFound`.
  public func audio(of id: Recording.ID) async throws(HoldfastError) -> RecordingAudio {
    let model = id.model
    let tracks = try await host.read { writer throws(HoldfastError) in
      try writer.database.read { db in try RecordingRows.one(model, db)?.tracks.map(\.name) }
    }
    guard let tracks else {
      throw HoldfastError(.notFound, "There is no recording \(id) in this store.")
    }
    return RecordingAudio(id, tracks: tracks, host)
  }

  /// Makes a recording of a file: WAV, CAF or ADTS, its audio taken in as it is.
  ///
  /// Importing twice is importing once: the same external id, or the same content, answers the
  /// recording that is there, also one in the trash. An import that was cut short, by a kill or a
  /// cancelled task, goes on where it stopped. The file itself is left alone.
  ///
  /// - Parameters:
  ///   - file: the file. Its own times are not used.
  ///   - draft: title, time and attributes of the new recording.
  ///   - externalID: the app's own name for it.
  /// - Returns: the recording that holds the file's audio.
  /// - Throws: `inputRefused`, naming the file and the reason; `notFound` when there is no file;
  ///   `conflict` when the external id stands for other audio; `diskFull`; `interrupted` when the
  ///   task is cancelled.
  public func importFile(
    _ file: URL, as draft: Recording.Draft = .init(), externalID: String? = nil
  ) async throws(HoldfastError) -> Recording.ID {
    let store = HostCalls(host: host)
    let request = ImportRequest(
      draft.seed(externalID: externalID), chunkSeconds: configuration.chunk / .seconds(1))
    let path = file.path
    _ = try await open()
    guard !Task.isCancelled else {
      throw HoldfastError(
        .interrupted, "The import of \(path) was cancelled before it began.", isRetryable: true,
        context: ["path": path])
    }
    let outcome = try await OwnThread.run("holdfast-import") {
      isCancelled throws(HoldfastError) in
      let source = try ImportFile(path, store.environment.files)
      defer { source.close() }
      return try Importer(store, source, request).run(isCancelled: isCancelled)
    }
    guard outcome.kind != .cancelled else {
      throw HoldfastError(
        .interrupted, "The import of \(path) was cancelled; what was read is kept.",
        hint: "Import it again: it goes on where it stopped.", isRetryable: true,
        context: ["path": path, "recording": outcome.recording.description])
    }
    return Recording.ID(outcome.recording)
  }

  /// Writes everything into a directory in open formats: for each recording a folder with its audio
  /// (WAV, or the codec's own file) and `recording.json`; the trash in a folder of its own; and
  /// `index.json`, written last, which names them all.
  ///
  /// - Parameter url: a directory that is not there yet, or is empty.
  /// - Returns: what was written.
  /// - Throws: `conflict` when there is something in it; `invalidArgument` when it lies in the
  ///   store, or when a file is in the way; `diskFull`; `suspended`; `interrupted` when the task is
  ///   cancelled. What was written so far then stays, without `index.json`.
  @discardableResult
  public func archive(to url: URL) async throws(HoldfastError) -> ArchiveReport {
    guard url.isFileURL else { throw HoldfastError(.invalidArgument, "\(url) is no directory.") }
    let store = HostCalls(host: host)
    let path = url.path
    _ = try await open()
    return try await OwnThread.run("holdfast-archive") { isCancelled throws(HoldfastError) in
      try ArchiveWriter(store, path, isCancelled: isCancelled).run()
    }
  }
}
