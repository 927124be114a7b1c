import Foundation
import Holdfast
import HoldfastPlatform
import HoldfastTesting

/// Exact counts from the seams: syncs and bytes a chunk, database and write-ahead log included.
enum CountBench {
  static func run(_ settings: Settings) async throws -> [Measured] {
    let full = try await counts(chunks: settings.quick ? 200 : 1000, paced: false)
    let paced = try await counts(chunks: settings.quick ? 60 : 300, paced: true)
    return [
      Measured("syncs a 32 KB chunk, full speed", [full.syncs], atMost: 1.05, unit: "per chunk"),
      Measured("bytes over payload, full speed", [full.bytes], atMost: 1.15, unit: "×"),
      Measured("syncs a 32 KB chunk, one by one", [paced.syncs], atMost: 1.05, unit: "per chunk"),
      Measured("bytes over payload, one by one", [paced.bytes], atMost: 1.15, unit: "×"),
    ]
  }

  /// - Parameter paced: one chunk in flight with the clock moved a second for each, as at a second
  ///   a chunk: rows then follow by time as well.
  private static func counts(
    chunks: Int, paced: Bool
  ) async throws -> (syncs: Double, bytes: Double) {
    let pad = try Scratchpad()
    let size = 32 * 1024
    let log = DiskLog(root: pad.root.path, keepsEntries: false)
    let vfs = try RecordingVFS(log: log)
    var environment = StoreEnvironment.system()
    environment.files = RecordingFiles(environment.files, log: log)
    environment.vfs = vfs.name
    let clock = ManualClock(wallMilliseconds: Int64(Date().timeIntervalSince1970 * 1000))
    if paced { environment.clock = clock }
    let store = try await Ours.store(pad, environment)
    let session = try await store.startRecording()
    let format = try Ours.format(secondBytes: size)
    let take = try await session.beginTake("microphone", input: format, stored: format)
    let acknowledged = WakeSignal()
    take.observe(acknowledged: { _, _ in acknowledged.signal() }, fault: { _ in })
    let bytes = Floor.bytes(size)
    let before = log.counters()
    await Ours.onThread {
      for _ in 0..<chunks {
        _ = take.appendWaiting(bytes)
        guard paced else { continue }
        _ = acknowledged.wait(timeoutNanoseconds: 10_000_000_000)
        clock.advance(seconds: 1)
      }
    }
    try await session.stop()
    let used = log.counters() - before
    await store.close()
    return (
      Double(used.syncs + used.directorySyncs) / Double(chunks),
      Double(used.bytesWritten) / Double(chunks * size)
    )
  }
}
