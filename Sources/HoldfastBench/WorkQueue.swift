import Foundation
import Holdfast
import HoldfastSQLite

/// A store with stopped recordings of one chunk each, and tasks that wait.
///
/// Recordings are put there by SQL, since what is measured is their work; tasks are made as they
/// always are, with their changes.
final class WorkQueue: Sendable {
  /// The kind whose claims are measured; nobody handles the other one.
  static let kind = TaskKind(rawValue: "bench")
  static let stranger = TaskKind(rawValue: "stranger")

  let pad: Scratchpad
  let store: RecordingStore

  init(ready: Int64) async throws {
    pad = try Scratchpad()
    store = try await Ours.store(pad)
    try await add(ready)
  }

  var directory: String { store.configuration.directory.path }

  /// Runs a body on the store's writer, where the engine's calls run.
  func onWriter<T: Sendable>(
    _ body: @Sendable (StoreWriter) throws(HoldfastError) -> T
  ) async throws(HoldfastError) -> T {
    try await store.host.read(body)
  }

  /// More ready tasks, each on a recording of its own.
  func add(_ count: Int64) async throws {
    try await onWriter { writer throws(HoldfastError) in
      try Self.each(count, writer) { id, db in
        try writer.tasks.enqueue(Self.kind, on: id, db)
      }
    }
  }

  /// Tasks that cannot be claimed, of each sort so many: of a kind without a handler, after one of
  /// that kind, with a time that has not come, and interrupted under the conditions of now.
  func addStanding(_ count: Int64, conditions: String) async throws {
    let now = Int64(Date().timeIntervalSince1970 * 1000)
    let waits: [(change: String, values: [SQLiteValue])] = [
      ("wait = 'retry', retry_set_ms = ?2, retry_due_ms = ?3", [.integer(now), .integer(now * 2)]),
      ("wait = 'conditions', held_under = ?2", [.text(conditions)]),
    ]
    try await onWriter { writer throws(HoldfastError) in
      try Self.each(count, writer) { id, db in
        try writer.tasks.enqueue(Self.stranger, on: id, db)
        try writer.tasks.enqueue(Self.kind, on: id, after: [Self.stranger], db)
      }
      for wait in waits {
        try Self.each(count, writer) { id, db in
          let task = try writer.tasks.enqueue(Self.kind, on: id, db).task
          try db.run(
            "UPDATE task SET phase = 'waiting', \(wait.change) WHERE key = ?1",
            [.integer(task.key)] + wait.values)
        }
      }
      // What a runner that has no handler for them does at its first look.
      _ = try writer.database.commit { try writer.tasks.park(except: [Self.kind], $0) }
    }
  }

  /// Makes recordings, a thousand a commit, and does something with each.
  private static func each(
    _ count: Int64, _ writer: StoreWriter,
    _ body: (RecordingID, borrowing Connection) throws -> Void
  ) throws(HoldfastError) {
    for first in stride(from: 0, to: count, by: 1_000) {
      try writer.database.commit { db in
        let origin = try OriginRow.current(db).id
        for _ in first..<min(first + 1_000, count) {
          let id = RecordingID(random: writer.environment.random)
          for (sql, values) in recording(id, origin) { try db.run(sql, values) }
          try body(id, db)
        }
      }
      writer.checkpointIfDue()
    }
  }

  /// A stopped recording with a take of one chunk.
  private static func recording(
    _ id: RecordingID, _ origin: OriginID
  ) -> [(sql: String, values: [SQLiteValue])] {
    let take = "(SELECT key FROM take WHERE id = ?1)"
    return [
      (
        """
        INSERT INTO recording (id, title, state, reason, state_ms, recovered, started_ms, origin,
          deleted, purged) VALUES (?1, 'meeting', 'stopped', 'stop', 0, 0, 0, ?2, 0, 0)
        """, [.blob(id.bytes), .blob(origin.bytes)]
      ),
      (
        "INSERT INTO track (id, recording, ordinal, name) VALUES (?1, ?1, 0, 'mic')",
        [.blob(id.bytes)]
      ),
      (
        """
        INSERT INTO take (id, recording, track, position, encoding, sample_rate, channels,
          frame_bytes, packet_frames, codec, start_ns, known, opened_ms, closed_reason, closed_ms,
          extent_chunks, chunks, end_frame, frames, bytes)
        VALUES (?1, ?1, ?1, 0, 's16le', 16000, 1, 2, 1, x'', 0, 'monotonic', 0, 'stop', 1000,
          1, 1, 16000, 16000, 32000)
        """, [.blob(id.bytes)]
      ),
      (
        "INSERT INTO reel (take_key, number, state) VALUES (\(take), 0, 'present')",
        [.blob(id.bytes)]
      ),
      (
        """
        INSERT INTO chunk (take_key, sequence, reel, position, bytes, first_frame, frames, sha256)
        VALUES (\(take), 0, 0, 4096, 32000, 0, 16000, randomblob(32))
        """, [.blob(id.bytes)]
      ),
    ]
  }
}
