import Foundation
import HoldfastModel
import HoldfastSQLite
import HoldfastStore
import Testing

@Suite("Adopting reels")
struct AdoptTests {
  private func adopt(_ store: KeptStore, _ paths: [String]) throws -> [StoreAdoption.Item] {
    let writer = try store.open()
    defer { writer.close() }
    return try StoreAdoption.run(paths, writer)
  }

  private func summaries(_ store: KeptStore) throws -> [RecordingSummary] {
    var request = RecordingRequest()
    request.includesDeleted = true
    return try store.reader().recordings(request)
  }

  @Test("a take of another store becomes a recording here, once (J4)")
  func unknownTake() throws {
    let (other, store) = (try KeptStore(), try KeptStore())
    let made = try #require(try other.filled(chunks: 20, chunkBytes: 1 << 20).first)
    try store.filled()
    let paths = AdoptionPaths([other.directory], other.environment)
    #expect(paths.reels.count == 3 && paths.others.isEmpty)
    let items = try adopt(store, paths.reels)
    #expect(items.map(\.added) == [7, 7, 6] && items.allSatisfy { $0.refusal == nil })
    #expect(items.allSatisfy { $0.recording == made.recording && $0.take == made.take })
    let summary = try #require(try summaries(store).first { $0.id == made.recording })
    #expect(summary.chunks == 20 && summary.state == "stopped" && summary.title == "")
    #expect(try store.rows(of: made.take) == other.rows(of: made.take))
    #expect(try store.verify().isSound)
    let again = try adopt(store, paths.reels)
    #expect(again.map(\.known) == [7, 7, 6] && !again.contains(where: \.isNews))
  }

  @Test("a damaged chunk is healed from a copy, without writing over the reel (J5)")
  func heals() throws {
    let store = try KeptStore()
    let made = try #require(try store.filled().first)
    let copy = store.root + "/copy"
    _ = try StoreBackup.run(from: store.directory, to: copy, store.environment)
    let rows = try store.rows(of: made.take)
    try Disk.flip(store.reel(made.take), at: rows[4].payloadOffset)
    let damaged = try Disk.bytes(store.reel(made.take))
    let writer = try store.open()
    try Findings.record(try store.verify(), writer)
    let items = try StoreAdoption.run(["\(copy)/\(ReelPath(take: made.take, reel: 0))"], writer)
    writer.close()
    #expect(items[0].healed == 1 && items[0].known == 11 && items[0].added == 0)
    #expect(try Disk.bytes(store.reel(made.take)) == damaged)
    let result = try store.verify()
    #expect(result.isSound && result.ok == 12 && result.healed.isEmpty)
    #expect(try store.rows(of: made.take)[4].reel == 1)
    #expect(try summaries(store)[0].title == "Meeting 0")
  }

  @Test("a reel that is gone is put back where it was")
  func putBack() throws {
    let store = try KeptStore()
    let made = try #require(try store.filled(chunks: 20, chunkBytes: 1 << 20).first)
    let rows = try store.rows(of: made.take)
    let loose = store.root + "/loose.bin"
    try FileManager.default.moveItem(atPath: store.reel(made.take, 1), toPath: loose)
    let items = try adopt(store, [loose])
    #expect(items[0].healed == 7)
    #expect(try store.rows(of: made.take) == rows && store.verify().isSound)
  }

  @Test("of a damaged reel what is whole is adopted")
  func damagedReel() throws {
    let (other, store) = (try KeptStore(), try KeptStore())
    let made = try #require(try other.filled().first)
    let rows = try other.rows(of: made.take)
    try Disk.flip(other.reel(made.take), at: rows[2].payloadOffset)
    // One flipped bit of a chunk's header is corrected in the copy; two are not.
    try Disk.flip(other.reel(made.take), at: rows[4].offset + 40)
    for place in [UInt64(40), 60] {
      try Disk.flip(other.reel(made.take), at: rows[6].offset + place)
    }
    try Disk.cut(other.reel(made.take), to: rows[10].offset + 500)
    let items = try adopt(store, [other.reel(made.take)])
    #expect(items[0].added == 8 && items[0].damaged == 3)
    #expect(try store.rows(of: made.take).map(\.sequence) == [0, 1, 3, 4, 5, 7, 8, 9])
    #expect(try store.verify().isSound)
  }

  @Test("a reel without a readable header goes with another of its take, and not alone")
  func damagedHeader() throws {
    let (other, store) = (try KeptStore(), try KeptStore())
    let made = try #require(try other.filled(chunks: 10, chunkBytes: 1 << 20).first)
    // One flipped bit would be mended.
    for offset in [30, 31] { try Disk.flip(other.reel(made.take, 1), at: UInt64(offset)) }
    let alone = try adopt(store, [other.reel(made.take, 1)])
    #expect(alone[0].refusal != nil && alone[0].take == made.take)
    #expect(try summaries(store).isEmpty)
    let both = try adopt(store, [other.reel(made.take, 1), other.reel(made.take)])
    #expect(both.map(\.added) == [3, 7])
  }

  @Test("the audio of a purged recording is refused (J4)")
  func purged() throws {
    let store = try KeptStore()
    let made = try #require(try store.filled().first)
    let loose = store.root + "/loose"
    try Disk.copy(store.reel(made.take), loose)
    let writer = try store.open()
    _ = try Removal.purge(made.recording, writer)
    let items = try StoreAdoption.run([loose], writer)
    writer.close()
    #expect(items[0].refusal?.contains("purged") == true && !items[0].isNews)
    #expect(!Disk.exists(store.reel(made.take)))
  }

  @Test("chunks that lie in place without rows get them, and the take its larger extent")
  func inPlace() throws {
    let store = try KeptStore()
    let writer = try store.open()
    let id = try writer.startRecording(RecordingSeed())
    let take = try store.capture(writer, id, chunks: 9, indexed: 6)
    try writer.closeTake(take, [], reason: .stop)
    try writer.setPhase(.stopped, of: id, reason: .stop)
    writer.close()
    let orphan = try #require(try store.verify().orphans.first)
    #expect(orphan.kind == .chunks && orphan.chunks == 3)
    let items = try adopt(store, ["\(store.directory)/\(orphan.path)"])
    #expect(items[0].added == 3 && items[0].known == 6)
    #expect(try adopt(store, ["\(store.directory)/\(orphan.path)"])[0].known == 9)
    let result = try store.verify()
    #expect(result.isSound && result.orphans.isEmpty && result.chunks == 9)
    let state = try store.reader().read { try ChangeLog.state(of: id, $0) }
    #expect(state.takes[0].extent?.chunks == 9 && state.takes[0].closed?.chunks == 9)
    #expect(state.takes[0].closed?.endFrame == 7_200 && state.takes[0].closed?.reason == .stop)
  }

  @Test("other audio under the same number does not replace ours")
  func differing() throws {
    let store = try KeptStore()
    let made = try #require(try store.filled(chunks: 3).first)
    try store.tamper("UPDATE chunk SET sha256 = zeroblob(32) WHERE sequence = 1")
    let loose = store.root + "/loose"
    try Disk.copy(store.reel(made.take), loose)
    let items = try adopt(store, [loose])
    #expect(items[0].differing == 1 && items[0].known == 2 && !items[0].isNews)
  }

  @Test("what a living launch records is its own (L1)")
  func beingRecorded() throws {
    let store = try KeptStore()
    let recorder = try store.open()
    let id = try recorder.startRecording(RecordingSeed())
    let take = try store.capture(recorder, id, chunks: 5, indexed: 2)
    let items = try adopt(store, [store.reel(take)])
    #expect(items[0].refusal?.contains("recorded") == true)
    #expect(try recorder.database.read { try RecordingRows.one(id, $0) }?.chunks == 2)
    recorder.close()
  }

  @Test("paths are sorted into reels and the rest; without a reel there is a clear error")
  func sorting() throws {
    let store = try KeptStore()
    let made = try #require(try store.filled().first)
    let wav = store.root + "/in/a.wav"
    try Disk.write(Array("RIFF....WAVE".utf8), wav)
    try Disk.copy(store.reel(made.take), store.root + "/in/b.bin")
    let paths = AdoptionPaths([store.root + "/in"], store.environment)
    #expect(paths.others == [wav] && paths.reels == [store.root + "/in/b.bin"])
    // What is not there does not hold up the rest.
    let mixed = AdoptionPaths([store.root + "/none", store.root + "/in"], store.environment)
    #expect(mixed.faults.map(\.error.code) == [.notFound])
    #expect(mixed.faults.map(\.path) == [store.root + "/none"])
    #expect(mixed.others == [wav] && mixed.reels == [store.root + "/in/b.bin"])
    do {
      _ = try adopt(store, [])
      Issue.record("there is no reel")
    } catch { #expect((error as? HoldfastError)?.code == .inputRefused) }
    let items = try adopt(store, [wav])
    #expect(items[0].refusal != nil)
  }

  @Test("a full disk ends it with what was taken in before, and leaves no half reel (J8)")
  func fullDisk() throws {
    let other = try KeptStore()
    let made = try #require(try other.filled().first)
    let store = try KeptStore(.full { $0.contains("/audio/") })
    let writer = try store.open()
    let items = try StoreAdoption.run([other.reel(made.take)], writer)
    #expect(items[0].fault?.code == .diskFull && !items[0].isNews)
    writer.close()
    #expect(try store.verify().orphans.isEmpty && summaries(store).isEmpty)
  }
}
