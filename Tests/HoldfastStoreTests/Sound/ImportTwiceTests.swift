import HoldfastAudio
import HoldfastModel
import HoldfastPlatform
import HoldfastSQLite
import HoldfastStore
import Testing

@Suite("Import of a file that is there")
struct ImportTwiceTests {
  static let format = ImportTests.format
  static let data = SoundFiles.bytes(50_000, seed: 11)

  private func wav(_ change: (inout [UInt8]) -> Void = { _ in }) throws -> [UInt8] {
    var data = Self.data
    change(&data)
    return try SoundFiles.wav(Self.format, data)
  }

  @Test("adds nothing and names the recording, whatever the file is called")
  func sameContent() throws {
    let store = try SoundStore()
    let first = try store.importFile(try store.file("a.wav", try wav()), title: "a")
    let again = try store.importFile(try store.file("b.wav", try wav()), title: "b")
    #expect(again.kind == .alreadyThere && again.recording == first.recording)
    #expect(!again.isInTrash)
    #expect(try store.recordings().count == 1)
    #expect(try store.summary(first.recording).title == "a")
  }

  @Test("says so when it lies in the trash; what was purged is imported anew")
  func trashAndPurge() throws {
    let store = try SoundStore()
    let path = try store.file("a.wav", try wav())
    let first = try store.importFile(path)
    try store.writer.trash(first.recording)
    let again = try store.importFile(path)
    #expect(again.kind == .alreadyThere && again.isInTrash && again.recording == first.recording)
    _ = try Removal.purge(first.recording, store.writer)
    #expect(try store.importFile(path).kind == .imported)
  }

  @Test("tells files of one size apart", arguments: [0, 20_000, 49_999])
  func otherContent(_ offset: Int) throws {
    let store = try SoundStore()
    try store.importFile(try store.file("a.wav", try wav()), title: "a")
    let other = try store.importFile(
      try store.file("b.wav", try wav { $0[offset] ^= 1 }), title: "b")
    #expect(other.kind == .imported)
    #expect(try store.recordings().count == 2)
  }

  @Test("finds content however it was cut into chunks")
  func otherCut() throws {
    let store = try SoundStore()
    let path = try store.file("a.wav", try wav())
    try store.importFile(path, chunkSeconds: 0.3)
    #expect(try store.importFile(path, chunkSeconds: 2).kind == .alreadyThere)
    let bytes = Self.data
    let live = try store.record([
      .init(at: 0, [Array(bytes[..<10_000]), Array(bytes[10_000..<30_000])])
    ])
    let part = try SoundFiles.wav(Self.format, Array(bytes[..<30_000]))
    let outcome = try store.importFile(try store.file("part.wav", part))
    #expect(outcome.kind == .alreadyThere && outcome.recording == live)
  }

  @Test("goes by the external id alone; other content under it is a conflict")
  func externalID() throws {
    let store = try SoundStore()
    let path = try store.file("a.wav", try wav())
    let first = try store.importFile(path, externalID: "E-1")
    let again = try store.importFile(path, externalID: "E-1")
    #expect(again.kind == .alreadyThere && again.recording == first.recording)
    let other = try store.file("b.wav", try wav { $0[7] ^= 1 })
    let error = #expect(throws: HoldfastError.self) {
      try store.importFile(other, externalID: "E-1")
    }
    #expect(error?.code == .conflict && error?.message.contains("E-1") == true)
    #expect(try store.recordings().count == 1)
    #expect(
      try store.importFile(path, externalID: "E-2").kind == .imported,
      "another id is another recording")
    #expect(try store.importFile(path).kind == .alreadyThere)
  }

  @Test("is not imported twice when another process did it a moment before")
  func race() throws {
    let store = try SoundStore()
    let path = try store.file("a.wav", try wav())
    let rival = try store.open()
    let file = try ImportFile(path, store.environment.files)
    let calls = RivalCalls(store.writer) {
      let other = try ImportFile(path, store.environment.files)
      #expect(try Importer(rival, other, ImportRequest()).run().kind == .imported)
    }
    let outcome = try Importer(calls, file, ImportRequest()).run()
    #expect(outcome.kind == .alreadyThere)
    #expect(try store.recordings().count == 1)
    rival.close()
  }

  @Test("waits for another process that is importing it, and takes over when that stops")
  func underWay() throws {
    let store = try SoundStore()
    let path = try store.file("a.wav", try wav())
    let rival = try store.open()
    let id = try rival.startRecording(RecordingSeed(sourceBytes: UInt64(Self.data.count)))
    let calls = RivalCalls(store.writer, afterPauses: 3) {
      try rival.setPhase(.stopped, of: id, reason: .stop)
    }
    let file = try ImportFile(path, store.environment.files)
    let outcome = try Importer(calls, file, ImportRequest()).run()
    #expect(outcome.kind == .completed && outcome.recording == id)
    #expect(try store.recordings().count == 1)
    #expect(try store.export(id) { $0.form = .raw }.bytes == Self.data)
    rival.close()
  }

  @Test("does not wait for ever for a process that stands still")
  func standingStill() throws {
    let store = try SoundStore()
    let path = try store.file("a.wav", try wav())
    let rival = try store.open()
    _ = try rival.startRecording(RecordingSeed(sourceBytes: UInt64(Self.data.count)))
    let calls = RivalCalls(store.writer, afterPauses: .max) {}
    let file = try ImportFile(path, store.environment.files)
    let error = #expect(throws: HoldfastError.self) {
      try Importer(calls, file, ImportRequest()).run()
    }
    #expect(error?.code == .locked && error?.isRetryable == true)
    rival.close()
  }
}

/// A store in which something happens at a chosen moment: before the first call of the writer, or
/// after some pauses, which take no time.
final class RivalCalls: StoreCalls, Pause, @unchecked Sendable {
  private let writer: StoreWriter
  private let pauses: Int
  private var seen = 0
  private var event: (() throws -> Void)?

  init(_ writer: StoreWriter, afterPauses: Int = 0, _ event: @escaping () throws -> Void) {
    self.writer = writer
    pauses = afterPauses
    self.event = event
  }

  var layout: StoreLayout { writer.layout }
  var environment: StoreEnvironment {
    var environment = writer.environment
    environment.pause = self
    return environment
  }

  func pause(nanoseconds: Int64) {
    seen += 1
    if seen == pauses { happen() }
  }

  func rows<T: Sendable>(
    _ body: @escaping @Sendable (borrowing Connection) throws -> T
  ) throws(HoldfastError) -> T { try writer.rows(body) }

  func call<T: Sendable>(
    _ body: @escaping @Sendable (StoreWriter) throws(HoldfastError) -> T
  ) throws(HoldfastError) -> T {
    if pauses == 0 { happen() }
    return try writer.call(body)
  }

  private func happen() {
    let due = event
    event = nil
    #expect(throws: Never.self) { try due?() }
  }
}
