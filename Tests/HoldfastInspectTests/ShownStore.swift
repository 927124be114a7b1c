import Foundation
import HoldfastModel
import HoldfastStore

/// A store on the real disk whose recordings have takes at given times.
final class ShownStore {
  let root: String
  let environment = StoreEnvironment.system()
  var directory: String { root + "/store" }

  init() throws {
    root = NSTemporaryDirectory() + "holdfast-inspect-" + UUID().uuidString
    try FileManager.default.createDirectory(
      atPath: root + "/tmp", withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: root) }

  func open() throws -> StoreWriter {
    var options = StoreOptions()
    options.reserveBytes = 0
    return try StoreOpening.open(directory, options, environment).0
  }

  func reader() throws -> StoreReader {
    try ReaderOpening.open(directory, temporary: root + "/tmp", environment)
  }

  /// 8-bit samples at 100 Hz: a byte is a hundredth of a second.
  static let format = AudioFormat(
    encoding: .u8, sampleRate: 100, channels: 1, bytesPerFrame: 1)

  /// Records a take.
  ///
  /// - Parameters:
  ///   - second: where it begins in recording time.
  ///   - pieces: lengths in seconds, and how many seconds were dropped before each.
  ///   - reason: why it was closed; nil leaves it open.
  func take(
    _ writer: StoreWriter, _ recording: RecordingID, track: String = "mic", at second: Int64,
    _ pieces: [(seconds: Int, droppedBefore: UInt64)], reason: GapReason?, lostSeconds: Int64 = 0
  ) throws {
    let take = try writer.openTake(
      of: recording, track: track, Self.format, chunkFrames: 100,
      startNanoseconds: second * 1_000_000_000)
    let journal = try writer.makeJournal(take, chunkFrames: 100, .process)
    for piece in pieces {
      journal.offer(
        [UInt8](repeating: 9, count: piece.seconds * 100), dropped: piece.droppedBefore * 100)
    }
    _ = try journal.finish()
    guard let reason else { return try writer.index(journal.takeRows(), of: take.take) }
    try writer.closeTake(
      take.take, journal.takeRows(), reason: reason,
      lostNanoseconds: lostSeconds * 1_000_000_000)
  }
}
