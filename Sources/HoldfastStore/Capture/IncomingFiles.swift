import HoldfastAudio
package import HoldfastModel
import HoldfastSQLite

/// Files that an app's own recorder writes.
///
/// Invariants: a file is named durably before the recorder opens it (J1), so that one that a dead
/// launch left is found; it is unlinked only after its audio was power-safe in reels and a commit
/// said so (J4).
package struct IncomingFile: Hashable, Sendable {
  package var key: Int64
  package var recording: RecordingID
  /// The track's name.
  package var track: String
  /// Path within the store's directory.
  package var name: String
  package var launch: LaunchID
  /// When it was named.
  package var named: Moment

  /// The directory of such files within the store's.
  package static let directory = "incoming"
}

extension StoreWriter {
  /// Names the next file of a recorder. It does not exist yet.
  package func nameIncoming(
    for recording: RecordingID, track: String, fileExtension: String
  ) throws(HoldfastError) -> IncomingFile {
    let now = environment.clock.now()
    try makeIncomingDirectory()
    return try database.commit { db in
      _ = try existing(recording, db)
      let random = Hex.encode(environment.random.bytes(8))
      let name = "\(IncomingFile.directory)/\(recording)-\(random).\(fileExtension)"
      try db.run(
        """
        INSERT INTO incoming (recording, track, name, launch, boot, monotonic_ns, wall_ms)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
        """,
        [
          .blob(recording.bytes), .text(track), .text(name), .blob(launch.bytes),
          .blob(now.boot.bytes), .integer(now.monotonicNanoseconds),
          .integer(now.wallMilliseconds),
        ])
      return IncomingFile(
        key: db.lastInsertRowID, recording: recording, track: track, name: name, launch: launch,
        named: now)
    }
  }

  private func makeIncomingDirectory() throws(HoldfastError) {
    do throws(FileFault) {
      let path = "\(layout.directory)/\(IncomingFile.directory)"
      if try environment.files.status(path) != nil { return }
      do throws(FileFault) { try environment.files.makeDirectory(path) } catch {
        guard error.kind == .exists else { throw error }
      }
      try environment.files.syncDirectory(layout.directory)
    } catch { throw StoreFaults.error(error) }
  }

  /// Takes the audio of a finished (or left) file into a take of its own, then unlinks the file.
  ///
  /// A file that holds no audio (the recorder never wrote) is unlinked too; one that cannot be read
  /// stays, and is named.
  ///
  /// - Parameters:
  ///   - chunkSeconds: length of a chunk.
  ///   - reason: why the take ends.
  /// - Returns: seconds taken; nil when there was nothing in it.
  @discardableResult
  package func takeIncoming(
    _ file: IncomingFile, chunkSeconds: Double, reason: GapReason
  ) throws(HoldfastError) -> Double? {
    let path = "\(layout.directory)/\(file.name)"
    let opened: any OpenFile
    do throws(FileFault) {
      guard let status = try environment.files.status(path), status.size > 0 else {
        try dropIncoming(file, path)
        return nil
      }
      opened = try environment.files.open(path, .read)
    } catch { throw StoreFaults.error(error) }
    defer { opened.close() }
    let seconds = try ingest(file, opened, chunkSeconds: chunkSeconds, reason: reason)
    try finishIncoming(file, path)
    return seconds
  }

  private func dropIncoming(_ file: IncomingFile, _ path: String) throws(FileFault) {
    try? environment.files.unlink(path)
    _ = try? database.commit { db in
      try db.run(
        "UPDATE incoming SET gone_ms = ?2 WHERE key = ?1",
        [.integer(file.key), .integer(environment.clock.now().wallMilliseconds)])
    }
  }

  private func finishIncoming(_ file: IncomingFile, _ path: String) throws(HoldfastError) {
    let now = environment.clock.now().wallMilliseconds
    try mark(file, "taken_ms", now)
    do { try environment.files.unlink(path) } catch {
      guard error.kind == .missing else { throw StoreFaults.error(error) }
    }
    try mark(file, "gone_ms", now)
  }

  private func mark(_ file: IncomingFile, _ column: String, _ at: Int64) throws(HoldfastError) {
    try database.commit { db in
      _ = try db.run(
        "UPDATE incoming SET \(column) = ?2 WHERE key = ?1", [.integer(file.key), .integer(at)])
    }
  }

  private func ingest(
    _ file: IncomingFile, _ opened: any OpenFile, chunkSeconds: Double, reason: GapReason
  ) throws(HoldfastError) -> Double {
    try StoreFaults.mapped(layout.directory) {
      let source = try FileByteSource(opened)
      let start = try database.read { try Anchor.of(file.recording, $0) }?.start ?? file.named
      var place = RecordingClock(start: start).place(file.named).nanoseconds
      var seconds = 0.0
      // Each run of audio is a take; a later one begins where the one before it ends.
      for run in try AudioFile.probe(source, name: file.name).runs {
        seconds += try ingest(file, run, source, chunkSeconds, at: place, reason)
        place = 0
      }
      return seconds
    }
  }

  private func ingest(
    _ file: IncomingFile, _ run: AudioFileInfo, _ source: FileByteSource, _ chunkSeconds: Double,
    at start: Int64, _ reason: GapReason
  ) throws -> Double {
    let frames = UInt64(max(chunkSeconds * run.format.sampleRate, 1))
    let take = try openTake(
      of: file.recording, track: file.track, run.format, chunkFrames: frames,
      startNanoseconds: start)
    let journal = try makeJournal(take, chunkFrames: frames, .process)
    var chunks = try ChunkSource(run, in: source, chunkFrames: frames)
    while let piece = try chunks.next() {
      journal.offer(chunk: piece.payload, frames: piece.frames)
      if journal.isFull { _ = try journal.write() }
    }
    _ = try journal.finish()
    try closeTake(take.take, journal.takeRows(), reason: reason)
    return Double(journal.capturedFrames) / run.format.sampleRate
  }

  /// Files that were named and whose audio is not in reels, or that still lie there.
  package func openIncoming() throws(HoldfastError) -> [(file: IncomingFile, isTaken: Bool)] {
    try database.read { db in
      try db.all(
        """
        SELECT key, recording, track, name, launch, boot, monotonic_ns, wall_ms,
          taken_ms IS NOT NULL
        FROM incoming WHERE gone_ms IS NULL ORDER BY key
        """, []
      ) { row in
        guard let recording = RecordingID(row.blob(1)), let launch = LaunchID(row.blob(4)),
          let boot = BootID(row.blob(5))
        else { throw HoldfastError(.damaged, "A row of an incoming file has no whole id.") }
        let file = IncomingFile(
          key: row.int64(0), recording: recording, track: row.text(2), name: row.text(3),
          launch: launch,
          named: Moment(
            monotonicNanoseconds: row.int64(6), wallMilliseconds: row.int64(7), boot: boot))
        return (file, row.int64(8) != 0)
      }
    }
  }
}
