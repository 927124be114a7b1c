import HoldfastModel
import HoldfastSQLite

/// Takes in the files that recorders of dead launches left, before recovery closes their
/// recordings.
enum LeftFiles {
  /// Seconds of a chunk when nobody says.
  private static let chunkSeconds: Double = 1

  /// - Throws: only what stops the store as a whole; a file that cannot be read stays where it is
  ///   and is named in the report.
  static func adopt(
    _ writer: StoreWriter, _ logs: [LaunchLog], _ report: inout OpeningReport
  ) throws(HoldfastError) {
    let alive = Set(logs.filter(\.isAlive).map(\.header.launch) + [writer.launch])
    for (file, isTaken) in try writer.openIncoming() where !alive.contains(file.launch) {
      do throws(HoldfastError) {
        if isTaken {
          try? writer.environment.files.unlink("\(writer.layout.directory)/\(file.name)")
          try markGone(file, writer)
        } else {
          try own(file.recording, writer)
          try writer.takeIncoming(file, chunkSeconds: chunkSeconds, reason: .termination)
        }
      } catch {
        if error.code == .diskFull || error.code == .locked { throw error }
        report.attention.append(
          Attention(
            code: "incomingFile",
            message: "The recorder's file \(file.name) could not be taken in: \(error.message) "
              + "It stays where it is.", recording: file.recording,
            atMilliseconds: writer.environment.clock.now().wallMilliseconds))
      }
    }
  }

  /// The recording of a dead launch becomes this launch's, so that a take can be opened in it;
  /// recovery then settles it.
  private static func own(
    _ recording: RecordingID, _ writer: StoreWriter
  ) throws(HoldfastError) {
    try writer.database.commit { db in
      guard var anchor = try Anchor.of(recording, db) else { return }
      anchor.launch = writer.launch
      try anchor.store(db)
    }
  }

  private static func markGone(
    _ file: IncomingFile, _ writer: StoreWriter
  ) throws(HoldfastError) {
    try writer.database.commit { db in
      _ = try db.run(
        "UPDATE incoming SET gone_ms = ?2 WHERE key = ?1",
        [.integer(file.key), .integer(writer.environment.clock.now().wallMilliseconds)])
    }
  }
}
