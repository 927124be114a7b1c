import Foundation
import Testing

@Suite("A recording whose output takes nothing", .serialized)
struct RecordOutputTests {
  @Test(
    "goes on, is whole, is said to be there on standard error, and ends with 1",
    arguments: [">&-", ">/dev/full", "--acks >/dev/full", "--json >&-"])
  func unwritable(redirection: String) throws {
    let place = try Place()
    _ = try place.audio("in.raw", frames: 20_000)
    let record = "holdfast record --encoding s16le --rate 8000 --channels 1 in.raw"
    let result = try place.script("\(record) \(redirection)\nexit $?")
    #expect(result.status == 1)
    let id = try place.run(["list", "--ids"]).output.prefix(32)
    #expect(result.error.contains("recording \(id) goes on"), "\(result.error)")
    #expect(result.error.contains("hint"))
    let export = try place.script("holdfast export \(id) --format raw -o - | cmp - in.raw")
    #expect(export.status == 0)
    #expect(try place.run(["list"]).output.contains("stopped"))
  }
}
