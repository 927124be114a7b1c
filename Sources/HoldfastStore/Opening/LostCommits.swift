import HoldfastModel
import HoldfastSQLite

/// Finds out whether the database lost commits that launches noted (J6).
///
/// A flipped byte in the middle of a write-ahead log, or a log that was cut or removed, loses
/// commits without any error. The launch files know better.
enum LostCommits {
  /// How many commits are missing; nil when none is.
  ///
  /// - Parameter stored: the database's commit number, read after the launch files.
  static func find(
    _ logs: [LaunchLog], store: StoreID, boot: BootID, stored: UInt64
  ) -> UInt64? {
    let wanted =
      logs.filter { $0.header.store == store }.map {
        $0.header.boot == boot ? $0.mark.highest : $0.mark.highestPowerSafe
      }.max() ?? 0
    return wanted > stored ? wanted - stored : nil
  }

  /// What to tell the user.
  static func attention(_ lost: UInt64, at now: Moment, evidence: String?) -> Attention {
    Attention(
      code: "commitsLost",
      message:
        "The database lost its last \(CountedNoun.text(lost, "commit")): its write-ahead log was "
        + "damaged, cut or removed. Audio is taken from the reels; titles and edits of that time "
        + "may be gone."
        + (evidence.map { " A copy of what was found is in \($0)." } ?? ""),
      atMilliseconds: now.wallMilliseconds)
  }

  /// Checks a store that is being opened. When commits are missing: the database and its log are
  /// copied to `evidence/`, the store takes a new origin, and its commit numbers go on above the
  /// marks.
  static func settle(
    _ writer: StoreWriter, _ logs: [LaunchLog], stored: UInt64, isCopy: Bool
  ) throws(HoldfastError) -> Attention? {
    let now = writer.environment.clock.now()
    guard let lost = find(logs, store: writer.store, boot: now.boot, stored: stored) else {
      return nil
    }
    if !isCopy { keepEvidence(writer) }
    let attention = attention(lost, at: now, evidence: isCopy ? nil : writer.layout.evidence)
    try writer.database.commit { db in
      let present = try Settings.unsigned(Settings.commitNumber, db) ?? 0
      try Settings.set(
        Settings.commitNumber, .integer(Int64(clamping: max(stored + lost, present))), db)
      if !isCopy {
        try OriginRow.mint(
          OriginID(random: writer.environment.random), reason: "commitsLost",
          atMilliseconds: now.wallMilliseconds, db)
      }
      // What the lost rows named is to be looked for, if not now then at the next opening.
      if try Settings.text(Settings.adoptionOwed, db) == nil {
        try Settings.set(Settings.adoptionOwed, .text("lost"), db)
      }
      try AttentionRow.insert(attention, db)
    }
    return attention
  }

  /// Copies what was found. When there is no room for it, work goes on without.
  private static func keepEvidence(_ writer: StoreWriter) {
    let files = writer.environment.files
    let directory = "\(writer.layout.evidence)/\(writer.launch)"
    for path in [writer.layout.evidence, directory] { try? files.makeDirectory(path) }
    let pairs = [
      (writer.layout.database, "store.sqlite"), (writer.layout.writeAheadLog, "store.sqlite-wal"),
    ]
    for (source, name) in pairs {
      try? FileCopy.copy(source, to: "\(directory)/\(name)", files)
    }
  }
}

/// Copies files through the seam.
enum FileCopy {
  /// Bytes moved at a time.
  private static let step: Int64 = 1 << 20

  /// Copies a file, durably; the target must not exist.
  static func copy(
    _ source: String, to target: String, _ files: any FileSystem
  ) throws(FileFault) {
    let input = try files.open(source, .read)
    defer { input.close() }
    let output = try files.open(target, [.write, .create, .exclusive])
    defer { output.close() }
    var offset: UInt64 = 0
    while true {
      let bytes = try input.read(at: offset, count: step)
      if bytes.isEmpty { break }
      try output.write(bytes, at: offset)
      offset += UInt64(bytes.count)
    }
    try output.sync()
    try files.syncDirectory(StorePlace.parent(of: target))
  }
}
