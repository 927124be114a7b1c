import CHoldfastBench
import Foundation
import Holdfast
import HoldfastPlatform
import HoldfastSQLite

/// From the start of an open to the last chunk readable, after a death without a word.
enum OpenBench {
  static func run(_ settings: Settings) async throws -> [Measured] {
    var small: [Double] = []
    var large: [Double] = []
    var floors: [Double] = []
    let rows: Int64 = settings.quick ? 100_000 : 1_000_000
    for _ in 0..<settings.runs {
      let empty = try milliseconds(rows: 0)
      small.append(empty.ours)
      floors.append(empty.ours / empty.floor)
      large.append(try milliseconds(rows: rows).ours / empty.ours)
    }
    return [
      Measured(
        "open to last chunk readable, 4 MB of log and 8 MB of reel", small, atMost: 10, unit: "ms"),
      Measured("the same over SQLite's open and one row", floors, unit: "× (no mark)"),
      Measured("the same with \(rows) chunk rows", large, atMost: 1.5, unit: "× an empty store"),
    ]
  }

  private static func milliseconds(rows: Int64) throws -> (ours: Double, floor: Double) {
    let pad = try Scratchpad()
    let directory = pad.path("store")
    let environment = StoreEnvironment.system()
    let (writer, _) = try StoreOpening.open(directory, StoreOptions(), environment)
    if rows > 0 { try fill(writer, rows: rows) }
    let last = try leave(writer)
    // The launch file's lock goes as it would with the process.
    writer.launchFile.drop()
    writer.database.close()
    let floor = try floor(pad, directory)
    let start = ContinuousClock.now
    let (reopened, report) = try StoreOpening.open(directory, StoreOptions(), environment)
    let reel = ReelPath(take: last.take, reel: last.reel)
    let reader = ReelReader(
      directory: directory, reel: reel, files: SystemFiles(), hashing: SystemHashing())
    let reading = try reader.readChunk(last, verify: true)
    let elapsed = (ContinuousClock.now - start).seconds * 1000
    guard case .ok = reading, report.recovered.count == 1 else {
      throw BenchFailure("the recovery did not find the last chunk")
    }
    reopened.close()
    return (elapsed, floor)
  }

  /// The same database with its log, opened by SQLite alone: milliseconds.
  static func floor(_ pad: Scratchpad, _ directory: String) throws -> Double {
    for name in ["", "-wal"] {
      try? FileManager.default.removeItem(atPath: pad.path("floor.sqlite\(name)"))
      try FileManager.default.copyItem(
        atPath: "\(directory)/store.sqlite\(name)", toPath: pad.path("floor.sqlite\(name)"))
    }
    let nanoseconds = unsafe hf_floor_open(pad.path("floor.sqlite"))
    guard nanoseconds > 0 else { throw BenchFailure("SQLite did not open the copy") }
    return Double(nanoseconds) / 1e6
  }

  /// Other takes' rows: the size of a store that was used for years.
  static func fill(_ writer: StoreWriter, rows: Int64) throws(HoldfastError) {
    _ = try writer.database.commit(.repeatable) { db in
      try db.run(
        """
        WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?1)
        INSERT INTO chunk (take_key, sequence, reel, position, bytes, first_frame, frames, sha256)
        SELECT 1000000 + i / 3600, i % 3600, i % 3600 / 250, i % 250 * 32864, 32768,
          i % 3600 * 16000, 16000, randomblob(32) FROM n
        """, [.integer(rows)])
    }
    try writer.database.checkpoint(truncate: true)
  }

  /// A take with a reel of 8 MB without rows, and 4 MB in the write-ahead log, as they are after
  /// minutes of recording: the system has written back what SQLite did not sync.
  private static func leave(_ writer: StoreWriter) throws -> ChunkRecord {
    let id = try writer.startRecording(RecordingSeed(title: "left"))
    let format = try Ours.format(secondBytes: 32 * 1024)
    let take = try writer.openTake(of: id, track: "microphone", format, chunkFrames: 16_384)
    let journal = try writer.makeJournal(take, chunkFrames: 16_384, .power)
    let bytes = Floor.bytes(32 * 1024)
    for _ in 0..<250 { journal.offer(bytes) }
    let written = try journal.write()
    while !writer.database.checkpointIsDue {
      _ = try writer.database.commit(.repeatable) { db in
        try db.run(
          "INSERT OR REPLACE INTO setting (name, value) VALUES ('bench', zeroblob(200000))", [])
      }
    }
    let log = try SystemFiles().open("\(writer.layout.directory)/store.sqlite-wal", .write)
    defer { log.close() }
    try log.sync()
    guard let last = written.last else { throw BenchFailure("nothing was written") }
    return last
  }
}
