import HoldfastAudio
import HoldfastModel
import HoldfastSQLite

/// The part of a file that one take gets.
struct ImportPart {
  var recording: RecordingID
  var track: String
  var rest: ImportRest
}

/// Opens a take, brings a part of a file into it, closes it and stops the recording.
///
/// Invariant: whatever ends it, the take is closed over what was written and the recording is
/// stopped, unless another run of the file follows as a take, or the store itself fails; then the
/// next opening does it.
struct ImportTake {
  let store: any StoreCalls
  let file: ImportFile
  let part: ImportPart

  /// How far it came, when nothing was wrong.
  ///
  /// - Throws: why it ended early, naming the recording.
  func run(
    _ progress: (ImportProgress) -> Void, _ isCancelled: () -> Bool
  ) throws(HoldfastError) -> ImportPipeline.Ending {
    do throws(HoldfastError) {
      let (take, pipeline) = try begin()
      let ending = try follow(pipeline, take, progress, isCancelled)
      try close(take, ending)
      try complain(ending)
      return ending
    } catch {
      var context = error.context
      context["recording"] = part.recording.description
      throw HoldfastError(
        error.code, error.message, hint: error.hint, isRetryable: error.isRetryable,
        cause: error.cause, context: context)
    }
  }

  private func begin() throws(HoldfastError) -> (OpenTake, ImportPipeline) {
    do throws(HoldfastError) { return try open() } catch {
      let id = part.recording
      try? store.call { writer throws(HoldfastError) in
        try writer.setPhase(.stopped, of: id, reason: .stop)
      }
      throw error
    }
  }

  private func open() throws(HoldfastError) -> (OpenTake, ImportPipeline) {
    let (part, format) = (part, part.rest.run.format)
    let hashing = store.environment.hashing
    return try store.call { writer throws(HoldfastError) in
      // A take begins no earlier than the last one ends: 0 is exactly behind what is there.
      let take = try writer.openTake(
        of: part.recording, track: part.track, format, chunkFrames: part.rest.chunkFrames,
        startNanoseconds: 0)
      let journal = try writer.makeJournal(take, chunkFrames: part.rest.chunkFrames, .process)
      do throws(FileFault) {
        return (
          take,
          try ImportPipeline(
            part.rest.source, chunkFrames: part.rest.chunkFrames, journal, hashing: hashing)
        )
      } catch { throw StoreFaults.error(error) }
    }
  }

  /// Indexes what is written, a reel at a time, and hands on progress.
  private func follow(
    _ pipeline: ImportPipeline, _ take: OpenTake, _ progress: (ImportProgress) -> Void,
    _ isCancelled: () -> Bool
  ) throws(HoldfastError) -> ImportPipeline.Ending {
    var waiting: [ChunkRecord] = []
    do throws(HoldfastError) {
      while let written = pipeline.next() {
        waiting += written.records
        try indexWholeReels(&waiting, take)
        progress(
          ImportProgress(
            doneBytes: part.rest.before + written.doneBytes, totalBytes: file.sourceBytes))
        if isCancelled() { pipeline.stop() }
      }
    } catch {
      pipeline.stop()
      while let written = pipeline.next() { waiting += written.records }
      var ending = pipeline.join()
      ending.records = waiting + ending.records
      // Rows could not be written; perhaps the end can. If not, the next opening finds it all.
      try? close(take, ending)
      throw error
    }
    var ending = pipeline.join()
    ending.records = waiting + ending.records
    return ending
  }

  /// Chunks before the reel that is written now are synced (``ReelWriter`` syncs a reel before it
  /// begins the next).
  private func indexWholeReels(
    _ waiting: inout [ChunkRecord], _ take: OpenTake
  ) throws(HoldfastError) {
    guard let last = waiting.last?.reel, waiting.first?.reel != last else { return }
    let whole = waiting.filter { $0.reel != last }
    waiting.removeAll { $0.reel != last }
    try store.call { writer throws(HoldfastError) in try writer.index(whole, of: take.take) }
  }

  private func close(
    _ take: OpenTake, _ ending: ImportPipeline.Ending
  ) throws(HoldfastError) {
    let reason = ending.reelFault.map { StoreFaults.reason($0) } ?? .stop
    let isWhole = ending.doneBytes == part.rest.run.dataLength && ending.reelFault == nil
    let goesOn = isWhole && !ending.wasStopped && !part.rest.behind.isEmpty
    let isLast = part.rest.behind.isEmpty
    try store.call { writer throws(HoldfastError) in
      try writer.closeTake(take.take, ending.records, reason: reason)
      guard !goesOn else { return }
      try writer.setPhase(.stopped, of: take.recording, reason: reason)
      if isWhole && isLast { try writer.forgetLoss(of: take.recording) }
    }
  }

  private func complain(_ ending: ImportPipeline.Ending) throws(HoldfastError) {
    if let fault = ending.reelFault { throw StoreFaults.error(fault) }
    if let change = file.change { throw file.changedError(change, part.recording) }
    if let fault = ending.sourceFault { throw StoreFaults.error(fault) }
    guard ending.doneBytes == part.rest.run.dataLength || ending.wasStopped else {
      throw file.changedError("ended early", part.recording)
    }
  }
}

extension StoreWriter {
  /// What recovery said of a recording's end is past: the rest has come.
  func forgetLoss(of recording: RecordingID) throws(HoldfastError) {
    let known = try database.read { db in
      try db.first(
        "SELECT 1 FROM recovery WHERE recording = ?1 AND acknowledged = 0",
        [.blob(recording.bytes)]
      ) { $0.int64(0) }
    }
    guard known != nil else { return }
    try database.commit { db in
      _ = try db.run(
        "UPDATE recovery SET acknowledged = 1 WHERE recording = ?1", [.blob(recording.bytes)])
    }
  }
}
