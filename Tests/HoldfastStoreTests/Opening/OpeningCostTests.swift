import HoldfastModel
import HoldfastSQLite
import HoldfastStore
import Testing

/// What an opening costs, in steps of SQLite: no other load of the machine changes them.
@Suite("The cost of opening")
struct OpeningCostTests {
  @Test("J12: an opening takes as many steps in a store of 2,000 recordings as in one of a single")
  func flat() throws {
    let kept = try KeptStore()
    try kept.filled()
    let first = try kept.open()
    let alone = first.database.connection.steps
    try crowd(first, 2_000)
    first.close()
    let second = try kept.open()
    let beside = second.database.connection.steps
    second.close()
    #expect(alone > 100, "nothing was counted")
    #expect(beside < alone + 1_000, "\(alone) steps alone, \(beside) beside others")
  }

  /// Recordings that are over, with a take of two chunks and a task each.
  private func crowd(_ writer: StoreWriter, _ count: Int64) throws {
    let rows = """
      WITH RECURSIVE n (i) AS (SELECT 1000 UNION ALL SELECT i + 1 FROM n WHERE i < 999 + ?1)
      """
    let insertions = [
      """
      INSERT INTO recording SELECT randomblob(16), title, state, reason, state_ms, recovered, i,
        NULL, NULL, origin, 0, 0 FROM n, (SELECT * FROM recording LIMIT 1)
      """,
      """
      INSERT INTO take (key, id, recording, track, position, encoding, sample_rate, channels,
        frame_bytes, packet_frames, codec, start_ns, known, opened_ms, launch, closed_reason)
      SELECT n.i, randomblob(16), randomblob(16), track, 0, encoding, sample_rate, channels,
        frame_bytes, packet_frames, codec, 0, known, 0, launch, 'stop'
      FROM n, (SELECT * FROM take LIMIT 1)
      """,
      "INSERT INTO reel (take_key, number, state) SELECT i, 0, 'present' FROM n",
      """
      INSERT INTO chunk (take_key, sequence, reel, position, bytes, first_frame, frames, sha256)
      SELECT i, 0, 0, 4096, 2, 0, 1, randomblob(32) FROM n
      """,
      """
      INSERT INTO task (id, kind, recording, generation, made_ms, phase, turn)
      SELECT randomblob(32), 'summarize', randomblob(16), 1, 0, 'ready', i FROM n
      """,
    ]
    try writer.database.commit { db in
      for insertion in insertions { try db.run(rows + insertion, [.integer(count)]) }
    }
  }
}
