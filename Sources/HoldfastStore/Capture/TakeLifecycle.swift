package import HoldfastModel
import HoldfastSQLite

/// Opening takes, indexing their chunks, closing them.
///
/// Invariants: J1; J3 (rows of chunks are repeatable, everything else is power-safe); S11 (an
/// extent is minted only after its files were synced: the caller closes a take after
/// `ReelWriter.finish()`).
extension StoreWriter {
  /// Opens a take of a recording on a track, which is made when it is new.
  ///
  /// - Parameters:
  ///   - chunkFrames: sample frames of a full chunk, for the bound of a loss.
  ///   - startNanoseconds: where it begins in recording time; nil: now by the clock.
  /// - Throws: `notFound`; `conflict` when the recording is not being captured by this launch.
  package func openTake(
    of recording: RecordingID, track name: String, _ format: AudioFormat, chunkFrames: UInt64,
    startNanoseconds: Int64? = nil
  ) throws(HoldfastError) -> OpenTake {
    let now = environment.clock.now()
    return try database.commit { db in
      let state = try existing(recording, db)
      guard let anchor = try Anchor.of(recording, db), anchor.launch == launch else {
        throw HoldfastError(
          .conflict, "Recording \(recording) is not captured by this process.",
          hint: "Resume it first.")
      }
      var drafts: [ChangeLog.Draft] = []
      let known = state.tracks.first { $0.name == name }
      let track = known ?? TrackFact(track: TrackID(random: environment.random), name: name)
      if known == nil { drafts.append(.init(.trackCreated, track.body)) }
      let takes = state.takes.filter { $0.fact.track == track.track }
      var place = RecordingClock(start: anchor.start).place(now)
      if let startNanoseconds {
        place.nanoseconds = startNanoseconds
        place.known = .monotonic
      }
      place.nanoseconds = max(place.nanoseconds, try end(of: takes.last?.fact, db))
      let fact = TakeFact(
        take: TakeID(random: environment.random), track: track.track,
        index: (takes.last?.fact.index).map { $0 + 1 } ?? 0, format: format,
        startNanoseconds: place.nanoseconds, known: place.known,
        openedMilliseconds: place.wallMilliseconds)
      drafts.append(.init(.takeOpened, fact.body))
      try log.append(drafts, to: recording, db)
      try db.run(
        "UPDATE take SET launch = ?2, chunk_frames = ?3 WHERE id = ?1",
        [.blob(fact.take.bytes), .blob(launch.bytes), .integer(Int64(clamping: chunkFrames))])
      return OpenTake(
        recording: recording, track: track.track, trackName: name, take: fact.take,
        index: fact.index, format: format, startNanoseconds: fact.startNanoseconds, opened: now,
        recordingStart: anchor.start, origin: try OriginRow.current(db).id, store: store,
        launch: launch)
    }
  }

  /// Where a take ends in recording time, nanoseconds: the next one cannot begin before.
  private func end(of take: TakeFact?, _ db: borrowing Connection) throws -> Int64 {
    guard let take else { return 0 }
    let frames = try db.first(
      "SELECT end_frame FROM take WHERE id = ?1", [.blob(take.take.bytes)]
    ) { $0.int64(0) }
    let length = Double(frames ?? 0) / take.format.sampleRate * 1e9
    return take.startNanoseconds + (length.isFinite ? Int64(length) : 0)
  }

  /// Adds rows for chunks that are written. Indexing twice is indexing once.
  package func index(_ records: [ChunkRecord], of take: TakeID) throws(HoldfastError) {
    guard !records.isEmpty else { return }
    try database.commit(.repeatable) { db in
      _ = try ChunkRows.insert(records, of: take, db)
    }
    checkpointIfDue()
  }

  /// Closes a take: its last rows, its extent and why it ended, in one power-safe commit.
  ///
  /// - Parameters:
  ///   - droppedFrames: sample frames that came after the last chunk and found no room: a jump.
  ///   - lostNanoseconds: the most that is missing after the last frame.
  ///   - safeChunks: how many chunks from the first on are power-safe; nil: all.
  ///   - closed: when it ended, both clocks; nil: now.
  package func closeTake(
    _ take: TakeID, _ records: [ChunkRecord], reason: GapReason, droppedFrames: UInt64 = 0,
    lostNanoseconds: Int64 = 0, safeChunks: UInt64? = nil, closed: Moment? = nil
  ) throws(HoldfastError) {
    let moment = closed ?? environment.clock.now()
    try database.commit { db in
      try TakeClosing(log: log, hashing: environment.hashing).close(
        take, records, reason: reason, droppedFrames: droppedFrames,
        lostNanoseconds: lostNanoseconds, safeChunks: safeChunks, at: moment, db)
      if lostNanoseconds > 0 { try tellLoss(take, reason, lostNanoseconds, moment, db) }
    }
    launchFile.forget(take)
    checkpointIfDue()
  }

  /// Keeps for the user that sound came in which could not be kept (J8).
  private func tellLoss(
    _ take: TakeID, _ reason: GapReason, _ nanoseconds: Int64, _ now: Moment,
    _ db: borrowing Connection
  ) throws {
    let recording =
      try db.first(
        "SELECT recording FROM take WHERE id = ?1", [.blob(take.bytes)]
      ) { RecordingID($0.blob(0)) } ?? nil
    let cause = reason == .diskFull ? "the disk was full" : "the medium failed"
    let tenths = (nanoseconds + 50_000_000) / 100_000_000
    try AttentionRow.insert(
      Attention(
        code: reason.rawValue,
        message: "The last \(tenths / 10).\(tenths % 10) s that a take took in could not be kept: "
          + "\(cause). Everything before is there.",
        recording: recording, atMilliseconds: now.wallMilliseconds), db)
  }
}
