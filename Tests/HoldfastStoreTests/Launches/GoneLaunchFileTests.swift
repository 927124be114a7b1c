import Foundation
import HoldfastModel
import HoldfastSQLite
import HoldfastStore
import HoldfastTesting
import Testing

/// A launch file is not synced when it is made, so a power cut may take it.
@Suite("A launch whose file is gone")
struct GoneLaunchFileTests {
  @Test(
    "was powered off when its row names another boot; else nothing tells its end (L2)",
    arguments: [true, false])
  func gone(isRebooted: Bool) throws {
    let root = FileManager.default.temporaryDirectory.path + "/holdfast-gone-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: root) }
    let clock = ManualClock()
    var environment = StoreEnvironment.system()
    environment.clock = clock
    let writer = try StoreOpening.open(root, StoreOptions(), environment).0
    let recording = try writer.startRecording(RecordingSeed(title: "left"))
    let launch = writer.launch
    writer.launchFile.drop()
    writer.database.close()
    try FileManager.default.removeItem(atPath: writer.layout.launchFile(launch))
    if isRebooted { clock.reboot(2) }

    let again = try StoreOpening.open(root, StoreOptions(), environment).0
    defer { again.close() }
    let found = try again.database.read { db in
      try db.first("SELECT ending, evidence FROM launch WHERE id = ?1", [.blob(launch.bytes)]) {
        ($0.text(0), $0.text(1))
      }
    }
    let (ending, evidence) = try #require(found)
    #expect(ending == (isRebooted ? "poweredOff" : "unknown"))
    #expect(evidence.hasSuffix("its launch file is gone"))
    #expect(evidence.hasPrefix("the machine was started anew since") == isRebooted)
    let summary = try again.database.read { try RecordingRows.one(recording, $0) }
    #expect(summary?.phase.phase == .stopped && summary?.phase.recovered == true)
  }
}
