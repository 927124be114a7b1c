import HoldfastModel
import HoldfastSQLite
import HoldfastStore
import Testing

@Suite("J10: a store of the first schema")
struct MigrationTests {
  /// Makes a store as the first version left it: the tables of its migration, and their rows.
  private func older() throws -> (KeptStore, RecordingID, TakeID) {
    let store = try KeptStore()
    let made = try #require(try store.filled().first)
    let path = store.root + "/old.sqlite"
    let old = try Connection(path: path, OpenOptions(access: .create))
    try old.execute("PRAGMA journal_mode = WAL")
    try Migrator.migrate(old, from: 0, to: 1)
    let tables = try old.all(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    ) { $0.text(0) }
    try old.execute("ATTACH '\(store.layout.database)' AS newer")
    for table in tables {
      // A later version has more columns.
      let columns = try old.all("SELECT name FROM pragma_table_info('\(table)')") {
        $0.text(0)
      }.joined(separator: ", ")
      try old.execute(
        "INSERT INTO main.\(table) (\(columns)) SELECT \(columns) FROM newer.\(table)")
    }
    try old.execute("DETACH newer")
    _ = try old.checkpoint(.truncate)
    // In place: another file would be taken for a copy of the store.
    for suffix in ["-wal", "-shm"] where Disk.exists(store.layout.database + suffix) {
      try Disk.remove(store.layout.database + suffix)
    }
    try Disk.write(try Disk.bytes(path), store.layout.database)
    return (store, made.recording, made.take)
  }

  @Test("J10, J12: readers show it, without transcripts, and change nothing")
  func read() throws {
    let (store, id, _) = try older()
    let before = try Disk.bytes(store.layout.database)
    let reader = try store.reader()
    #expect(reader.schemaVersion == 1)
    let (one, shown, hits) = try reader.read { db in
      (
        try RecordingRows.one(id, db), try TranscriptReading.current(of: id, db),
        try SpeechSearch.run(SearchRequest("word"), db)
      )
    }
    #expect(one?.title == "Meeting 0" && shown.segments.isEmpty && hits.isEmpty)
    #expect(try store.verify().isSound)
    _ = try StateDump.run(store.directory, temporary: store.temporary, store.environment)
    #expect(try Disk.bytes(store.layout.database) == before)
  }

  @Test("J10: opening it for writing keeps everything, and transcripts can be added")
  func write() throws {
    let (store, id, take) = try older()
    let digest = try StateDump.run(
      store.directory, temporary: store.temporary, store.environment)
    var writer = try store.open()
    writer.close()
    #expect(
      try StateDump.run(store.directory, temporary: store.temporary, store.environment) == digest)
    writer = try store.open()
    try store.speak([[("hello", "A")]], on: (id, take), writer)
    #expect(try store.hits("hello", writer).count == 1)
    writer.close()
    #expect(try store.verify().isSound)
    let other = try StateDump.run(
      store.directory, temporary: store.temporary, store.environment)
    #expect(other != digest)
  }
}
