package import HoldfastModel
import HoldfastSQLite

/// Final removal by the user's will.
///
/// Invariants:
/// - J4: the intent is committed, the files are unlinked, then it is done: a death between them is
///   finished at the next open. The intent stays as the word that this audio is not "found".
/// - J8: the intent's commit is small, and may use the last reserve. Rows are removed in the commit
///   that says that it is done: by then the files have given their room back.
/// - S6: bodies are replaced by stubs, the log keeps its sequence and chain.
package enum Removal {
  /// What a purge removed.
  package struct Receipt: Hashable, Sendable {
    package var recording: RecordingID
    /// Bytes of audio that were freed.
    package var freedBytes: UInt64
    /// Changes whose bodies were replaced by stubs.
    package var stubs: UInt64
    /// Bytes of audio that could not be removed, and why; nil when all is gone.
    package var leftBytes: UInt64 = 0, leftCause: String?
  }

  /// Removes a recording for good.
  ///
  /// - Throws: `notFound`; `conflict` while it is captured.
  package static func purge(
    _ id: RecordingID, _ writer: StoreWriter
  ) throws(HoldfastError) -> Receipt {
    try writer.refuseWhileCaptured(id)
    return try writer.removing { () throws(HoldfastError) in
      let takes = try writer.database.commit { db in try intend(id, writer, db) }
      let files = writer.environment.files
      let before = size(of: takes, writer.layout, files)
      let finished = try finishIntents(writer)
      let left = size(of: takes, writer.layout, files)
      return Receipt(
        recording: id, freedBytes: before - min(left, before), stubs: finished.stubs[id] ?? 0,
        leftBytes: left, leftCause: finished.left[id]?.description)
    }
  }

  /// Bytes of the reels of takes that are there.
  private static func size(
    of takes: [TakeID], _ layout: StoreLayout, _ files: any FileSystem
  ) -> UInt64 {
    takes.reduce(0) { sum, take in
      let directory = "\(layout.audio)/\(take)"
      return ((try? files.list(directory)) ?? []).reduce(sum) {
        $0 + (((try? files.status("\(directory)/\($1)")) ?? nil)?.size ?? 0)
      }
    }
  }

  /// Says durably that a recording is to go; answers its takes.
  private static func intend(
    _ id: RecordingID, _ writer: StoreWriter, _ db: borrowing Connection
  ) throws -> [TakeID] {
    let state = try writer.existing(id, db)
    let now = writer.environment.clock.now().wallMilliseconds
    // One without a take speaks of the recording: its rows go by the same way.
    for take in state.takes.map(\.fact.take.bytes) + [[]] {
      try db.run(
        "INSERT INTO intent (kind, recording, take, made_ms) VALUES ('purge', ?1, ?2, ?3)",
        [.blob(id.bytes), .blob(take), .integer(now)])
    }
    try writer.log.append([.init(.purge, [:])], to: id, db)
    return state.takes.map(\.fact.take)
  }

  private struct Intent {
    var key: Int64
    var recording: RecordingID?
    /// Nil: the recording as a whole.
    var take: TakeID?
  }

  /// Unlinks what intents name, removes the rows and marks them done. A file that cannot be removed
  /// now stays an intent and is tried again at the next open.
  ///
  @discardableResult
  static func finishIntents(_ writer: StoreWriter) throws(HoldfastError) -> Finished {
    let open = try writer.database.read { db in
      try db.all("SELECT key, recording, take FROM intent WHERE done_ms IS NULL ORDER BY key", []) {
        Intent(key: $0.int64(0), recording: RecordingID($0.blob(1)), take: TakeID($0.blob(2)))
      }
    }
    var finished = Finished()
    guard !open.isEmpty else { return finished }
    var done: [Int64] = []
    for intent in open {
      do throws(FileFault) {
        if let take = intent.take {
          try removeReels(of: take, writer.layout, writer.environment.files)
        }
        done.append(intent.key)
      } catch {
        if let recording = intent.recording { finished.left[recording] = error }
      }
    }
    let gone = Set(open.compactMap(\.recording)).subtracting(finished.left.keys)
    let now = writer.environment.clock.now().wallMilliseconds
    finished.stubs = try writer.database.commit { db in
      var stubs: [RecordingID: UInt64] = [:]
      for recording in gone.sorted() { stubs[recording] = try forget(recording, db) }
      for key in done {
        try db.run("UPDATE intent SET done_ms = ?2 WHERE key = ?1", [.integer(key), .integer(now)])
      }
      return stubs
    }
    return finished
  }

  /// What became of intents.
  struct Finished {
    /// How many changes of each recording became stubs.
    var stubs: [RecordingID: UInt64] = [:]
    /// What kept files of a recording from being removed.
    var left: [RecordingID: FileFault] = [:]
  }

  /// Replaces the bodies of a recording's changes by stubs and removes all rows derived from them.
  ///
  /// - Returns: how many changes became stubs.
  private static func forget(
    _ id: RecordingID, _ db: borrowing Connection
  ) throws -> UInt64 {
    let stubs = try db.run(
      "UPDATE change SET bytes = NULL WHERE recording = ?1 AND kind <> 'purge'",
      [.blob(id.bytes)])
    for table in ["chunk", "reel", "jump"] {
      try db.run(
        "DELETE FROM \(table) WHERE take_key IN (SELECT key FROM take WHERE recording = ?1)",
        [.blob(id.bytes)])
    }
    try TranscriptRows.forget(id, db)
    for table in ["take", "track", "attribute", "anchor", "recovery", "attention"] {
      try db.run("DELETE FROM \(table) WHERE recording = ?1", [.blob(id.bytes)])
    }
    try TaskBook.forget(id, db)
    try Projection.refresh(id, db)
    return UInt64(clamping: stubs)
  }

  private static func removeReels(
    of take: TakeID, _ layout: StoreLayout, _ files: any FileSystem
  ) throws(FileFault) {
    let directory = "\(layout.audio)/\(take)"
    guard try files.status(directory) != nil else { return }
    var fault: FileFault?
    for name in try files.list(directory) {
      // One that cannot be removed keeps no other one.
      do throws(FileFault) { try files.unlink("\(directory)/\(name)") } catch { fault = error }
    }
    if let fault { throw fault }
    try files.removeDirectory(directory)
    try files.syncDirectory(layout.audio)
  }
}
