import Foundation
import Testing

@Suite("Adopting from the command line", .serialized)
struct AdoptCommandTests {
  @Test("what is not there keeps nothing else out: each path has its own result")
  func perItem() throws {
    let place = try Place()
    let files = [try place.wave("a.wav", frames: 800), try place.wave("b.wav", frames: 900)]
    #expect(try place.run(["import", files[0], "-q"]).status == 0)
    let other = try place.wave("c.wav", frames: 1000)
    let none = place.path("none.wav")
    let text = place.path("note.wav")
    try Data("no audio".utf8).write(to: URL(fileURLWithPath: text))
    let said = try place.run(["adopt", files[1], none, other])
    #expect(said.status == 1)
    #expect(said.output.contains("b.wav: imported") && said.output.contains("c.wav: imported"))
    #expect(said.error.contains("none.wav is not there") && said.error.contains("hint:"))
    let json = try place.run(["adopt", "--json", none, files[0], text])
    #expect(json.status == 5)
    let items = try #require(try Place.object(json.output)["adopted"] as? [[String: Any]])
    let results = Dictionary(
      uniqueKeysWithValues: items.map { ($0["path"] as? String ?? "", $0["result"] as? String) })
    #expect(results == [none: "failed", files[0]: "alreadyThere", text: "refused"])
    #expect(try place.run(["list", "--ids"]).output.split(separator: "\n").count == 3)
  }

  @Test("a store that is not there is not made: only record and import make one")
  func noStore() throws {
    let place = try Place()
    let file = try place.wave("a.wav", frames: 800)
    let result = try place.run(["adopt", file])
    #expect(result.status == 1 && result.error.contains("There is no store"))
    #expect(!FileManager.default.fileExists(atPath: place.store))
  }
}
