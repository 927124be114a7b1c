import HoldfastModel
import HoldfastSQLite

/// Adopts takes that the reels hold and no row knows, and what known ones hold beyond their rows:
/// after lost commits, when the database is gone, when a user hands them over (J4).
///
/// Invariant: found audio is adopted and listed, never discarded; the audio of purged recordings is
/// not found. Identity and time come from the reel's header, so adopting twice is adopting once.
struct FoundAudio {
  let layout: StoreLayout
  let environment: StoreEnvironment
  let logs: [LaunchLog]
  /// Whether what may be missing at the ends of takes is told: not of what a user hands over.
  var boundsLoss = true

  /// Adopts every unknown take below `audio/`, inside a transaction, and says so. What could not be
  /// read stays owed to the next opening.
  func adopt(
    _ db: borrowing Connection, isRebuilt: Bool, _ report: inout OpeningReport
  ) throws {
    let now = environment.clock.now()
    let found = try adoptAll(isRebuilt: isRebuilt, db)
    if !found.isPartial { try Settings.remove(Settings.adoptionOwed, db) }
    // Said once; a later try that finds nothing more says nothing.
    let wasTold =
      try db.first("SELECT 1 FROM attention WHERE code IN ('rebuilt', 'found') LIMIT 1", []) {
        $0.int64(0)
      } != nil
    if wasTold, found.recordings.isEmpty { return }
    for item in found.recordings {
      var whole =
        report.recovered.first { $0.recording == item.recording } ?? .none(item.recording)
      whole.add(item)
      report.recovered.removeAll { $0.recording == item.recording }
      report.recovered.append(whole)
      try RecoveryRow.insert(whole, at: now, db)
    }
    try tell(found, isRebuilt, now, db, &report)
  }

  /// What the files gave.
  struct Found {
    /// By recording.
    var recordings: [SalvagedRecording]
    /// Reels of which no header can be read, and none of their take.
    var damaged: [DamagedReel]
    /// Other files below `audio/`.
    var foreign: UInt64
    /// Whether the system would not give all of it: there may be more (J6).
    var isPartial = false
  }

  /// Adopts every unknown take below `audio/`, inside a transaction.
  func adoptAll(isRebuilt: Bool, _ db: borrowing Connection) throws -> Found {
    let alive = Set(logs.filter(\.isAlive).map(\.header.launch))
    var adopted: [RecordingID: SalvagedRecording] = [:]
    let scan = try TakeDirectoryScan(
      directory: layout.directory, files: environment.files
    ).run()
    var isPartial =
      scan.unreadable.contains { $0.fault.isOfSystem }
      || scan.reels.contains { $0.fault?.isOfSystem ?? false }
    var headers: [TakeID: ReelHeader] = [:]
    var known: Set<TakeID> = []
    var headless: [TakeDirectoryScan.Reel] = []
    for reel in scan.reels {
      if try KnownTakes.isKnown(reel.path.take, db) {
        known.insert(reel.path.take)
        continue
      }
      if let header = reel.header, header.take == reel.path.take {
        headers[header.take] = headers[header.take] ?? header
      } else {
        headless.append(reel)
      }
    }
    for header in headers.values.sorted(by: { $0.take < $1.take }) {
      // A take that is being recorded at this moment will be committed by its own launch.
      if alive.contains(header.launch) && !isRebuilt { continue }
      if try KnownTakes.isPurged(header.recording, db) { continue }
      let item = try adopt(header, &isPartial, db)
      adopted[item.recording, default: .none(item.recording)].add(item)
    }
    for take in known.sorted() {
      guard let item = try lengthen(take, &isPartial, db) else { continue }
      adopted[item.recording, default: .none(item.recording)].add(item)
    }
    return Found(
      recordings: adopted.values.sorted { $0.recording < $1.recording },
      // With another reel of their take, the frames of these were found as well; what the system
      // would not give is owed.
      damaged: headless.filter {
        headers[$0.path.take] == nil && !($0.fault?.isOfSystem ?? false)
      }.map(look),
      foreign: UInt64(scan.unreadable.count), isPartial: isPartial)
  }

  /// Counts what stands in a reel without a header.
  private func look(_ reel: TakeDirectoryScan.Reel) -> DamagedReel {
    let scanned = ReelVisit(files: environment.files, hashing: environment.hashing).scan(
      directory: layout.directory, path: reel.path, from: nil
    ) { _ in }
    return DamagedReel(
      reel: reel.path, chunks: scanned.chunks,
      reason: reel.fault?.message ?? "The reel's header names another take.")
  }

  /// Gives rows to what a closed take has behind its last one.
  ///
  /// - Returns: nil when there is nothing.
  private func lengthen(
    _ take: TakeID, _ isPartial: inout Bool, _ db: borrowing Connection
  ) throws -> SalvagedRecording? {
    let row = try db.first(
      "SELECT key, recording, chunks FROM take WHERE id = ?1 AND closed_reason IS NOT NULL",
      [.blob(take.bytes)]
    ) { ($0.int64(0), RecordingID($0.blob(1)), $0.uint64(2)) }
    guard let row, let recording = row.1 else { return nil }
    let tail = try TakeTail(
      directory: layout.directory, files: environment.files, hashing: environment.hashing
    ).scan(take: take, from: try RowEnd.of(row.0, db))
    isPartial = isPartial || tail.isPartial
    let added = try ChunkRows.insert(tail, of: take, db)
    guard added > 0 else { return nil }
    try TakeClosing(log: ChangeLog(environment), hashing: environment.hashing).extend(take, db)
    var item = SalvagedRecording.none(recording)
    item.indexedChunks = row.2
    item.salvagedChunks = added
    return item
  }

  /// Makes the recording, track and take again from a header, and rows from the frames.
  func adopt(
    _ header: ReelHeader, _ isPartial: inout Bool, _ db: borrowing Connection
  ) throws -> SalvagedRecording {
    let log = ChangeLog(environment)
    let state = try ChangeLog.state(of: header.recording, db)
    try log.append(drafts(header, state), to: header.recording, db)
    if try Anchor.of(header.recording, db) == nil {
      try Anchor(
        recording: header.recording, launch: header.launch, start: header.recordingStarted
      ).store(db)
    }
    let tail = try TakeTail(
      directory: layout.directory, files: environment.files, hashing: environment.hashing
    ).scan(take: header.take, from: nil)
    isPartial = isPartial || tail.isPartial
    let added = try ChunkRows.insert(tail.chunks, of: header.take, db)
    let last = tail.chunks.last.map { $0.firstFrame + UInt64($0.frames) } ?? 0
    // The first reel of the take may be gone: this one was begun later.
    let length = Self.nanoseconds(last - min(last, header.firstFrame), header.format)
    var closed = header.opened
    closed.monotonicNanoseconds += min(length, Int64(9e17))
    let lost = loss(header, tail.chunks, endFrame: last)
    let notSafe = ReelSync(directory: layout.directory, files: environment.files)
      .sync(header.take, tail.reels.map(\.path.reel))
    let key = try db.first("SELECT key FROM take WHERE id = ?1", [.blob(header.take.bytes)]) {
      $0.int64(0)
    }
    try TakeClosing(log: log, hashing: environment.hashing).close(
      header.take, [], reason: .termination, lostNanoseconds: lost,
      safeChunks: try ChunkRows.safeChunks(key: key ?? 0, without: notSafe, db), at: closed, db)
    return SalvagedRecording(
      recording: header.recording, indexedChunks: 0, salvagedChunks: added,
      damaged: tail.reels.reduce(0) { $0 + UInt64($1.damaged.count) },
      lostAtMostNanoseconds: lost)
  }

  /// The most that is missing after the last frame: as at a recovery (``Recovery``), but that a
  /// full chunk's length is that of the largest one found. A launch that ended or was suspended had
  /// closed its takes. What a user hands over has no end that we could know of.
  private func loss(
    _ header: ReelHeader, _ chunks: [ChunkRecord], endFrame: UInt64
  ) -> Int64 {
    guard header.local, boundsLoss else { return 0 }
    let log = logs.first { $0.header.launch == header.launch }
    let captured = log?.progress.first { $0.take == header.take }?.capturedFrames ?? 0
    let hasClosed = log?.state.map { $0.word != .running } ?? false
    let atHand = hasClosed ? 0 : chunks.map { UInt64($0.frames) }.max() ?? 0
    return Self.nanoseconds(captured - min(captured, endFrame) + atHand, header.format)
  }

  private static func nanoseconds(_ frames: UInt64, _ format: AudioFormat) -> Int64 {
    let length = Double(frames) / format.sampleRate * 1e9
    return length.isFinite ? Int64(min(length, 9e18)) : 0
  }

  private func drafts(_ header: ReelHeader, _ state: RecordingState) -> [ChangeLog.Draft] {
    var drafts: [ChangeLog.Draft] = []
    let start = header.recordingStarted.wallMilliseconds
    if state.created == nil {
      drafts.append(
        .init(.recordingCreated, RecordingFact(startedMilliseconds: start).body))
    }
    if !state.tracks.contains(where: { $0.track == header.track }) {
      drafts.append(
        .init(.trackCreated, TrackFact(track: header.track, name: header.trackName).body))
    }
    let place = RecordingClock(start: header.recordingStarted).place(header.opened)
    let fact = TakeFact(
      take: header.take, track: header.track, index: header.takeIndex, format: header.format,
      startNanoseconds: header.startNanoseconds, known: place.known,
      openedMilliseconds: place.wallMilliseconds)
    drafts.append(.init(.takeOpened, fact.body))
    if state.registers[RegisterField.phase] == nil || state.phase.phase != .stopped {
      let value = PhaseValue(
        .stopped, reason: .termination, atMilliseconds: place.wallMilliseconds, recovered: true)
      drafts.append(ChangeLog.set(RegisterField.phase, value.canonical, in: state))
    }
    return drafts
  }

  private func tell(
    _ found: Found, _ isRebuilt: Bool, _ now: Moment, _ db: borrowing Connection,
    _ report: inout OpeningReport
  ) throws {
    guard
      isRebuilt || !found.recordings.isEmpty || !found.damaged.isEmpty || found.foreign > 0
    else { return }
    let recordings = CountedNoun.text(found.recordings.count, "recording")
    var message =
      "Audio of \(recordings) was found in reels that no row knew, and adopted."
    if isRebuilt {
      message =
        "The database was gone; it was rebuilt from the reels: \(recordings). "
        + "Titles, attributes and edits are gone."
    }
    if found.foreign > 0 {
      message += " No reels under audio/: \(CountedNoun.text(found.foreign, "file"))."
    }
    for reel in found.damaged { message += " \(reel.sentence)" }
    let attention = Attention(
      code: isRebuilt ? "rebuilt" : "found", message: message,
      atMilliseconds: now.wallMilliseconds)
    try AttentionRow.insert(attention, db)
    report.attention.append(attention)
  }
}

/// A reel of a take that nothing tells of but its frames: neither a row nor a header.
package struct DamagedReel: Hashable, Sendable {
  /// The reel.
  package var reel: ReelPath
  /// Whole chunks that stand in it.
  package var chunks: UInt64
  /// What is wrong with its header.
  package var reason: String

  /// That, for a person.
  package var sentence: String {
    "\(reel) holds \(CountedNoun.text(chunks, "whole chunk")) that cannot be used: \(reason)"
  }
}

extension SalvagedRecording {
  /// Nothing found yet.
  static func none(_ recording: RecordingID) -> SalvagedRecording {
    SalvagedRecording(
      recording: recording, indexedChunks: 0, salvagedChunks: 0, damaged: 0,
      lostAtMostNanoseconds: 0)
  }

  /// Adds what another take of the recording gave.
  mutating func add(_ other: SalvagedRecording) {
    indexedChunks += other.indexedChunks
    salvagedChunks += other.salvagedChunks
    damaged += other.damaged
    lostAtMostNanoseconds = max(lostAtMostNanoseconds, other.lostAtMostNanoseconds)
  }
}
