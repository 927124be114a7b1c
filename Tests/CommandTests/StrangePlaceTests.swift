import Foundation
import Testing

@Suite("Places that are no store", .serialized)
struct StrangePlaceTests {
  private func contents(_ directory: String) throws -> [String: Data] {
    let manager = FileManager.default
    var found: [String: Data] = [:]
    for name in try manager.contentsOfDirectory(atPath: directory) {
      found[name] = manager.contents(atPath: directory + "/" + name) ?? Data()
    }
    return found
  }

  @Test(
    "somebody else's database is refused before anything is made beside it, and is no damage",
    arguments: [
      "sqlite3 s/store.sqlite 'CREATE TABLE t (a); INSERT INTO t VALUES (1)'",
      "sqlite3 s/store.sqlite 'PRAGMA journal_mode = WAL; CREATE TABLE t (a)' >/dev/null",
      "sqlite3 s/store.sqlite 'PRAGMA user_version = 3; VACUUM'",
      "echo no database at all > s/store.sqlite",
    ])
  func foreign(setup: String) throws {
    let place = try Place()
    let file = try place.wave("in.wav", frames: 800)
    #expect(try place.script("mkdir s\n" + setup).status == 0)
    let directory = place.path("s")
    let before = try contents(directory)
    for words in [["record", file], ["import", file], ["adopt", file], ["list"], ["recover"]] {
      let result = try place.run(words + ["--store", directory])
      #expect(result.status == 2, "\(words): \(result.error)")
      #expect(result.error.contains("store.sqlite is "), "\(result.error)")
      #expect(try contents(directory) == before, "\(words)")
    }
  }

  @Test(
    "a file for a directory, or the reverse, is named, and nothing is made",
    arguments: [
      ("touch s/audio", "s/audio is a file"), ("touch s/launches", "s/launches is a file"),
      ("mkdir s/store.sqlite", "s/store.sqlite is a directory"),
      ("mkdir s/writer.lock", "s/writer.lock is a directory"),
      (
        "cp -r store/. s; rm -f s/store.sqlite-shm; mkdir s/store.sqlite-shm",
        "s/store.sqlite-shm is a directory"
      ),
    ])
  func kinds(setup: String, said: String) throws {
    let place = try Place()
    let file = try place.wave("in.wav", frames: 800)
    #expect(try place.run(["import", "-q", file]).status == 0)
    #expect(try place.script("mkdir s\n" + setup).status == 0)
    let before = try contents(place.path("s"))
    for words in [["import", file], ["list"]] {
      let result = try place.run(words + ["--store", place.path("s")])
      #expect(result.status == 1 && result.error.contains(said), "\(result.error)")
      #expect(result.error.contains("Move it away"))
      #expect(try contents(place.path("s")) == before)
    }
  }

  @Test("a rebuild of a newer store says which version is needed, and exits with 4 (J10)")
  func newer() throws {
    let place = try Place()
    _ = try place.recorded()
    let raise = "sqlite3 '\(place.store)/store.sqlite' 'PRAGMA user_version = 99'"
    #expect(try place.script(raise).status == 0)
    let result = try place.run(["rebuild", "-o", place.path("new")])
    #expect(result.status == 4 && result.error.contains("schema 99"), "\(result.error)")
    #expect(!FileManager.default.fileExists(atPath: place.path("new")))
  }
}
