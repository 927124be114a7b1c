package import HoldfastModel
import HoldfastSQLite

/// Makes a new store from what can be read of an old one.
///
/// Invariants:
/// - The old store is not written to: its database is looked at in a private copy, its reels are
///   linked (nobody ever writes to a reel again once its launch is dead) or copied.
/// - What the database has is taken verbatim, changes with their chains; what it lost is made again
///   from the reels as far as they tell. Nothing that can be read is left behind, but the audio of
///   purged recordings.
/// - The new store writes on an origin of its own from its first change on (S7).
package enum StoreRebuild {
  /// How much of the database could be read.
  package struct Source: RawRepresentable, Hashable, Sendable {
    /// The stable text.
    package let rawValue: String
    /// A value by its text.
    package init(rawValue: String) { self.rawValue = rawValue }

    /// All of it.
    package static let whole = Source(rawValue: "whole")
    /// Parts were lost.
    package static let partly = Source(rawValue: "partly")
    /// Nothing: titles, attributes and edits are gone.
    package static let none = Source(rawValue: "none")
  }

  /// What was made, and what was lost.
  package struct Report: Hashable, Sendable {
    /// How much of the database could be read.
    package var database = Source.none
    /// Tables of which rows could not be read, by name.
    package var damagedTables: [String] = []
    /// Commits that launches noted and the database had not.
    package var commitsLost: UInt64 = 0
    /// Changes that are gone: titles, attributes, states.
    package var changesLost: UInt64 = 0
    /// Changes after a lost one, made again under the new origin.
    package var changesIssuedAgain: UInt64 = 0
    /// Recordings in the new store.
    package var recordings: UInt64 = 0
    /// Recordings made again, or made longer, from reels that the database did not know.
    package var foundRecordings: UInt64 = 0
    /// Chunks that are there and whole.
    package var chunksKept: UInt64 = 0
    /// Chunks that are damaged or missing, with the reason.
    package var chunksLost: [ChunkFinding] = []
    /// Bytes of reels that both stores share by a link.
    package var linkedBytes: UInt64 = 0
    /// Bytes of reels that were copied, where links are not possible.
    package var copiedBytes: UInt64 = 0
    /// Reels whose header had one flipped bit and was written anew.
    package var mendedHeaders: UInt64 = 0
    /// Chunks whose header was damaged, their payload whole, and was written anew.
    package var mendedFrames: UInt64 = 0
    /// Reels whose header cannot be read. Their chunks are there all the same where rows or another
    /// reel of their take tell of them.
    package var damagedHeaders: [HeaderFinding] = []
    /// Reels of which nothing tells but their frames: their chunks cannot be used.
    package var unusableReels: [DamagedReel] = []
    /// Files below the old `audio/` that are none of ours and were left there.
    package var leftBehind: [String] = []

    /// Whether audio or facts were lost, or stand where no row can name them.
    package var hasLoss: Bool {
      database != .whole || !damagedTables.isEmpty || changesLost + commitsLost > 0
        || !chunksLost.isEmpty || !damagedHeaders.isEmpty || !unusableReels.isEmpty
    }

    /// Nothing yet.
    package init() {}
  }

  /// Rebuilds the store in one directory into another, which does not exist or is empty.
  ///
  /// - Parameter progress: called as chunks are compared with their frames.
  /// - Throws: `noStore`; `locked` while a process has the old store open; `newerSchema`;
  ///   `invalidArgument` for a target that is not empty; `protectedDataUnavailable` when the old
  ///   files may not be read now; `diskFull`. What was made is removed then.
  package static func run(
    from old: String, to new: String, _ options: StoreOptions, _ environment: StoreEnvironment,
    progress: (ByteProgress) -> Void = { _ in }
  ) throws(HoldfastError) -> Report {
    let source = StoreLayout(old)
    _ = try StorePlace(source, environment).find(create: false)
    let logs = try deadLogs(source, environment)
    let target = try NewDirectory(new, outside: source, environment)
    do throws(HoldfastError) {
      var report = Report()
      try gather(source, target, logs, environment, &report)
      let (writer, opened) = try StoreOpening.open(new, options, environment)
      defer { writer.close() }
      report.foundRecordings = report.database == .none ? UInt64(opened.recovered.count) : 0
      try RebuiltAudio(writer: writer).settle(&report, progress)
      return report
    } catch {
      target.discard()
      throw target.told(error)
    }
  }

  /// The old launches' files; all must be dead.
  private static func deadLogs(
    _ source: StoreLayout, _ environment: StoreEnvironment
  ) throws(HoldfastError) -> [LaunchLog] {
    let logs = try LaunchDirectory.read(source, environment)
    guard let living = logs.first(where: \.isAlive) else { return logs }
    throw HoldfastError(
      .locked,
      "The store is open in process \(living.header.process) (\(living.header.program)).",
      hint: "End that process, then rebuild: the new store shares files with the old one.",
      isRetryable: true, context: ["path": source.directory])
  }

  /// Brings database, reels and launch files over, while nobody can write to the old store.
  private static func gather(
    _ source: StoreLayout, _ target: NewDirectory, _ logs: [LaunchLog],
    _ environment: StoreEnvironment, _ report: inout Report
  ) throws(HoldfastError) {
    let lock = try OldStoreLock(source, environment)
    defer { lock.release() }
    let scan = try StoreFaults.mapped(source.directory) {
      try TakeDirectoryScan(directory: source.directory, files: environment.files).run()
    }
    // A reel that cannot be opened now is no loss, and would be one if it were left out (J6).
    try StorePlace.check(scan)
    let rescue = DatabaseRescue(old: source, target: target, environment: environment)
    (report.database, report.damagedTables) = try rescue.run()
    if report.database != .none {
      let mending = DatabaseMending(
        target: target, environment: environment, headers: scan.reels.compactMap(\.header),
        logs: logs)
      try mending.run(&report)
    }
    let transfer = ReelTransfer(source: source, target: target, environment: environment)
    try transfer.run(scan, &report)
    do throws(FileFault) { try target.finishDatabase() } catch { throw StoreFaults.error(error) }
  }
}

/// Keeps writers and checkpoints of other processes out while an old store is read as files (J7),
/// without writing to its lock's file.
struct OldStoreLock {
  private let file: (any OpenFile)?

  /// - Throws: `locked` when somebody writes.
  init(_ layout: StoreLayout, _ environment: StoreEnvironment) throws(HoldfastError) {
    file = try StoreFaults.mapped(layout.writerLock) {
      guard try environment.files.status(layout.writerLock) != nil else { return nil }
      let file = try environment.files.open(layout.writerLock, .read)
      guard try file.tryLock(exclusive: true) else {
        file.close()
        throw HoldfastError(
          .locked, "The store is being written by another process.",
          hint: "End that process, then rebuild.", isRetryable: true,
          context: ["path": layout.writerLock])
      }
      return file
    }
  }

  /// Lets others write again.
  func release() { file?.close() }
}
