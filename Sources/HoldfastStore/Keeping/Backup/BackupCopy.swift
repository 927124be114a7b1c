import HoldfastModel
import HoldfastSQLite

/// Copies what a copied database names, and compares the copy with it.
struct BackupCopy {
  /// Where the old files lie.
  let source: StoreLayout
  /// Where the copy lies.
  let target: StoreLayout
  /// Everything from outside.
  let environment: StoreEnvironment
  /// Reads the copied database.
  let reader: StoreReader
  private(set) var report = StoreBackup.Report()
  private var doneBytes: UInt64 = 0
  private var totalBytes: UInt64 = 0

  private var files: any FileSystem { environment.files }

  /// A copy whose database is there, and whose audio is to come.
  init(
    source: StoreLayout, target: StoreLayout, environment: StoreEnvironment, reader: StoreReader
  ) {
    self.source = source
    self.target = target
    self.environment = environment
    self.reader = reader
  }

  /// Copies the audio and compares it.
  mutating func run(_ progress: (ByteProgress) -> Void) throws(HoldfastError) {
    try measure()
    var after = Int64.min
    while true {
      let from = after
      let page = try reader.read { try TakeEntry.page(after: from, limit: 128, $0) }
      for entry in page { try copy(entry, progress) }
      guard let last = page.last else { break }
      after = last.key
    }
    try copyIncoming()
    try copyFound()
    do throws(FileFault) { try files.syncDirectory(target.audio) } catch {
      throw StoreFaults.error(error)
    }
    try compare(progress)
  }

  /// Counts, and refuses at once what cannot fit.
  private mutating func measure() throws(HoldfastError) {
    let (recordings, bytes) = try reader.read { db in
      (
        try db.first("SELECT count(*) FROM recording WHERE purged = 0") { $0.uint64(0) } ?? 0,
        try db.first(
          "SELECT coalesce(sum(bytes + ?1 * chunks), 0) FROM take",
          [.integer(Int64(ChunkHeader.byteCount))]
        ) { $0.uint64(0) } ?? 0
      )
    }
    report.recordings = recordings
    // Once to copy, once to compare.
    totalBytes = bytes * 2
    let free = (try? files.freeBytes(target.directory)) ?? .max
    guard free >= bytes else {
      throw StoreFaults.diskFull(
        cause: "the backup needs \(bytes) bytes, \(free) are free",
        context: ["path": target.directory])
    }
  }

  private mutating func copy(
    _ entry: TakeEntry, _ progress: (ByteProgress) -> Void
  ) throws(HoldfastError) {
    let rows = try reader.read { db in
      var ends: [UInt32: UInt64] = [:]
      for reel in try entry.reels(db) {
        ends[reel.number] = try entry.rows(of: reel, db).last?.record.end
      }
      return ends
    }
    do throws(FileFault) {
      // Listed first: a reel that has a successor by now gets no more bytes.
      let paths = try reels(of: entry.take)
      guard !paths.isEmpty else { return }
      let directory = "\(target.directory)/\(ReelPath.directory(of: entry.take))"
      try StorePlace(target, environment).make(directory)
      for path in paths {
        guard let size = try copy(path) else { continue }
        if entry.isOpen { try cutTail(of: path, after: rows[path.reel]) }
        report.audioBytes += size
        doneBytes += size
        progress(ByteProgress(doneBytes: min(doneBytes, totalBytes / 2), totalBytes: totalBytes))
      }
    } catch { throw StoreFaults.error(error) }
  }

  private func reels(of take: TakeID) throws(FileFault) -> [ReelPath] {
    let parent = ReelPath.directory(of: take)
    guard try files.status("\(source.directory)/\(parent)") != nil else { return [] }
    return try files.list("\(source.directory)/\(parent)").compactMap {
      ReelPath("\(parent)/\($0)")
    }.sorted()
  }

  /// Copies one reel; nil when it was purged meanwhile.
  private func copy(_ path: ReelPath) throws(FileFault) -> UInt64? {
    let to = "\(target.directory)/\(path)"
    do throws(FileFault) {
      try FileCopy.copy("\(source.directory)/\(path)", to: to, files)
    } catch {
      guard error.kind == .missing, try files.status("\(source.directory)/\(path)") == nil else {
        throw error
      }
      try? files.unlink(to)
      return nil
    }
    return try files.status(to)?.size ?? 0
  }

  /// Ends the copy of a reel that grows after its last whole chunk without a hole before it: while
  /// it was copied, a later chunk may have come in whole and an earlier one only in part.
  private func cutTail(of path: ReelPath, after indexed: UInt64?) throws(FileFault) {
    let file = try files.open("\(target.directory)/\(path)", .write)
    defer { file.close() }
    guard let start = indexed ?? (try? ReelHeader.read(from: file))?.byteCount else { return }
    var scan = try ReelScan(
      file: file, owner: path, from: start, hashing: environment.hashing, check: .all)
    var end = start
    while case .chunk(let record) = try scan.next() { end = record.end }
    guard end < scan.size else { return }
    try file.truncate(to: end)
    try file.sync()
  }

  /// Files that a recorder of the app writes and that are not in reels yet.
  private func copyIncoming() throws(HoldfastError) {
    let names = try reader.read { db in
      try db.all("SELECT name FROM incoming WHERE gone_ms IS NULL AND taken_ms IS NULL") {
        $0.text(0)
      }
    }
    do throws(FileFault) {
      for name in names where IncomingFile.isPlain(name) {
        let path = "\(source.directory)/\(name)"
        guard try files.status(path)?.kind == .file else { continue }
        try StorePlace(target, environment).make("\(target.directory)/\(IncomingFile.directory)")
        try FileCopy.copy(path, to: "\(target.directory)/\(name)", files)
      }
    } catch { throw StoreFaults.error(error) }
  }

  /// Reels that no row knows, as they lie (J4): the copy's `verify` and `adopt` find them as the
  /// store's do. Those of purged recordings stay behind, and so does what began to be recorded
  /// since the snapshot.
  private mutating func copyFound() throws(HoldfastError) {
    let living = Set(
      try LaunchDirectory.read(source, environment).filter(\.isAlive).map(\.header.launch))
    let scan = try StoreFaults.mapped(source.audio) {
      try TakeDirectoryScan(directory: source.directory, files: files).run()
    }
    for reel in scan.reels {
      let isOurs = try reader.read { db in
        if try KnownTakes.isKnown(reel.path.take, db) { return true }
        guard let header = reel.header else { return false }
        return try living.contains(header.launch) || KnownTakes.isPurged(header.recording, db)
      }
      if isOurs { continue }
      do throws(FileFault) {
        try StorePlace(target, environment).make(
          "\(target.directory)/\(ReelPath.directory(of: reel.path.take))")
        guard let size = try copy(reel.path) else { continue }
        try compareFound(reel.path)
        report.foundReels += 1
        report.audioBytes += size
      } catch { throw StoreFaults.error(error) }
    }
    try copyFoundIncoming()
  }

  /// A copy of a reel that no row knows has the whole chunks of the reel. One that is none has no
  /// chunk to compare.
  private func compareFound(_ path: ReelPath) throws(FileFault) {
    let (from, to) = ("\(source.directory)/\(path)", "\(target.directory)/\(path)")
    guard let reel = try? LooseReel(from, environment) else { return }
    let copied = try? LooseReel(to, environment)
    guard copied?.records.starts(with: reel.records) == true else {
      throw FileFault(
        kind: .medium, operation: "copy", path: to, errno: 0, reason: "it is not what was written")
    }
  }

  /// Files below `incoming/` that no row knows.
  private mutating func copyFoundIncoming() throws(HoldfastError) {
    let known = try reader.read { db in
      Set(try db.all("SELECT name FROM incoming") { $0.text(0) })
    }
    do throws(FileFault) {
      let directory = "\(source.directory)/\(IncomingFile.directory)"
      guard try files.status(directory)?.kind == .directory else { return }
      for name in try files.list(directory).map({ "\(IncomingFile.directory)/\($0)" })
      where !known.contains(name) {
        let from = "\(source.directory)/\(name)"
        guard let status = try files.status(from), status.kind == .file else { continue }
        try StorePlace(target, environment).make("\(target.directory)/\(IncomingFile.directory)")
        try FileCopy.copy(from, to: "\(target.directory)/\(name)", files)
        report.foundFiles += 1
        report.audioBytes += status.size
      }
    } catch { throw StoreFaults.error(error) }
  }

  /// Compares every chunk of the copy with its row. What differs must be so in the store itself.
  private mutating func compare(_ progress: (ByteProgress) -> Void) throws(HoldfastError) {
    var audit = ChunkAudit(reader)
    let (half, total) = (totalBytes / 2, totalBytes)
    try audit.run { now in
      progress(ByteProgress(doneBytes: min(half + now.doneBytes, total), totalBytes: total))
    }
    report.chunks = audit.result.chunks
    report.damaged = audit.result.damaged
    report.missing = audit.result.missing
    for finding in report.damaged + report.missing where try isWell(finding) {
      throw HoldfastError(
        .medium, "The copy of \(finding.reel) is not what was written.",
        hint: "Check the medium of the target, and try again.",
        context: ["path": "\(target.directory)/\(finding.reel)"])
    }
  }

  /// Whether a chunk that is bad in the copy is well in the store.
  private func isWell(_ finding: ChunkFinding) throws(HoldfastError) -> Bool {
    let row = try reader.read { db in
      try db.first("SELECT key FROM take WHERE id = ?1", [.blob(finding.take.bytes)]) {
        $0.int64(0)
      }
    }
    guard let key = row else { return false }
    let marked = try reader.read { db in
      try TakeEntry.row(key, finding.take, finding.sequence, db)
    }
    guard let record = marked?.record else { return false }
    let check = ReelCheck(
      directory: source.directory, files: files, hashing: environment.hashing)
    let reel = ReelReader(
      directory: source.directory, reel: finding.reel, files: files,
      hashing: environment.hashing)
    return check.examine(record, reel) == nil
  }
}

extension IncomingFile {
  /// Whether a name from a row is one file directly below ``directory``, so that a damaged row
  /// leads nowhere else.
  static func isPlain(_ name: String) -> Bool {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    return parts.count == 2 && parts[0] == directory && !["", ".", ".."].contains(parts[1])
  }
}
