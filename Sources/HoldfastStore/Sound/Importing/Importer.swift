import HoldfastAudio
package import HoldfastModel

/// Makes a recording with one track of a file of audio: one take, or one for each run of audio when
/// the format changes within the file.
///
/// Invariants:
/// - Importing twice is importing once: what is there is found by its content or its external id
///   (``ImportSearch``), also when another process put it there a moment ago.
/// - Whatever ends an import, what was read of the file is kept, and the next import of the file
///   goes on behind it: a new take begins exactly where the last one ends, so that no gap is to be
///   seen.
/// - Rows follow reels that are synced, so that a chunk which the next import relies on is there.
/// - The file's own times are not used: it began when the request says, or now.
///
/// Runs on the caller's thread and blocks; the store is reached in short calls.
package struct Importer {
  private let store: any StoreCalls
  private let file: ImportFile
  private let request: ImportRequest
  private let length: ChunkLength

  /// An importer of one file.
  package init(_ store: any StoreCalls, _ file: ImportFile, _ request: ImportRequest) {
    self.store = store
    self.file = file
    self.request = request
    length = ChunkLength(seconds: request.chunkSeconds)
  }

  /// Imports the file.
  ///
  /// - Parameters:
  ///   - progress: told on the caller's thread, each mebibyte or so.
  ///   - isCancelled: asked as often; true ends the import cleanly.
  /// - Returns: what became of it.
  /// - Throws: `conflict` when the external id stands for other audio; `diskFull`, `medium`,
  ///   `failed` when it ended early, `context["recording"]` naming what is kept; `locked` when
  ///   another process that imports the same file stands still.
  package func run(
    progress: (ImportProgress) -> Void = { _ in }, isCancelled: () -> Bool = { false }
  ) throws(HoldfastError) -> ImportOutcome {
    let search = ImportSearch(
      store: store, file: file, request: request, length: length)
    var patience = ImportPatience(store.environment)
    while true {
      switch try search.run() {
      case .there(let id, let isInTrash, let isNameless, let done):
        return ImportOutcome(
          .alreadyThere, id, isInTrash: isInTrash, isNameless: isNameless,
          progress: ImportProgress(doneBytes: done, totalBytes: file.sourceBytes))
      case .begun(let id, let track, let rest):
        try store.call { writer throws(HoldfastError) in try writer.resumeRecording(id) }
        let part = ImportPart(recording: id, track: track, rest: rest)
        return try take(part, .completed, progress, isCancelled)
      case .underWay(let id, let chunks):
        try patience.wait(for: id, chunks: chunks, file.path)
        if isCancelled() { throw Self.cancelled(file.path) }
      case .nothing(let seen):
        guard let id = try create(seen) else { continue }
        let rest = try ImportRest(file, length)
        let part = ImportPart(recording: id, track: request.track, rest: rest)
        return try take(part, .imported, progress, isCancelled)
      }
    }
  }

  /// Makes the recording, unless one appeared that was not looked at; nil then.
  private func create(_ seen: Set<RecordingID>) throws(HoldfastError) -> RecordingID? {
    var seed = request.seed
    seed.sourceBytes = file.sourceBytes
    let (wanted, file, request) = (seed, file, request)
    return try store.call { writer throws(HoldfastError) in
      var isRaced = false
      do throws(HoldfastError) {
        return try writer.startRecording(wanted) { db in
          let found = try ImportSearch.candidates(file, request, db)
          guard !found.allSatisfy({ seen.contains($0.id) }) else { return }
          isRaced = true
          throw HoldfastError(.conflict, "Another process has just begun the same import.")
        }
      } catch {
        if isRaced { return nil }
        throw error
      }
    }
  }

  private func take(
    _ part: ImportPart, _ kind: ImportOutcome.Kind, _ progress: (ImportProgress) -> Void,
    _ isCancelled: () -> Bool
  ) throws(HoldfastError) -> ImportOutcome {
    var part = part
    var ending = try ImportTake(store: store, file: file, part: part).run(progress, isCancelled)
    while !ending.wasStopped, let next = try part.rest.next() {
      part.rest = next
      ending = try ImportTake(store: store, file: file, part: part).run(progress, isCancelled)
    }
    let done = ImportProgress(
      doneBytes: part.rest.before + ending.doneBytes, totalBytes: file.sourceBytes)
    if done.doneBytes < done.totalBytes {
      return ImportOutcome(.cancelled, part.recording, progress: done)
    }
    return ImportOutcome(kind, part.recording, progress: done)
  }

  private static func cancelled(_ path: String) -> HoldfastError {
    HoldfastError(
      .interrupted, "The import of \(path) was cancelled; nothing was added.", isRetryable: true)
  }
}
