import Foundation
import HoldfastAudio
import HoldfastModel
import HoldfastPlatform
import HoldfastSQLite
import HoldfastStore
import Testing

@Suite("Import that is cut short")
struct ImportCutShortTests {
  static let format = SoundFiles.format(.s16le, 48_000, 2)
  /// More than a reel, and than what waits between reading and writing.
  static let data = SoundFiles.bytes(12_000_000, seed: 21)

  @Test(
    "by the death of its process goes on at the next, without a gap (J4, J12)",
    arguments: [1, 2, 3])
  func killed(_ calls: Int) throws {
    let store = try SoundStore()
    let path = try store.file("a.wav", try SoundFiles.wav(Self.format, Self.data))
    try die(store, path, after: calls)
    let report = try store.reopen()
    #expect(report.recovered.count == 1)
    let id = try store.recordings()[0].id
    let before = try store.summary(id)
    #expect(before.state == "stopped" && before.phase.recovered)
    #expect(before.sourceBytes == UInt64(Self.data.count))
    let held = try before.takes.isEmpty ? [] : store.export(id) { $0.form = .raw }.bytes
    #expect(isSame(held, Self.data, first: held.count))

    let outcome = try store.importFile(path, title: "a")
    #expect(outcome.kind == .completed)
    #expect(outcome.recording == id)
    let after = try store.summary(id)
    #expect(after.state == "stopped")
    #expect(after.timeline.gaps.isEmpty)
    #expect(after.payloadBytes == UInt64(Self.data.count))
    let exported = try store.export(id) { $0.form = .raw }
    #expect(isSame(exported.bytes, Self.data))
    #expect(exported.report.marks.isEmpty)
    #expect(try store.recordings().count == 1)
    #expect(try store.importFile(path, title: "a").kind == .alreadyThere)
    let lost = try store.writer.database.read { db in
      try db.first("SELECT count(*) FROM recovery WHERE acknowledged = 0", []) { $0.int64(0) }
    }
    #expect(lost == 0, "what was lost has come")
  }

  private func die(_ store: SoundStore, _ path: String, after calls: Int) throws {
    let file = try ImportFile(path, store.environment.files)
    let dying = DyingCalls(store.writer, calls: calls)
    #expect(throws: HoldfastError.self) {
      try Importer(dying, file, ImportRequest(RecordingSeed(title: "a"))).run()
    }
    file.close()
    store.die()
  }

  @Test("of packets goes on too", arguments: [1, 2])
  func killedPackets(_ calls: Int) throws {
    let store = try SoundStore()
    let stream = SoundFiles.adts(frames: 400, seed: 22)
    let path = try store.file("a.aac", stream)
    try die(store, path, after: calls)
    _ = try store.reopen()
    let id = try store.recordings()[0].id
    #expect(try store.importFile(path, title: "a").kind == .completed)
    #expect(try store.export(id) { $0.form = .raw }.bytes == stream)
  }

  @Test("by the user stops cleanly, and goes on when asked again")
  func cancelled() throws {
    let store = try SoundStore()
    let path = try store.file("a.wav", try SoundFiles.wav(Self.format, Self.data))
    let file = try ImportFile(path, store.environment.files)
    let outcome = try Importer(store.writer, file, ImportRequest()).run(isCancelled: { true })
    #expect(outcome.kind == .cancelled)
    #expect(outcome.progress.doneBytes < outcome.progress.totalBytes)
    let summary = try store.summary(outcome.recording)
    #expect(summary.state == "stopped")
    #expect(summary.payloadBytes == outcome.progress.doneBytes)
    let again = try store.importFile(path)
    #expect(again.kind == .completed && again.recording == outcome.recording)
    #expect(isSame(try store.export(again.recording) { $0.form = .raw }.bytes, Self.data))
    #expect(try store.summary(again.recording).timeline.gaps.isEmpty)
  }

  @Test("and lies in the trash is named so, and nothing is added to it")
  func incompleteInTrash() throws {
    let store = try SoundStore()
    let path = try store.file("a.wav", try SoundFiles.wav(Self.format, Self.data))
    let file = try ImportFile(path, store.environment.files)
    let first = try Importer(store.writer, file, ImportRequest()).run(isCancelled: { true })
    try store.writer.trash(first.recording)
    let again = try store.importFile(path)
    #expect(again.kind == .alreadyThere && again.isInTrash)
    #expect(again.progress.doneBytes == first.progress.doneBytes)
  }

  @Test("by a file that becomes shorter keeps what was read, and says so")
  func shrinkingFile() throws {
    let store = try SoundStore()
    let path = try store.file("a.wav", try SoundFiles.wav(Self.format, Self.data))
    let files = ShrinkingFiles(to: 10_000_044)
    let file = try ImportFile(path, files)
    files.shrink()
    let error = #expect(throws: HoldfastError.self) {
      try Importer(store.writer, file, ImportRequest()).run()
    }
    #expect(error?.code == .failed && error?.message.contains("became shorter") == true)
    let id = try store.recordings()[0].id
    #expect(error?.context["recording"] == id.description)
    #expect(try store.summary(id).state == "stopped")
    let held = try store.export(id) { $0.form = .raw }.bytes
    #expect(held.count == 10_000_000 && isSame(held, Self.data, first: held.count))
  }

  @Test("by a full disk keeps what was written, and goes on when there is room (J8)")
  func fullDisk() throws {
    let store = try SoundStore()
    let path = try store.file("a.wav", try SoundFiles.wav(Self.format, Self.data))
    var environment = store.environment
    let disk = FullDisk(room: 9_000_000)
    environment.files = disk
    let file = try ImportFile(path, store.environment.files)
    let writer = try StoreOpening.open(store.directory, StoreOptions(), environment).0
    let error = #expect(throws: HoldfastError.self) {
      try Importer(writer, file, ImportRequest()).run()
    }
    #expect(error?.code == .diskFull)
    writer.close()
    let id = try store.recordings()[0].id
    let summary = try store.summary(id)
    #expect(summary.state == "stopped" && summary.payloadBytes > 0)
    #expect(summary.timeline.gaps.map(\.reason) == [.diskFull])
    let outcome = try store.importFile(path)
    #expect(outcome.kind == .completed && outcome.recording == id)
    #expect(isSame(try store.export(id) { $0.form = .raw }.bytes, Self.data))
    #expect(try store.summary(id).timeline.gaps.isEmpty)
  }
}

/// A store whose process dies after some calls.
final class DyingCalls: StoreCalls {
  private let writer: StoreWriter
  private var left: Int

  init(_ writer: StoreWriter, calls: Int) {
    self.writer = writer
    left = calls
  }

  var layout: StoreLayout { writer.layout }
  var environment: StoreEnvironment { writer.environment }

  func rows<T: Sendable>(
    _ body: @escaping @Sendable (borrowing Connection) throws -> T
  ) throws(HoldfastError) -> T { try writer.rows(body) }

  func call<T: Sendable>(
    _ body: @escaping @Sendable (StoreWriter) throws(HoldfastError) -> T
  ) throws(HoldfastError) -> T {
    left -= 1
    guard left >= 0 else { throw HoldfastError(.failed, "The process has died.") }
    return try writer.call(body)
  }
}
