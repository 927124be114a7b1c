import Foundation
import HoldfastModel
import HoldfastStore
import Testing

@Suite("A recording that is under way")
struct LiveProgressTests {
  @Test("is shown as far as it is written, with rows or without, and no further than its launch")
  func written() throws {
    let store = try KeptStore()
    let writer = try store.open()
    let id = try writer.startRecording(RecordingSeed())
    let take = try store.capture(writer, id, chunks: 7, indexed: 2)
    let live = try #require(try store.reader().recordings(RecordingRequest()).first)
    #expect(live.timeline.capturedSeconds == 0.7 && live.chunks == 2)
    #expect(live.payloadBytes == 7 * 1_600 && live.asOfMilliseconds != nil)
    #expect(live.elapsedSeconds >= 0.7 && live.isUnderWay)
    // Whoever writes knows its rows and asks for no more.
    let own = try writer.database.read { try RecordingRows.one(id, $0) }
    #expect(own?.timeline.capturedSeconds == 0.2 && own?.asOfMilliseconds == nil)
    try writer.closeTake(take, [], reason: .stop)
    try writer.setPhase(.stopped, of: id, reason: .stop)
    let ended = try #require(try store.reader().recordings(RecordingRequest()).first)
    #expect(ended.asOfMilliseconds == nil && !ended.isUnderWay)
    #expect(ended.elapsedSeconds == ended.timeline.elapsedSeconds)
    writer.close()
  }
}
