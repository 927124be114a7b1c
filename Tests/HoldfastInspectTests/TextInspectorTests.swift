import Foundation
import HoldfastInspect
import HoldfastModel
import HoldfastPlatform
import HoldfastStore
import HoldfastTesting
import Testing

@Suite("The store at a glance")
struct TextInspectorTests {
  private func page(_ directory: String) throws -> String {
    let reader = try ReaderOpening.open(
      directory, temporary: NSTemporaryDirectory(), .system())
    let inspector = TextInspector(
      reader, columns: 80, time: { "@\($0)" }, duration: { "\($0)s" }, bytes: { "\($0)B" })
    return try inspector.lines().joined(separator: "\n")
  }

  @Test("draws takes and gaps to scale, shows titles harmless, and says what recovery would")
  func page() throws {
    let root = FileManager.default.temporaryDirectory
      .appendingPathComponent("holdfast-inspect-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: root) }
    let clock = ManualClock()
    var environment = StoreEnvironment.system()
    environment.clock = clock
    let (writer, _) = try StoreOpening.open(root, StoreOptions(), environment)
    let id = try writer.startRecording(RecordingSeed(title: "A\u{1B}[31mred\nline"))
    let format = try #require(AudioFormat(pcm: .s16le, sampleRate: 1000, channels: 1))
    for _ in 0..<2 {
      let take = try writer.openTake(of: id, track: "microphone", format, chunkFrames: 1000)
      let journal = try writer.makeJournal(take, chunkFrames: 1000, .process)
      journal.offer([UInt8](repeating: 1, count: 20_000))
      clock.advance(seconds: 10)
      _ = try journal.finish()
      try writer.closeTake(take.take, journal.takeRows(), reason: .interruption)
      clock.advance(seconds: 20)
    }
    // Dead without a word: what is shown is what the next writer would do.
    writer.launchFile.drop()
    writer.database.close()
    let text = try page(root)
    #expect(!text.contains("\u{1B}"))
    #expect(text.contains("A\\u{1b}[31mred\\u{a}line"))
    #expect(text.contains("stopped, recovered"))
    #expect(text.contains("not acknowledged yet"))
    let strip = try #require(text.split(separator: "\n").first { $0.contains("│█") })
    let cells = strip.split(separator: "│")[1]
    let audio = cells.filter { $0 == "█" }.count
    let gap = cells.filter { $0 == "·" }.count
    // 10 s of audio, 20 s of gap, 10 s of audio, and the end that recovery closed.
    #expect(audio > 0 && gap > audio / 2)
    #expect(try page(root) == text)
  }
}
