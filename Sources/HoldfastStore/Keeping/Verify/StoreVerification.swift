package import HoldfastModel
import HoldfastSQLite

/// Verifies a store: every chunk's hash, every row against its frame, every reel's header, the
/// database, and files that nothing accounts for.
///
/// Invariant: nothing is written, and a recorder at work is no damage. What is damaged beyond
/// reading is a finding, not an error.
package enum StoreVerification {
  /// Verifies the store in a directory, whatever state it is in.
  ///
  /// - Parameters:
  ///   - temporary: where a private copy of the database may be made.
  ///   - progress: called on this thread as reels are done.
  /// - Throws: `noStore`; `protectedDataUnavailable` when it cannot be opened now; `locked`.
  package static func run(
    _ directory: String, temporary: String, _ environment: StoreEnvironment,
    progress: (ByteProgress) -> Void = { _ in }
  ) throws(HoldfastError) -> VerifyResult {
    do throws(HoldfastError) {
      let reader = try ReaderOpening.open(directory, temporary: temporary, environment)
      return try whole(reader, progress)
    } catch {
      guard error.isDamage else { throw error }
      return try reelsAlone(StoreLayout(directory).directory, environment, error)
    }
  }

  /// Verifies a store that is open for reading.
  package static func run(
    _ reader: StoreReader, progress: (ByteProgress) -> Void = { _ in }
  ) throws(HoldfastError) -> VerifyResult {
    do throws(HoldfastError) { return try whole(reader, progress) } catch {
      guard error.isDamage else { throw error }
      return try reelsAlone(reader.layout.directory, reader.environment, error)
    }
  }

  private static func whole(
    _ reader: StoreReader, _ progress: (ByteProgress) -> Void
  ) throws(HoldfastError) -> VerifyResult {
    // Names of files first, rows after them: what is begun meanwhile is known by then.
    let orphans = try OrphanSearch(reader)
    var audit = ChunkAudit(reader)
    try audit.run(progress)
    var result = audit.result
    if reader.schemaVersion == 0, StorePlace(reader.layout, reader.environment).hasReels {
      result.database.append(
        .init(.absent, "The database is gone; the next opening rebuilds it from the reels."))
    }
    result.database += try DatabaseAudit(reader: reader).run()
    result.orphans = (result.orphans + (try orphans.run())).sorted { $0.path < $1.path }
    return result
  }

  /// What can be said when the database cannot be read at all: whole chunks by their own headers.
  private static func reelsAlone(
    _ directory: String, _ environment: StoreEnvironment, _ error: HoldfastError
  ) throws(HoldfastError) -> VerifyResult {
    var result = VerifyResult()
    result.database = [.init(.unreadable, error.message)]
    let scan = TakeDirectoryScan(directory: directory, files: environment.files)
    let visit = ReelVisit(files: environment.files, hashing: environment.hashing)
    let found = try StoreFaults.mapped(directory) { try scan.run() }
    for reel in found.reels {
      let scanned = visit.scan(directory: directory, path: reel.path, from: nil) { record in
        result.bytes += UInt64(record.length)
      }
      result.chunks += scanned.chunks
      result.ok += scanned.chunks
      if let fault = reel.fault {
        result.headers.append(HeaderFinding(reel: reel.path, message: fault.message))
      } else if reel.mendedHeader != nil {
        result.headers.append(
          HeaderFinding(reel: reel.path, message: "One bit of the reel's header is flipped."))
      }
    }
    result.orphans = found.unreadable.map { Orphan(path: $0.path, kind: .foreign, bytes: 0) }
    return result
  }
}

extension HoldfastError {
  /// Whether a read of the database failed by what is in it. A query that SQLite refuses outright
  /// (no such column …) met tables whose names are damaged.
  var isDamage: Bool { code == .damaged || code == .failed }
}
