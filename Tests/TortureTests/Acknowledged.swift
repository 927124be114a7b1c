import Foundation
import Holdfast
import Testing

/// One acknowledgement that `record --acks` printed.
struct Acknowledged: Decodable, Hashable {
  let recording, take, sha256, mark: String
  let seq, firstFrame: UInt64
  let frames: UInt32
}

/// What a recorder process said before it was ended.
struct Heard {
  var recording: String?
  var chunks: [Acknowledged] = []
  var hasStopped = false

  /// Reads whole lines; what follows the last newline was cut by the kill and acknowledged nothing.
  init(_ output: Data) {
    guard let end = output.lastIndex(of: UInt8(ascii: "\n")) else { return }
    for line in output[...end].split(separator: UInt8(ascii: "\n")) {
      guard let event = try? JSONDecoder().decode(Event.self, from: Data(line)) else { continue }
      switch event.event {
      case "started": recording = event.recording
      case "chunk":
        if let chunk = try? JSONDecoder().decode(Acknowledged.self, from: Data(line)) {
          chunks.append(chunk)
        }
      case "stopped": hasStopped = true
      default: break
      }
    }
  }

  private struct Event: Decodable {
    let event: String
    let recording: String?
  }
}

/// Compares a store with what was acknowledged.
enum Custody {
  /// Every acknowledged chunk that the store does not have, whole and with its hash.
  static func missing(_ heard: Heard, in directory: String) throws -> [Acknowledged] {
    // A process that was killed before it made its store has acknowledged nothing.
    if heard.chunks.isEmpty { return [] }
    let reader = try ReaderOpening.open(
      directory, temporary: NSTemporaryDirectory(), .system())
    let there = try reader.read { db in
      var there: Set<Acknowledged> = []
      for summary in try RecordingRows.list(.init(), db) {
        for take in summary.takes {
          try ChunkRows.each(key: take.key, take: take.id, db) { record in
            if isWhole(record, directory) {
              there.insert(acknowledged(record, summary.id, heard))
            }
            return true
          }
        }
      }
      return there
    }
    return heard.chunks.filter { !there.contains($0) }
  }

  private static func isWhole(_ record: ChunkRecord, _ directory: String) -> Bool {
    let reels = ReelReader(
      directory: directory, reel: ReelPath(take: record.take, reel: record.reel),
      files: SystemFiles(), hashing: SystemHashing())
    guard let reading = try? reels.readChunk(record, verify: true) else { return false }
    if case .ok = reading { return true }
    return false
  }

  private static func acknowledged(
    _ record: ChunkRecord, _ recording: RecordingID, _ heard: Heard
  ) -> Acknowledged {
    Acknowledged(
      recording: recording.description, take: record.take.description,
      sha256: record.sha256.description, mark: heard.chunks.first?.mark ?? "",
      seq: record.sequence, firstFrame: record.firstFrame, frames: record.frames)
  }
}
