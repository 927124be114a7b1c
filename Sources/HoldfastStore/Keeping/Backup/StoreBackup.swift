package import HoldfastModel
import HoldfastSQLite

/// Copies a live store so that the copy is whole.
///
/// Invariants:
/// - The database is one snapshot; of the audio, everything that its rows name is there and was
///   compared with its hash after it was copied. A take that is being recorded is an intact prefix:
///   its copy ends after its last whole chunk.
/// - Bytes are copied, never linked: a backup that shares them with the store is none.
/// - Launch files stay behind, so that the copy's first opening closes what was being recorded; it
///   finds itself to be a copy (S7) and goes on under a new origin.
/// - The store is not written to; a recorder goes on meanwhile.
package enum StoreBackup {
  /// What a backup has.
  package struct Report: Hashable, Sendable {
    /// Recordings, those in the trash too.
    package var recordings: UInt64 = 0
    /// Chunks that were compared.
    package var chunks: UInt64 = 0
    /// Reels that no row knows; they were copied as they lie.
    package var foundReels: UInt64 = 0
    /// Files of recorders that no row knows; they were copied as they lie.
    package var foundFiles: UInt64 = 0
    /// Bytes of reels.
    package var audioBytes: UInt64 = 0
    /// Bytes of the database.
    package var databaseBytes: UInt64 = 0
    /// Chunks that are damaged in the store itself, and so in the copy.
    package var damaged: [ChunkFinding] = []
    /// Chunks that are missing in the store itself.
    package var missing: [ChunkFinding] = []
  }

  /// Copies the store in one directory to another, which does not exist or is empty.
  ///
  /// - Parameter progress: called as reels are copied, then as they are compared.
  /// - Throws: `noStore`, `invalidArgument`, `diskFull` (before anything is copied, where that can
  ///   be known), `damaged` when the database cannot be read, `medium` when the copy is not what
  ///   was written. What was made is removed then.
  package static func run(
    from source: String, to target: String, _ environment: StoreEnvironment,
    progress: (ByteProgress) -> Void = { _ in }
  ) throws(HoldfastError) -> Report {
    _ = try StorePlace(StoreLayout(source), environment).find(create: false)
    let directory = try NewDirectory(target, outside: StoreLayout(source), environment)
    do throws(HoldfastError) {
      let connection = try ReaderOpening.connection(
        source, temporary: "\(directory.layout.directory)/\(NewDirectory.scratch)", environment)
      try StoreFaults.mapped(directory.layout.database) {
        // Made by us first, so that it is private, whatever the mode of the store's.
        try environment.files.open(directory.unfinishedDatabase, [.write, .create]).close()
        try connection.backup(to: directory.unfinishedDatabase)
      }
      var copy = BackupCopy(
        source: StoreLayout(source), target: directory.layout, environment: environment,
        reader: try reader(directory, environment))
      try copy.run(progress)
      var report = copy.report
      report.databaseBytes = try StoreFaults.mapped(target) {
        try environment.files.status(directory.unfinishedDatabase)?.size ?? 0
      }
      do throws(FileFault) { try directory.finishDatabase() } catch {
        throw StoreFaults.error(error)
      }
      return report
    } catch {
      directory.discard()
      throw directory.told(error)
    }
  }

  /// Reads the copy's database, to which nobody writes.
  private static func reader(
    _ directory: NewDirectory, _ environment: StoreEnvironment
  ) throws(HoldfastError) -> StoreReader {
    let connection = try StoreFaults.mapped(directory.unfinishedDatabase) {
      try Connection(
        path: directory.unfinishedDatabase, OpenOptions(access: .readOnly, immutable: true))
    }
    return StoreReader(
      layout: directory.layout, environment: environment, report: OpeningReport(), logs: [],
      schemaVersion: Migrator.currentVersion, connection: connection)
  }
}
