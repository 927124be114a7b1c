import HoldfastModel
import HoldfastSQLite

/// Finds files below `audio/` and `incoming/` that nothing in the database accounts for.
///
/// Invariants: audio of purged recordings is not found audio (J4); what a living launch is making
/// is none either. Reels of known takes are ``ChunkAudit``'s.
struct OrphanSearch {
  /// The store, open for reading.
  let reader: StoreReader
  /// Names as they were before the database was read, so that a take which is begun meanwhile is
  /// known by then.
  private let takes: [String]
  private let incoming: [String]

  private var files: any FileSystem { reader.environment.files }
  private var directory: String { reader.layout.directory }

  /// Lists the names of files; the database is read later.
  init(_ reader: StoreReader) throws(HoldfastError) {
    self.reader = reader
    takes = try Self.list(reader.layout.audio, reader.environment.files)
    incoming = try Self.list(
      "\(reader.layout.directory)/\(IncomingFile.directory)", reader.environment.files)
  }

  private static func list(
    _ path: String, _ files: any FileSystem
  ) throws(HoldfastError) -> [String] {
    do throws(FileFault) {
      guard try files.status(path)?.kind == .directory else { return [] }
      return try files.list(path)
    } catch { throw StoreFaults.error(error) }
  }

  /// Everything that is found, by path.
  func run() throws(HoldfastError) -> [Orphan] {
    var found: [Orphan] = []
    for name in takes {
      let path = "\(ReelPath.audioDirectory)/\(name)"
      guard let take = TakeID(name), "\(take)" == name, isDirectory(path) else {
        found.append(orphan(path, .foreign))
        continue
      }
      found += try orphans(below: path, take)
    }
    let expected = try expectedIncoming()
    for name in incoming {
      let path = "\(IncomingFile.directory)/\(name)"
      if !expected.contains(path) { found.append(orphan(path, .incoming)) }
    }
    return found
  }

  private func orphans(below parent: String, _ take: TakeID) throws(HoldfastError) -> [Orphan] {
    let names = ((try? files.list("\(directory)/\(parent)")) ?? []).map { "\(parent)/\($0)" }
    var found = names.filter { ReelPath($0) == nil }.map { orphan($0, .foreign) }
    let known = try reader.read { try KnownTakes.isKnown(take, $0) }
    guard !known else { return found }
    for reel in names.compactMap({ ReelPath($0) }).sorted() {
      if let kind = try kind(of: reel) { found.append(orphan(reel.description, kind)) }
    }
    return found
  }

  /// What a file that is named as a reel is; nil when it is nobody's loss.
  private func kind(of reel: ReelPath) throws(HoldfastError) -> Orphan.Kind? {
    let file = ReelReader(
      directory: directory, reel: reel, files: files, hashing: reader.environment.hashing)
    let header: ReelHeader
    do throws(ReelFault) { header = try file.header() } catch {
      return error.code == .absent ? nil : error.code == .foreign ? .foreign : .take
    }
    if reader.logs.contains(where: { $0.isAlive && $0.header.launch == header.launch }) {
      return nil
    }
    let isPurged = try reader.read { try KnownTakes.isPurged(header.recording, $0) }
    return isPurged ? nil : .take
  }

  private func isDirectory(_ path: String) -> Bool {
    ((try? files.status("\(directory)/\(path)")) ?? nil)?.kind == .directory
  }

  private func orphan(_ path: String, _ kind: Orphan.Kind) -> Orphan {
    let status = (try? files.status("\(directory)/\(path)")) ?? nil
    return Orphan(
      path: path, kind: kind, bytes: status?.kind == .file ? status?.size ?? 0 : 0)
  }

  /// Files that a recorder writes, or that the next opening takes in.
  private func expectedIncoming() throws(HoldfastError) -> Set<String> {
    try reader.read { db in
      Set(try db.all("SELECT name FROM incoming WHERE gone_ms IS NULL") { $0.text(0) })
    }
  }
}

/// What the database says of takes that stand in files.
enum KnownTakes {
  /// Whether a row or the intent of a purge speaks of the take.
  static func isKnown(_ take: TakeID, _ db: borrowing Connection) throws -> Bool {
    try db.first(
      """
      SELECT 1 FROM take WHERE id = ?1 UNION ALL SELECT 1 FROM intent WHERE take = ?1 LIMIT 1
      """, [.blob(take.bytes)]
    ) { $0.int64(0) } != nil
  }

  /// Whether the recording was purged.
  static func isPurged(_ recording: RecordingID, _ db: borrowing Connection) throws -> Bool {
    try db.first(
      """
      SELECT 1 FROM recording WHERE id = ?1 AND purged = 1 UNION ALL
      SELECT 1 FROM change WHERE recording = ?1 AND kind = 'purge' LIMIT 1
      """, [.blob(recording.bytes)]
    ) { $0.int64(0) } != nil
  }
}
