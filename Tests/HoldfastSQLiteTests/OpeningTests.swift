import Foundation
import HoldfastSQLite
import Testing

@_silgen_name("setfsuid") private func setFileSystemUser(_ user: UInt32) -> Int32

@Suite("Opening a database")
struct OpeningTests {
  let scratch: Scratch
  init() throws { scratch = try Scratch() }

  @Test("an absent file is not made unless asked, and the error says that it cannot be opened")
  func absent() throws {
    let path = scratch.file("none.sqlite")
    let found = code { _ = try Connection(path: path) }
    #expect(found?.primary == .cannotOpen)
    #expect(!FileManager.default.fileExists(atPath: path))
    let made = try Connection(path: path, .creating)
    try made.execute("CREATE TABLE t(a)")
    try made.close()
    #expect(scratch.size("none.sqlite") > 0)
  }

  @Test("a directory in the file's place cannot be opened, and errno says why")
  func directory() throws {
    for access in [OpenOptions.Access.readOnly, .readWrite, .create] {
      do {
        _ = try Connection(path: scratch.path, OpenOptions(access: access))
        Issue.record("opened a directory")
      } catch {
        // SQLite opens a directory for reading on Linux, and fails to read from it.
        #expect([.cannotOpen, .ioError].contains(error.code.primary))
        #expect(error.operation == "open")
        #expect(access == .readOnly || error.systemErrno == EISDIR)
      }
    }
  }

  @Test("a text file is no database, and opening says so, not the first query")
  func textFile() throws {
    try scratch.write(Array(repeating: UInt8(ascii: "x"), count: 5_000), to: "notes.txt")
    #expect(code { _ = try Connection(path: scratch.file("notes.txt")) } == .notADatabase)
  }

  @Test("writing a file that can only be read is refused at once; reading it works")
  func readOnlyFile() throws {
    let path = scratch.file("fixed.sqlite")
    let made = try Connection(path: path, .creating)
    try made.execute("CREATE TABLE t(a); INSERT INTO t VALUES (7)")
    try made.close()
    chmod(path, 0o444)
    chmod(scratch.path, 0o755)
    // Root may write anything: this thread gives that right away for the calls that follow.
    let before = getuid() == 0 ? setFileSystemUser(65_534) : nil
    defer { if let before { _ = setFileSystemUser(UInt32(before)) } }
    #expect(code { _ = try Connection(path: path) } == .readOnly)
    let reader = try Connection(path: path, OpenOptions(access: .readOnly))
    #expect(try reader.integer("SELECT a FROM t") == 7)
    #expect(reader.isReadOnly == true)
  }

  @Test("a path with every character that means something in a URI names exactly that file")
  func strangePath() throws {
    let name = "a%20b?mode=memory&x#y+z ü.sqlite"
    let made = try Connection(path: scratch.file(name), .creating)
    try made.execute("CREATE TABLE t(a)")
    try made.close()
    #expect(scratch.size(name) > 0)
    let again = try Connection(path: "//" + scratch.file(name))
    #expect(try again.integer("SELECT count(*) FROM t") == 0)
  }

  @Test("an empty path and a path with a NUL are refused", arguments: ["", "/tmp/a\0b"])
  func impossiblePath(path: String) {
    #expect(code { _ = try Connection(path: path, .creating) } == .misuse)
  }

  @Test("an unknown VFS is an error, not the default one")
  func unknownVFS() {
    let path = scratch.file("v.sqlite")
    #expect(code { _ = try Connection(path: path, OpenOptions(vfs: "nowhere")) } == .error)
  }

  @Test("foreign keys are enforced, and the schema is defended")
  func safeguards() throws {
    let store = try Connection(path: ":memory:", .creating)
    try store.execute(
      """
      CREATE TABLE parent(id INTEGER PRIMARY KEY);
      CREATE TABLE child(parent REFERENCES parent(id));
      """)
    #expect(
      code { try store.run("INSERT INTO child VALUES (1)") } == .constraintForeignKey)
    #expect(try store.integer("PRAGMA trusted_schema") == 0)
    try store.execute("PRAGMA writable_schema = ON")
    #expect(code { try store.execute("DELETE FROM sqlite_schema") } != nil)
  }

  @Test("full-text search works with a schema that is not trusted, written by statements")
  func fullText() throws {
    let store = try makeStore(scratch.file("fts.sqlite"))
    try store.execute(
      """
      CREATE VIRTUAL TABLE words USING fts5(text, content='pair', content_rowid='id');
      """)
    try store.run("INSERT INTO pair VALUES (3, 'minutes of the meeting')")
    try store.run("INSERT INTO words(rowid, text) SELECT id, text FROM pair")
    #expect(try store.integer("SELECT rowid FROM words WHERE words MATCH 'meeting'") == 3)
  }

  @Test("a query-only connection refuses to write and reads on (J7)")
  func queryOnly() throws {
    let path = scratch.file("q.sqlite")
    let store = try makeStore(path)
    try store.run("INSERT INTO pair VALUES (1, 'a')")
    let reader = try Connection(path: path, OpenOptions(queryOnly: true))
    #expect(code { try reader.run("DELETE FROM pair") } == .readOnly)
    #expect(try reader.integer("SELECT count(*) FROM pair") == 1)
  }

  @Test("an immutable open reads the file alone and makes nothing beside it (J12)")
  func immutable() throws {
    let path = scratch.file("i.sqlite")
    let store = try makeStore(path)
    try store.run("INSERT INTO pair VALUES (1, 'a')")
    #expect(try store.checkpoint(.truncate).isComplete)
    try store.close()
    for end in ["-wal", "-shm"] { try FileManager.default.removeItem(atPath: path + end) }
    let reader = try Connection(path: path, OpenOptions(access: .readOnly, immutable: true))
    #expect(try reader.integer("SELECT count(*) FROM pair") == 1)
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path) == ["i.sqlite"])
    #expect(code { try reader.run("DELETE FROM pair") }?.primary == .readOnly)
  }

  @Test("closing leaves no descriptor, and is refused while a statement lives (J9)")
  func closing() throws {
    let path = scratch.file("c.sqlite")
    let store = try makeStore(path)
    try store.run("INSERT INTO pair VALUES (1, 'a')")
    let statement = try store.prepare("SELECT 1 FROM pair")
    #expect(try statement.step())
    do {
      try store.close()
      Issue.record("closed under a statement")
    } catch {
      #expect(error.code == .busy)
    }
    #expect(try openDescriptors().contains { $0.hasPrefix(path) })
    _ = consume statement
    #expect(try !openDescriptors().contains { $0.hasPrefix(path) })
  }

  private func openDescriptors() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
    }
  }
}
