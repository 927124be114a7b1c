import Foundation
import HoldfastModel
import HoldfastStore
import Testing

@Suite("Space and launches")
struct SpaceAndLaunchTests {
  @Test("space counts every byte once, by recording and by kind")
  func space() throws {
    let store = try KeptStore()
    let writer = try store.open()
    let made = try store.record(writer, title: "Long", chunks: 50)
    try store.record(writer, title: "Short", chunks: 5)
    writer.close()
    try Disk.write([UInt8](repeating: 1, count: 777), "\(store.directory)/audio/stray")
    try Disk.write([UInt8](repeating: 1, count: 55), "\(store.directory)/incoming/x.caf")
    try Disk.write([UInt8](repeating: 1, count: 66), "\(store.directory)/evidence/a/b")
    let report = try SpaceReport.read(store.reader())
    let tree = try Disk.tree(store.directory)
    let audio = tree.filter { $0.key.hasPrefix("audio/") && $0.key != "audio/stray" }
    #expect(report.audioBytes == UInt64(audio.values.reduce(0) { $0 + $1.count }))
    #expect(report.orphanBytes == 777 && report.incomingBytes == 55 && report.evidenceBytes == 66)
    #expect(report.recordings.map(\.title) == ["Long", "Short"])
    #expect(report.recordings[0].audioBytes == UInt64(tree["audio/\(made.take)/0000"]?.count ?? 0))
    #expect(
      report.totalBytes + UInt64(tree["writer.lock"]?.count ?? 0)
        == UInt64(tree.values.reduce(0) { $0 + $1.count }))
    // 16,000 bytes of samples a second, and ten headers of 96 bytes.
    #expect(report.bytesPerSecond == 16_960)
    #expect(report.secondsLeft == Double(report.freeBytes) / 16_960)
  }

  @Test("launches are listed newest first, with ending, evidence and events; one lives (L1, L2)")
  func launches() throws {
    let store = try KeptStore()
    try store.filled()
    do {
      let killed = try store.open()
      killed.launchFile.note("foreground")
      killed.launchFile.note("capture", detail: "began")
    }
    let living = try store.open()
    let list = try LaunchList.read(store.reader())
    #expect(list.map(\.ending?.rawValue) == [nil, "killedInForeground", "clean"])
    #expect(list.map(\.isAlive) == [true, false, false])
    #expect(list.map(\.isAcknowledged) == [false, false, true])
    #expect(list[1].eventCount == 2 && list[1].events.map(\.name) == ["foreground", "capture"])
    #expect(!list[1].evidence.isEmpty && list[0].evidence.isEmpty)
    living.close()
  }

  @Test("what nobody acknowledged is the same before and after recovery, until it is acknowledged")
  func outstanding() throws {
    let store = try KeptStore()
    do {
      let killed = try store.open()
      let id = try killed.startRecording(RecordingSeed())
      try store.capture(killed, id, chunks: 6, indexed: 4)
    }
    let before = try Outstanding.read(store.reader())
    #expect(before.launches.map(\.ending?.rawValue) == ["unknown"])
    #expect(before.recordings.map(\.salvagedChunks) == [2])
    #expect(before.recordings.map(\.indexedChunks) == [4] && before.attention.isEmpty)
    let writer = try store.open()
    let after = try Outstanding.read(store.reader())
    #expect(after.launches.map(\.launch) == before.launches.map(\.launch))
    #expect(after.recordings.map(\.recording) == before.recordings.map(\.recording))
    try writer.acknowledge()
    writer.close()
    #expect(try Outstanding.read(store.reader()).isEmpty)
  }

  @Test("a recording that was lost twice is told once, with both losses, and not when purged")
  func twice() throws {
    let store = try KeptStore()
    var id: RecordingID?
    for (chunks, indexed) in [(6, 4), (3, 0)] {
      let killed = try store.open()
      if let id { try killed.resumeRecording(id) }
      let recording = try id ?? killed.startRecording(RecordingSeed(title: "Twice"))
      id = recording
      try store.capture(killed, recording, chunks: chunks, indexed: indexed)
    }
    let writer = try store.open()
    let found = try writer.database.read { try Outstanding.read($0) }
    let item = try #require(found.recordings.first)
    #expect(found.recordings.count == 1 && found.hasLoss)
    #expect(item.recording == id && item.summary.title == "Twice")
    #expect(item.indexedChunks == 4 && item.salvagedChunks == 5)
    // A chunk's length at the end of each take.
    #expect(item.lostAtMostNanoseconds == 200_000_000)
    writer.close()
    #expect(try Outstanding.read(store.reader()) == found)
    let purging = try store.open()
    _ = try Removal.purge(item.recording, purging)
    #expect(try purging.database.read { try Outstanding.read($0) }.recordings.isEmpty)
    purging.close()
  }
}
