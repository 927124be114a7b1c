import Foundation
import HoldfastModel
import HoldfastPlatform
import HoldfastSQLite
import HoldfastStore
import Testing

/// A store on the real disk, in a directory of its own that is removed afterwards.
final class KeptStore {
  let root: String
  let environment: StoreEnvironment
  var directory: String { root + "/store" }
  var temporary: String { root + "/tmp" }
  var layout: StoreLayout { StoreLayout(directory) }

  /// One channel of 16-bit samples at 8 kHz.
  static let format = AudioFormat(
    encoding: .s16le, sampleRate: 8_000, channels: 1, bytesPerFrame: 2)
  static let options: StoreOptions = {
    var options = StoreOptions()
    options.reserveBytes = 0
    return options
  }()

  init(_ environment: StoreEnvironment = .system()) throws {
    root = NSTemporaryDirectory() + "holdfast-keeping-" + UUID().uuidString
    self.environment = environment
    try FileManager.default.createDirectory(
      atPath: root + "/tmp", withIntermediateDirectories: true)
  }

  /// A store, open, with a recording of three chunks.
  static func recorded() throws -> (kept: KeptStore, writer: StoreWriter, recording: RecordingID) {
    let kept = try KeptStore()
    let writer = try kept.open()
    return (kept, writer, try kept.record(writer, chunks: 3).recording)
  }

  deinit { try? FileManager.default.removeItem(atPath: root) }

  /// A launch that opens the store. Letting it go without `close()` is its death.
  func open(_ directory: String? = nil) throws -> StoreWriter {
    try StoreOpening.open(directory ?? self.directory, Self.options, environment).0
  }

  func reader(_ directory: String? = nil) throws -> StoreReader {
    try ReaderOpening.open(directory ?? self.directory, temporary: temporary, environment)
  }

  func verify(_ directory: String? = nil) throws -> VerifyResult {
    try StoreVerification.run(directory ?? self.directory, temporary: temporary, environment)
  }

  /// A payload that its number tells.
  static func payload(_ seed: Int, bytes: Int = 1_600) -> [UInt8] {
    var random = ReelRandom(UInt64(seed))
    let piece = random.bytes(min(bytes, 1_600))
    var payload: [UInt8] = []
    while payload.count < bytes { payload += piece.prefix(bytes - payload.count) }
    return payload
  }

  /// Records a take of whole chunks and leaves it open.
  ///
  /// - Parameter indexed: chunks that get a row; the rest stays in the reel alone.
  @discardableResult
  func capture(
    _ writer: StoreWriter, _ recording: RecordingID, chunks: Int, track: String = "mic",
    chunkBytes: Int = 1_600, indexed: Int? = nil
  ) throws -> TakeID {
    let frames = UInt64(chunkBytes / 2)
    let take = try writer.openTake(
      of: recording, track: track, Self.format, chunkFrames: frames)
    let journal = try writer.makeJournal(take, chunkFrames: frames, .process)
    for chunk in 0..<chunks {
      journal.offer(Self.payload(chunk, bytes: chunkBytes))
      _ = try journal.write()
    }
    _ = try journal.finish()
    let rows = journal.takeRows()
    try writer.index(Array(rows.prefix(indexed ?? rows.count)), of: take.take)
    return take.take
  }

  /// Records and stops a recording of one take.
  @discardableResult
  func record(
    _ writer: StoreWriter, title: String = "Stand-up", chunks: Int = 12, chunkBytes: Int = 1_600
  ) throws -> (recording: RecordingID, take: TakeID) {
    let id = try writer.startRecording(
      RecordingSeed(title: title, attributes: ["event": .text("E-42")], externalID: "ext-7"))
    let take = try capture(writer, id, chunks: chunks, chunkBytes: chunkBytes)
    try writer.closeTake(take, [], reason: .stop)
    try writer.setPhase(.stopped, of: id, reason: .stop)
    return (id, take)
  }

  /// A closed store with recordings.
  @discardableResult
  func filled(
    _ count: Int = 1, chunks: Int = 12, chunkBytes: Int = 1_600
  ) throws -> [(recording: RecordingID, take: TakeID)] {
    let writer = try open()
    let made = try (0..<count).map {
      try record(writer, title: "Meeting \($0)", chunks: chunks, chunkBytes: chunkBytes)
    }
    writer.close()
    return made
  }

  func reel(_ take: TakeID, _ number: UInt32 = 0) -> String {
    "\(directory)/\(ReelPath(take: take, reel: number))"
  }

  /// The rows of a take, by sequence.
  func rows(of take: TakeID, _ directory: String? = nil) throws -> [ChunkRecord] {
    var rows: [ChunkRecord] = []
    try reader(directory).read { db in
      let key = try db.first("SELECT key FROM take WHERE id = ?1", [.blob(take.bytes)]) {
        $0.int64(0)
      }
      try ChunkRows.each(key: key ?? -1, take: take, db) {
        rows.append($0)
        return true
      }
    }
    return rows
  }

  /// Changes the database behind the store's back.
  func tamper(_ sql: String) throws {
    let connection = try Connection(path: layout.database)
    try connection.execute(sql)
  }
}

extension KeptStore {
  /// Changes one letter in the text by which the database names a column.
  func flipName(_ name: String) throws {
    let bytes = Data(try Disk.bytes(layout.database))
    let place = try #require(bytes.range(of: Data(("  " + name).utf8))).lowerBound + 2
    try Disk.flip(layout.database, at: UInt64(place))
  }
}

/// Bytes of real files.
enum Disk {
  static func bytes(_ path: String) throws -> [UInt8] {
    try Array(Data(contentsOf: URL(fileURLWithPath: path)))
  }

  static func write(_ bytes: [UInt8], _ path: String) throws {
    try FileManager.default.createDirectory(
      atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }

  static func remove(_ path: String) throws { try FileManager.default.removeItem(atPath: path) }

  static func copy(_ from: String, _ to: String) throws {
    try FileManager.default.copyItem(atPath: from, toPath: to)
  }

  static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

  /// Changes one bit in place.
  static func flip(_ path: String, at offset: UInt64, bit: UInt8 = 0) throws {
    let file = try #require(FileHandle(forUpdatingAtPath: path))
    defer { try? file.close() }
    try file.seek(toOffset: offset)
    let byte = try #require(try file.read(upToCount: 1)?.first)
    try file.seek(toOffset: offset)
    try file.write(contentsOf: [byte ^ (1 << bit)])
  }

  static func cut(_ path: String, to size: UInt64) throws {
    let file = try #require(FileHandle(forUpdatingAtPath: path))
    defer { try? file.close() }
    try file.truncate(atOffset: size)
  }

  /// All files below a directory with their bytes.
  static func tree(_ path: String) throws -> [String: [UInt8]] {
    var found: [String: [UInt8]] = [:]
    for case let name as String in FileManager.default.enumerator(atPath: path) ?? .init() {
      var isDirectory: ObjCBool = false
      _ = FileManager.default.fileExists(atPath: "\(path)/\(name)", isDirectory: &isDirectory)
      if !isDirectory.boolValue { found[name] = try bytes("\(path)/\(name)") }
    }
    return found
  }
}
