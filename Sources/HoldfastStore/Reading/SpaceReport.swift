package import HoldfastModel
import HoldfastSQLite

/// What a store takes of its disk, and what is left.
package struct SpaceReport: Hashable, Sendable {
  /// One recording's audio.
  package struct Recording: Hashable, Sendable {
    /// The recording.
    package var id: RecordingID
    /// Its title, as the user gave it.
    package var title: String
    /// Whether it lies in the trash.
    package var isDeleted: Bool
    /// Bytes of its reels.
    package var audioBytes: UInt64
  }

  /// The largest first.
  package var recordings: [Recording] = []
  /// Bytes of all reels that the database knows.
  package var audioBytes: UInt64 = 0
  /// Bytes below `audio/` of which it knows nothing.
  package var orphanBytes: UInt64 = 0
  /// Bytes of payload that were let go on purpose.
  package var freedBytes: UInt64 = 0
  /// Bytes of the database.
  package var databaseBytes: UInt64 = 0
  /// The database's write-ahead log and its index.
  package var logBytes: UInt64 = 0
  /// Bytes of launch files.
  package var launchesBytes: UInt64 = 0
  /// Copies that were kept when commits were lost.
  package var evidenceBytes: UInt64 = 0
  /// Files of an app's recorder that are not in reels yet.
  package var incomingBytes: UInt64 = 0
  /// Room kept for a full disk.
  package var reserveBytes: UInt64 = 0
  /// What may still be written on the file system.
  package var freeBytes: UInt64 = 0
  /// What a second of recording takes in the newest take's format, headers counted; nil before the
  /// first take, or when its codec tells nothing.
  package var bytesPerSecond: Double?

  /// Why audio could not be measured: its bytes are not counted. Nil when all could.
  package var unreadable: String?

  /// Bytes of the store in all.
  package var totalBytes: UInt64 {
    audioBytes + orphanBytes + databaseBytes + logBytes + launchesBytes + evidenceBytes
      + incomingBytes + reserveBytes
  }

  /// Seconds of recording that fit into what is free.
  package var secondsLeft: Double? { bytesPerSecond.map { Double(freeBytes) / $0 } }

  /// Nothing yet.
  package init() {}

  /// Measures a store.
  package static func read(_ reader: StoreReader) throws(HoldfastError) -> SpaceReport {
    var report = SpaceReport()
    let layout = reader.layout
    let size = DirectorySize(files: reader.environment.files)
    report.databaseBytes = size.bytes(layout.database)
    report.logBytes = size.bytes(layout.writeAheadLog) + size.bytes(layout.sharedMemory)
    report.launchesBytes = size.bytes(layout.launches)
    report.evidenceBytes = size.bytes(layout.evidence)
    report.incomingBytes = size.bytes("\(layout.directory)/\(IncomingFile.directory)")
    report.reserveBytes = size.bytes(layout.reserve) + size.bytes(layout.lastReserve)
    do throws(FileFault) {
      report.freeBytes = try reader.environment.files.freeBytes(layout.directory)
    } catch { throw StoreFaults.error(error) }
    try report.measureAudio(reader, size)
    report.bytesPerSecond = try reader.read { try rate($0) }
    return report
  }

  private mutating func measureAudio(
    _ reader: StoreReader, _ size: DirectorySize
  ) throws(HoldfastError) {
    var owners: [TakeID: RecordingID] = [:]
    var found: [RecordingID: Recording] = [:]
    (owners, found, freedBytes) = try reader.read { db in
      let owners = try db.all("SELECT id, recording FROM take") {
        (TakeID($0.blob(0)), RecordingID($0.blob(1)))
      }
      let rows = try db.all("SELECT id, title, deleted FROM recording WHERE purged = 0") { row in
        RecordingID(row.blob(0)).map {
          Recording(id: $0, title: row.text(1), isDeleted: row.bool(2), audioBytes: 0)
        }
      }
      return (
        owners.reduce(into: [:]) { map, pair in
          if let take = pair.0 { map[take] = pair.1 }
        },
        rows.compactMap(\.self).reduce(into: [:]) { $0[$1.id] = $1 },
        try Self.freed(db)
      )
    }
    for name in names(in: reader.layout.audio, size.files) {
      let path = "\(reader.layout.audio)/\(name)"
      if TakeID(name) != nil { _ = names(in: path, size.files) }
      let bytes = size.bytes(path)
      guard let recording = TakeID(name).flatMap({ owners[$0] }) else {
        orphanBytes += bytes
        continue
      }
      audioBytes += bytes
      found[recording]?.audioBytes += bytes
    }
    recordings = found.values.sorted { ($1.audioBytes, $0.id) < ($0.audioBytes, $1.id) }
  }

  /// The names in a directory of audio; notes when it cannot be listed though it is there.
  private mutating func names(in path: String, _ files: any FileSystem) -> [String] {
    do throws(FileFault) { return try files.list(path) } catch {
      if error.kind != .missing, error.kind != .wrongType {
        unreadable = unreadable ?? error.description
      }
      return []
    }
  }

  private static func freed(_ db: borrowing Connection) throws -> UInt64 {
    try db.first(
      """
      SELECT coalesce(sum(c.bytes), 0) FROM reel r
      JOIN chunk c ON c.take_key = r.take_key AND c.reel = r.number WHERE r.state = 'freed'
      """
    ) { $0.uint64(0) } ?? 0
  }

  /// Bytes a second of the newest take: of plain PCM by its format, else as measured.
  private static func rate(_ db: borrowing Connection) throws -> Double? {
    let take = try db.first(
      """
      SELECT sample_rate, frame_bytes, chunks, frames, bytes, chunk_frames FROM take
      ORDER BY opened_ms DESC, key DESC LIMIT 1
      """
    ) { row in
      (
        rate: row.double(0), frameBytes: row.double(1), chunks: row.double(2),
        frames: row.double(3), bytes: row.double(4), chunkFrames: row.double(5)
      )
    }
    guard let take, take.rate > 0 else { return nil }
    let headers =
      take.chunkFrames > 0
      ? Double(ChunkHeader.byteCount) * take.rate / take.chunkFrames : 0
    if take.frameBytes > 0 { return take.rate * take.frameBytes + headers }
    guard take.frames > 0 else { return nil }
    return take.bytes * take.rate / take.frames + headers
  }
}

/// Bytes of files and of directories with what is in them. What vanishes meanwhile counts nothing.
struct DirectorySize {
  /// Where files are.
  let files: any FileSystem
  /// A store has two levels; deeper ones are not ours.
  private static let deepest: UInt32 = 4

  /// The names in a directory; none when it cannot be listed.
  func names(_ path: String) -> [String] { (try? files.list(path)) ?? [] }

  /// Bytes of a file, or of all files below a directory.
  func bytes(_ path: String) -> UInt64 { bytes(path, depth: 0) }

  private func bytes(_ path: String, depth: UInt32) -> UInt64 {
    guard let status = (try? files.status(path)) ?? nil else { return 0 }
    guard status.kind == .directory else { return status.kind == .file ? status.size : 0 }
    guard depth < Self.deepest else { return 0 }
    return names(path).reduce(0) { $0 + bytes("\(path)/\($1)", depth: depth + 1) }
  }
}
