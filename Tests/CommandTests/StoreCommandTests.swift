import Foundation
import Testing

/// The commands as a script meets them: real processes on a store of their own.
@Suite("The command on a store", .serialized)
struct StoreCommandTests {
  private func object(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  @Test("records, lists with every key of the contract, and gives the bytes back")
  func roundTrip() throws {
    let place = try Place()
    let file = try place.audio("in.raw", frames: 20_000)
    let recorded = try place.record(file, ["--title", "One", "--quiet"])
    #expect(recorded.status == 0)
    let id = recorded.output.trimmingCharacters(in: .newlines)
    #expect(id.count == 32)
    let list = try object(try place.run(["list", "--json"]).output)
    let item = try #require((list["recordings"] as? [[String: Any]])?.first)
    let keys: Set = [
      "id", "title", "state", "startedAt", "durationSeconds", "elapsedSeconds", "chunks", "gaps",
      "payloadBytes", "origin", "recovered", "tasks", "custody",
    ]
    #expect(keys.isSubset(of: Set(item.keys)))
    #expect(item["durationSeconds"] as? Double == 2.5)
    let prefix = String(id.prefix(6))
    let export = try place.run([
      "export", prefix, "--format", "raw", "-o", place.path("out"), "-q",
    ])
    #expect(export.status == 0)
    #expect(
      FileManager.default.contents(atPath: place.path("out"))
        == FileManager.default.contents(atPath: file))
    #expect(try place.run(["export", prefix, "-o", place.path("out")]).status == 1)
    #expect(try place.run(["verify", "-q"]).status == 0)
  }

  @Test("goes on with a recording in a new take, and the gap is in show and in the export")
  func resume() throws {
    let place = try Place()
    let file = try place.audio("in.raw", frames: 8_000)
    let id = try place.record(file, ["-q"]).output.trimmingCharacters(in: .newlines)
    #expect(try place.record(file, ["--resume", id, "-q"]).status == 0)
    let show = try object(try place.run(["show", id, "--json"]).output)
    let takes = try #require(show["takes"] as? [[String: Any]])
    #expect(takes.count == 2)
    let first = try #require(takes.first?["startSeconds"] as? Double)
    let second = try #require(takes.last?["startSeconds"] as? Double)
    let gaps = try #require(show["gaps"] as? [[String: Any]])
    let gapSeconds = gaps.compactMap { $0["seconds"] as? Double }.reduce(0, +)
    #expect(abs(second - first - 1 - gapSeconds) < 0.001)
    for (policy, extra) in [("cut", 0.0), ("silence", gapSeconds)] {
      let out = place.path("out-\(policy)")
      #expect(
        try place.run(["export", id, "--format", "raw", "--gaps", policy, "-o", out]).status == 0)
      let bytes = try #require(FileManager.default.contents(atPath: out)).count
      #expect(abs(Double(bytes) / 2 - 16_000 - extra * 8_000) <= 1)
    }
  }

  @Test("imports the same content once, says so, and refuses what is no audio with 5")
  func importing() throws {
    let place = try Place()
    let file = try place.audio("in.raw", frames: 8_000)
    let raw = ["--encoding", "s16le", "--rate", "8000", "--channels", "1"]
    #expect(try place.run(["import", file] + raw).output.contains("was imported"))
    #expect(try place.run(["import", file] + raw).output.contains("already there"))
    let text = place.path("note.wav")
    try Data("no audio".utf8).write(to: URL(fileURLWithPath: text))
    let refused = try place.run(["import", text, "--json"])
    #expect(refused.status == 5)
    let error = try #require(try object(refused.error)["error"] as? [String: Any])
    #expect(Set(error.keys) == ["code", "message", "hint", "retryable"])
  }

  @Test("of a newer schema is read, and not written: exit 4, naming the version (J10)")
  func newerSchema() throws {
    let place = try Place()
    _ = try place.record(try place.audio("in.raw", frames: 800), ["--title", "old", "-q"])
    let raise = "sqlite3 '\(place.store)/store.sqlite' 'PRAGMA user_version = 99'"
    #expect(try Binary.run(script: raise).status == 0)
    #expect(try place.run(["list"]).output.contains("old"))
    let write = try place.run(["recover"])
    #expect(write.status == 4 && write.error.contains("99"))
  }

  @Test("says who holds the lock as far as that is known, and exits with 4 (J7)")
  func locked() throws {
    let place = try Place()
    _ = try place.recorded()
    let result = try place.script(
      """
      # The lock's taker lives: it is named, and not the last holder of ours.
      flock -o store/writer.lock bash -c 'holdfast recover --wait 0.1; echo "code $?"' 2>&1
      # It has ended and its lock lives on: only what is known is said.
      exec 9<>store/writer.lock
      flock 9
      holdfast recover --wait 0.1 2>&1; echo "code $?"
      holdfast list >/dev/null; echo "read $?"
      """)
    let lines = result.output.split(separator: "\n")
    #expect(lines.count == 7 && lines.filter { $0 == "code 4" }.count == 2)
    #if os(Linux)
      #expect(lines.first?.contains("is being written by process") == true)
      #expect(lines.first?.hasSuffix("(flock).") == true)
    #endif
    #expect(
      result.output.contains("by another process; the last one known to write is process"))
    #expect(lines.last == "read 0")
  }

  @Test("that is no store says so: a file, nothing there, other people's files")
  func noStore() throws {
    let place = try Place()
    #expect(try place.run(["list"]).status == 1)
    let file = try place.audio("in.raw", frames: 80)
    #expect(try place.record(file, ["--store", file]).status == 2)
    #expect(try place.record(file, ["--store", place.root.path]).status == 2)
    #expect(FileManager.default.contents(atPath: file)?.count == 160)
  }

  @Test("makes a support bundle without titles, track names or attributes")
  func bundle() throws {
    let place = try Place()
    let file = try place.audio("in.raw", frames: 800)
    _ = try place.record(file, ["--title", "Sekret", "--track", "Spion", "-q"])
    #expect(try place.run(["bundle", "-o", place.path("bundle.json")]).status == 0)
    let data = try #require(FileManager.default.contents(atPath: place.path("bundle.json")))
    let text = String(decoding: data, as: UTF8.self)
    #expect(try object(text)["recordings"] != nil)
    for word in ["Sekret", "Spion", place.root.path] { #expect(!text.contains(word)) }
  }

  @Test("keeps a trash, and purges only on a clear word (J4)")
  func trash() throws {
    let place = try Place()
    let file = try place.audio("in.raw", frames: 800)
    let id = try place.record(file, ["-q"]).output.trimmingCharacters(in: .newlines)
    #expect(try place.run(["rm", id]).status == 0)
    #expect(try !place.run(["list", "--ids"]).output.contains(id))
    #expect(try place.run(["list", "--ids", "--all"]).output.contains(id))
    #expect(try place.run(["restore", id]).status == 0)
    #expect(try place.run(["list", "--ids"]).output.contains(id))
    #expect(try place.run(["purge", id]).status == 2)
    #expect(try place.run(["purge", id, "--yes"]).status == 0)
    #expect(try place.run(["show", id]).status == 1)
    let audio = place.store + "/audio"
    #expect(try FileManager.default.contentsOfDirectory(atPath: audio) == [])
    #expect(try place.run(["verify"]).status == 0)
  }
}
