import Foundation
import HoldfastAudio
import HoldfastModel
import HoldfastPlatform
import HoldfastSQLite
import HoldfastStore
import Testing

/// A store in a directory of its own, removed with the object, and the ways to fill it.
final class SoundStore {
  let root: String
  private var launch: StoreWriter?
  let environment = StoreEnvironment.system()

  init() throws {
    root =
      FileManager.default.temporaryDirectory.path + "/holdfast-sound-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
    launch = try open()
  }

  /// The launch that holds the store open.
  var writer: StoreWriter {
    guard let launch else { preconditionFailure("The process has died.") }
    return launch
  }

  deinit { try? FileManager.default.removeItem(atPath: root) }

  var directory: String { root + "/store" }

  /// Another launch on the same store.
  func open() throws -> StoreWriter {
    try StoreOpening.open(directory, StoreOptions(), environment).0
  }

  /// The process dies: nothing is closed in an orderly way. The next opening recovers.
  func die() { launch = nil }

  /// Opens the store as the next process does.
  func reopen() throws -> OpeningReport {
    launch = nil
    let (next, report) = try StoreOpening.open(directory, StoreOptions(), environment)
    launch = next
    return report
  }

  /// Puts a file beside the store.
  func file(_ name: String, _ bytes: [UInt8]) throws -> String {
    let path = "\(root)/\(name)"
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return path
  }

  /// Imports a file as the command does.
  @discardableResult
  func importFile(
    _ path: String, title: String? = nil, externalID: String? = nil, chunkSeconds: Double = 1
  ) throws -> ImportOutcome {
    let file = try ImportFile(path, environment.files)
    defer { file.close() }
    let request = ImportRequest(
      RecordingSeed(title: title, externalID: externalID), chunkSeconds: chunkSeconds)
    return try Importer(writer, file, request).run()
  }

  func summary(_ id: RecordingID) throws -> RecordingSummary {
    try #require(try writer.database.read { try RecordingRows.one(id, $0) })
  }

  func recordings() throws -> [RecordingSummary] {
    var request = RecordingRequest()
    request.includesDeleted = true
    return try writer.database.read { try RecordingRows.list(request, $0) }
  }

  /// Exports one part into memory.
  func export(
    _ id: RecordingID, _ change: (inout ExportOptions) -> Void = { _ in }
  ) throws -> (bytes: [UInt8], report: ExportReport, plan: ExportPlan) {
    var options = ExportOptions()
    change(&options)
    let exporter = Exporter(writer)
    let plan = try exporter.plan(id, options)
    let sink = MemorySink()
    let report = try exporter.write(try #require(plan.parts.first), to: sink)
    return (sink.bytes, report, plan)
  }

  /// The reel files of a recording, in their order.
  func reels(_ id: RecordingID) throws -> [String] {
    try summary(id).takes.flatMap { take in
      let path = "\(directory)/audio/\(take.id)"
      return try environment.files.list(path).map { "\(path)/\($0)" }
    }
  }

  /// Flips bits of a byte in a file.
  func flip(_ path: String, at offset: UInt64) throws {
    let file = try environment.files.open(path, .write)
    defer { file.close() }
    let byte = try file.read(at: offset, count: 1)
    try file.write([byte[0] ^ 0x5A], at: offset)
  }
}

/// Makes recordings take by take.
struct TakeScript {
  var track = "microphone"
  var format = SoundFiles.format(.s16le, 8_000, 1)
  var startSeconds: Double
  var reason = GapReason.stop
  /// Chunks; a number of frames before each that were dropped.
  var chunks: [(dropped: UInt64, bytes: [UInt8])]

  init(at startSeconds: Double, reason: GapReason = .stop, _ chunks: [[UInt8]]) {
    self.startSeconds = startSeconds
    self.reason = reason
    self.chunks = chunks.map { (0, $0) }
  }
}

extension SoundStore {
  /// Makes a stopped recording of takes.
  func record(_ takes: [TakeScript], title: String? = nil) throws -> RecordingID {
    let id = try writer.startRecording(RecordingSeed(title: title))
    for take in takes {
      let (open, journal) = try begin(take, in: id)
      _ = try journal.finish()
      try writer.closeTake(open.take, journal.takeRows(), reason: take.reason)
    }
    try writer.setPhase(.stopped, of: id, reason: .stop)
    return id
  }

  /// Opens a take and writes its chunks; none has a row yet.
  func begin(
    _ take: TakeScript, in id: RecordingID
  ) throws -> (OpenTake, TakeJournal) {
    let open = try writer.openTake(
      of: id, track: take.track, take.format, chunkFrames: 8_000,
      startNanoseconds: Int64(take.startSeconds * 1e9))
    let journal = try writer.makeJournal(open, chunkFrames: 8_000, .process)
    for chunk in take.chunks {
      if chunk.dropped > 0 { journal.skip(chunk.dropped) }
      let frames = UInt32(chunk.bytes.count) / max(take.format.bytesPerFrame, 1)
      journal.offer(chunk: chunk.bytes, frames: frames)
    }
    _ = try journal.write()
    return (open, journal)
  }
}

/// Keeps what an export writes.
final class MemorySink: ExportSink {
  private(set) var bytes: [UInt8] = []
  func write(_ more: [UInt8]) throws(HoldfastError) { bytes += more }
}

/// Files of audio made for tests.
enum SoundFiles {
  /// Interleaved PCM.
  static func format(
    _ encoding: SampleEncoding, _ sampleRate: Double, _ channels: UInt32
  ) -> AudioFormat {
    AudioFormat(
      encoding: encoding, sampleRate: sampleRate, channels: channels,
      bytesPerFrame: (encoding.bytesPerSample ?? 0) * channels)
  }

  /// Different bytes for each seed; long ones repeat with a change, so that no two pieces are
  /// alike.
  static func bytes(_ count: Int, seed: UInt64) -> [UInt8] {
    var random = ReelRandom(seed)
    let block = random.bytes(min(count, 4_096))
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    var index: UInt8 = 0
    while bytes.count < count {
      bytes += block.prefix(count - bytes.count)
      if bytes.count >= 4_096 {
        bytes[bytes.count - 1] = index
        bytes[bytes.count - 2] = UInt8(truncatingIfNeeded: bytes.count >> 12)
        bytes[bytes.count - 3] = UInt8(truncatingIfNeeded: bytes.count >> 20)
      }
      index &+= 1
    }
    return bytes
  }

  static func wav(_ format: AudioFormat, _ data: [UInt8]) throws -> [UInt8] {
    let length = UInt64(data.count)
    return try WAVHeader(format).bytes(dataLength: length) + data + WAVHeader.padding(after: length)
  }

  /// The audio of a WAV file.
  static func audio(_ wav: [UInt8]) throws -> (info: AudioFileInfo, data: [UInt8]) {
    let info = try AudioFile.probe(ArrayByteSource(wav), name: "exported")
    let start = Int(info.dataOffset)
    return (info, Array(wav[start..<start + Int(info.dataLength)]))
  }

  /// An ADTS stream of AAC-LC frames at 44.1 kHz in stereo with bodies of random lengths (ISO/IEC
  /// 13818-7, 6.2).
  static func adts(frames: Int, seed: UInt64) -> [UInt8] {
    var random = ReelRandom(seed)
    var stream: [UInt8] = []
    for _ in 0..<frames {
      // No 0xFF in bodies, so that nothing in them looks like a header.
      let body = random.bytes(50 + Int(random.next() % 350)).map { $0 & 0x7F }
      let length = body.count + 7
      stream += [
        0xFF, 0xF1, 0x50, 0x80 | UInt8(length >> 11), UInt8(length >> 3 & 0xFF),
        UInt8(length & 7) << 5 | 0x1F, 0xFC,
      ]
      stream += body
    }
    return stream
  }

  /// A CAF file of packets of a codec.
  static func caf(_ format: AudioFormat, packets: [[UInt8]]) throws -> [UInt8] {
    var table = CAFPacketTable(for: format)
    for packet in packets {
      table.append(length: UInt32(packet.count), frames: format.framesPerPacket)
    }
    return try CAFHeader(format, table: table).bytes + packets.flatMap { $0 }
  }
}

/// Whether two arrays have the same bytes, or the first so many; fast in debug builds too.
func isSame(_ left: [UInt8], _ right: [UInt8], first count: Int? = nil) -> Bool {
  if count == nil && left.count != right.count { return false }
  let count = count ?? left.count
  guard left.count >= count, right.count >= count else { return false }
  return left.withUnsafeBytes { a in
    right.withUnsafeBytes { b in Data(a.prefix(count)) == Data(b.prefix(count)) }
  }
}
