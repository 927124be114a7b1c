package import HoldfastModel
import HoldfastSQLite

/// Final removal by the user's will.
///
/// Invariants: J4 (the intent is committed, the files are unlinked, then it is done: a death
/// between them is finished at the next open); S6 (bodies are replaced by stubs, the log keeps its
/// sequence and chain); the intent stays as the word that this audio is not "found".
package enum Removal {
  /// What a purge removed.
  package struct Receipt: Hashable, Sendable {
    package var recording: RecordingID
    /// Bytes of audio that were freed.
    package var freedBytes: UInt64
    /// Changes whose bodies were replaced by stubs.
    package var stubs: UInt64
  }

  /// Removes a recording for good.
  ///
  /// - Throws: `notFound`; `conflict` while it is captured.
  package static func purge(
    _ id: RecordingID, _ writer: StoreWriter
  ) throws(HoldfastError) -> Receipt {
    try writer.refuseWhileCaptured(id)
    let now = writer.environment.clock.now().wallMilliseconds
    let receipt = try writer.database.commit { db in
      let state = try writer.existing(id, db)
      let bytes = try db.first(
        "SELECT coalesce(sum(bytes), 0) FROM take WHERE recording = ?1", [.blob(id.bytes)]
      ) { UInt64(clamping: $0.int64(0)) }
      for take in state.takes {
        try db.run(
          "INSERT INTO intent (kind, recording, take, made_ms) VALUES ('purge', ?1, ?2, ?3)",
          [.blob(id.bytes), .blob(take.fact.take.bytes), .integer(now)])
      }
      try writer.log.append([.init(.purge, [:])], to: id, db)
      let stubs = try db.run(
        "UPDATE change SET bytes = NULL WHERE recording = ?1 AND kind <> 'purge'",
        [.blob(id.bytes)])
      try forget(id, db)
      try Projection.refresh(id, db)
      return Receipt(recording: id, freedBytes: bytes ?? 0, stubs: UInt64(clamping: stubs))
    }
    try finishIntents(writer)
    return receipt
  }

  /// Removes all derived rows of a recording.
  private static func forget(_ id: RecordingID, _ db: borrowing Connection) throws {
    for table in ["chunk", "reel", "jump"] {
      try db.run(
        "DELETE FROM \(table) WHERE take_key IN (SELECT key FROM take WHERE recording = ?1)",
        [.blob(id.bytes)])
    }
    for table in ["take", "track", "attribute", "anchor", "recovery", "attention"] {
      try db.run("DELETE FROM \(table) WHERE recording = ?1", [.blob(id.bytes)])
    }
  }

  /// Unlinks what intents name and marks them done. A file that cannot be removed now stays an
  /// intent and is tried again at the next open.
  static func finishIntents(_ writer: StoreWriter) throws(HoldfastError) {
    let open = try writer.database.read { db in
      try db.all("SELECT key, take FROM intent WHERE done_ms IS NULL", []) {
        ($0.int64(0), TakeID($0.blob(1)))
      }
    }
    var done: [Int64] = []
    for (key, take) in open {
      guard let take else { continue }
      if (try? removeReels(of: take, writer.layout, writer.environment.files)) != nil {
        done.append(key)
      }
    }
    guard !done.isEmpty else { return }
    let now = writer.environment.clock.now().wallMilliseconds
    try writer.database.commit { db in
      for key in done {
        try db.run("UPDATE intent SET done_ms = ?2 WHERE key = ?1", [.integer(key), .integer(now)])
      }
    }
  }

  private static func removeReels(
    of take: TakeID, _ layout: StoreLayout, _ files: any FileSystem
  ) throws(FileFault) {
    let directory = "\(layout.audio)/\(take)"
    guard try files.status(directory) != nil else { return }
    for name in try files.list(directory) { try files.unlink("\(directory)/\(name)") }
    try files.removeDirectory(directory)
    try files.syncDirectory(layout.audio)
  }
}
