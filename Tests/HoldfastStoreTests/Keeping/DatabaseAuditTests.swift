import HoldfastModel
import HoldfastSQLite
import HoldfastStore
import Testing

@Suite("Verifying the database")
struct DatabaseAuditTests {
  @Test(
    "what our tables promise each other is checked (S1, S7)",
    arguments: [
      ("UPDATE take SET chunks = chunks + 1", ["counters"]),
      ("UPDATE take SET end_frame = 5", ["counters"]),
      ("UPDATE recording SET title = 'Other'", ["projection"]),
      ("DELETE FROM attribute", ["projection"]),
      ("UPDATE track SET name = 'x'", ["projection"]),
      ("UPDATE take SET closed_reason = 'call'", ["projection"]),
      ("UPDATE change SET chain = zeroblob(32) WHERE sequence = 2", ["chain"]),
      ("UPDATE change SET bytes = x'00' WHERE sequence = 4", ["change", "chain"]),
      ("UPDATE change SET kind = 'x' WHERE sequence = 4", ["change"]),
      ("DELETE FROM change WHERE sequence = 3", ["chain", "projection"]),
      ("UPDATE origin SET sequence = sequence - 1", ["vector"]),
      ("UPDATE origin SET sequence = sequence + 1", ["chain"]),
      ("UPDATE origin SET chain = zeroblob(32)", ["vector"]),
      ("DELETE FROM take", ["projection", "reference"]),
      ("DELETE FROM recording", ["projection"]),
    ])
  func promises(sql: String, codes: [String]) throws {
    let store = try KeptStore()
    try store.filled()
    #expect(try store.reader().databaseProblems().isEmpty)
    try store.tamper(sql)
    let found = Set(try store.reader().databaseProblems().map(\.code.rawValue))
    #expect(found.isSuperset(of: codes), "\(found)")
    #expect(found.isSubset(of: codes + ["chain", "vector", "projection"]), "\(found)")
    #expect(try !store.verify().isSound)
  }

  @Test("derived rows of takes and tracks are replaced whole when a change is added (S1)")
  func derivedAgain() throws {
    let store = try KeptStore()
    let made = try #require(try store.filled().first)
    try store.tamper(
      "UPDATE take SET start_ns = 99, position = 7, track = zeroblob(16), codec = x'01'")
    #expect(try store.reader().databaseProblems().map(\.code) == [.projection])
    let writer = try store.open()
    try writer.update(made.recording, RecordingSeed(title: "Another"))
    writer.close()
    #expect(try store.reader().databaseProblems().isEmpty)
  }

  @Test("a letter flipped in the name of a column is a finding, whatever the query")
  func schema() throws {
    for name in ["acknowledged", "first_frame", "state_ms"] {
      let store = try KeptStore()
      try store.filled()
      try store.flipName(name)
      let result = try store.verify()
      #expect(result.ok == 12)
      #expect(result.database.contains { [.schema, .unreadable].contains($0.code) })
    }
  }

  @Test("stubs of a purge keep their hash, and the chain goes on over them (S6, S7)")
  func stubs() throws {
    let store = try KeptStore()
    let made = try store.filled(3)
    let writer = try store.open()
    _ = try Removal.purge(made[1].recording, writer)
    try store.record(writer, title: "After")
    writer.close()
    #expect(try store.verify().isSound)
  }

  @Test(
    "a bit flipped anywhere in the database ends in a finding or in nothing, never in a crash",
    arguments: UInt64(1)...8)
  func everyRegion(seed: UInt64) throws {
    let store = try KeptStore()
    try store.filled(4, chunks: 4)
    var random = ReelRandom(seed)
    let size = UInt64(try Disk.bytes(store.layout.database).count)
    let place = random.next() % (seed <= 4 ? 4_096 : size)
    try Disk.flip(store.layout.database, at: place, bit: UInt8(random.next() % 8))
    do {
      let result = try store.verify()
      #expect(result.ok + UInt64(result.damaged.count + result.missing.count) >= result.chunks)
      if result.database.isEmpty { #expect(result.ok >= 15) }
    } catch {
      #expect([.newerSchema, .protectedDataUnavailable].contains((error as? HoldfastError)?.code))
    }
  }

  @Test("commits that a launch noted and the database has not are a finding (J6)")
  func lostCommits() throws {
    let store = try KeptStore()
    try store.filled()
    do {
      let writer = try store.open()
      try store.record(writer, title: "In the log")
    }
    try Disk.remove(store.layout.writeAheadLog)
    let result = try store.verify()
    #expect(result.database.map(\.code) == [.commitsLost])
    #expect(result.ok == 24 && result.orphans.isEmpty)
  }

  @Test("a store without its database is verified by its reels, and says so (J6)")
  func withoutDatabase() throws {
    let store = try KeptStore()
    try store.filled(2)
    try Disk.remove(store.layout.database)
    let gone = try store.verify()
    #expect(gone.database.map(\.code) == [.absent] && gone.ok == 24)
    try Disk.write([UInt8](repeating: 0x41, count: 9_000), store.layout.database)
    let wrong = try store.verify()
    #expect(wrong.database.map(\.code) == [.unreadable] && wrong.ok == 24)
  }
}
