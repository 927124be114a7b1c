package import HoldfastModel

/// Makes the engine that writes an open take.
extension StoreWriter {
  /// A journal for a take that was opened by this launch. Nothing is written before its first
  /// chunk.
  package func makeJournal(
    _ take: OpenTake, chunkFrames: UInt64, _ durability: ChunkDurability
  ) throws(HoldfastError) -> sending TakeJournal {
    let header = ReelHeader(
      store: take.store, origin: take.origin, launch: take.launch, recording: take.recording,
      track: take.track, trackName: take.trackName, take: take.take, takeIndex: take.index,
      reel: 0, format: take.format, opened: take.opened, recordingStarted: take.recordingStart,
      startNanoseconds: take.startNanoseconds, firstChunk: 0, firstFrame: 0, local: true)
    do {
      let writer = try ReelWriter(
        directory: layout.directory, files: environment.files, hashing: environment.hashing,
        clock: environment.clock, header: header)
      return TakeJournal(
        ChunkCutter(take.format, chunkFrames: chunkFrames, hashing: environment.hashing),
        ChunkJournal(
          take, writer, durability, clock: environment.clock, launchFile: launchFile))
    } catch { throw StoreFaults.error(error) }
  }
}

extension StoreFaults {
  /// What a reel's fault means to the user of a store.
  package static func error(_ fault: ReelFault) -> HoldfastError {
    switch fault.code {
    case .full: return diskFull(errno: fault.cause?.errno ?? 0, cause: fault.message)
    case .tooLarge, .invalid:
      return HoldfastError(.invalidArgument, fault.message, cause: fault.cause?.description)
    case .damaged, .cut, .foreign:
      return HoldfastError(.damaged, fault.message, cause: fault.cause?.description)
    case .absent:
      return HoldfastError(
        .notFound, fault.message, hint: "Check the path.", cause: fault.cause?.description)
    default:
      guard let cause = fault.cause else { return HoldfastError(.failed, fault.message) }
      return error(cause)
    }
  }

  /// Why a take ended by a fault.
  package static func reason(_ fault: ReelFault) -> GapReason {
    fault.code == .full ? .diskFull : .mediumFailed
  }
}
