import Foundation
import HoldfastModel
import HoldfastPlatform
import HoldfastSQLite
import HoldfastStore
import HoldfastTesting
import Testing

@Suite("What has ended")
struct EndedRecordingTests {
  @Test("is not ended again: a recovered recording stays what it is")
  func stopTwice() throws {
    let store = try KeptStore()
    do {
      let writer = try store.open()
      let id = try writer.startRecording(RecordingSeed())
      try store.capture(writer, id, chunks: 4)
    }
    let writer = try store.open()
    let before = try #require(
      try writer.database.read { try RecordingRows.list(RecordingRequest(), $0) }.first)
    #expect(before.phase.reason == .termination && before.phase.recovered)
    #expect(try !writer.stopRecording(before.id))
    let after = try writer.database.read { try RecordingRows.list(RecordingRequest(), $0) }
    #expect(after == [before])
    writer.close()
  }

  @Test("of an interrupted one a stop is the end")
  func interrupted() throws {
    let store = try KeptStore()
    let writer = try store.open()
    let id = try writer.startRecording(RecordingSeed())
    let take = try store.capture(writer, id, chunks: 2)
    try writer.closeTake(take, [], reason: .interruption)
    try writer.setPhase(.interrupted, of: id, reason: .interruption)
    #expect(try writer.stopRecording(id))
    #expect(try !writer.stopRecording(id))
    writer.close()
  }

  /// The real files, of which some cannot be removed or listed.
  private struct StubbornFiles: ForwardingFiles {
    let real: any FileSystem = SystemFiles()
    var keeps = ""
    var hides = ""

    private func denied(_ operation: String, _ path: String) -> FileFault {
      FileFault(
        kind: .denied, operation: operation, path: path, errno: 13, reason: "Permission denied")
    }
    func unlink(_ path: String) throws(FileFault) {
      if !keeps.isEmpty, path.hasSuffix(keeps) { throw denied("unlink", path) }
      try real.unlink(path)
    }
    func list(_ directory: String) throws(FileFault) -> [String] {
      if !hides.isEmpty, directory.hasSuffix(hides) { throw denied("list", directory) }
      return try real.list(directory)
    }
  }

  @Test("and is purged frees what was unlinked, and says what was not (J4)")
  func purge() throws {
    var environment = StoreEnvironment.system()
    environment.files = StubbornFiles(keeps: "/0001")
    let store = try KeptStore(environment)
    let made = try #require(try store.filled(chunks: 10, chunkBytes: 1 << 20).first)
    let sizes = try (0...1).map { UInt64(try Disk.bytes(store.reel(made.take, $0)).count) }
    do {
      let writer = try store.open()
      let receipt = try Removal.purge(made.recording, writer)
      #expect(receipt.freedBytes == sizes[0] && receipt.leftBytes == sizes[1])
      #expect(receipt.leftCause?.contains("Permission denied") == true)
      writer.close()
    }
    #expect(!Disk.exists(store.reel(made.take, 0)) && Disk.exists(store.reel(made.take, 1)))
    let (writer, _) = try StoreOpening.open(store.directory, KeptStore.options, .system())
    #expect(!Disk.exists(store.reel(made.take, 1)))
    writer.close()
  }

  @Test("takes space that cannot be measured where audio cannot be listed, and it says so (J6)")
  func space() throws {
    let store = try KeptStore()
    try store.filled()
    #expect(try SpaceReport.read(store.reader()).unreadable == nil)
    var environment = StoreEnvironment.system()
    environment.files = StubbornFiles(hides: "/audio")
    let reader = try ReaderOpening.open(
      store.directory, temporary: store.temporary, environment)
    #expect(try SpaceReport.read(reader).unreadable?.contains("Permission denied") == true)
  }
}
