import HoldfastModel
import HoldfastSQLite

/// Brings the files of an old store over: reels, files of recorders, launch files.
struct ReelTransfer {
  /// Where the old files lie.
  let source: StoreLayout
  /// Where the new store is put together.
  let target: NewDirectory
  /// Everything from outside.
  let environment: StoreEnvironment

  private var files: any FileSystem { environment.files }

  /// Links or copies everything but the audio of purged recordings.
  func run(
    _ scan: TakeDirectoryScan.Found, _ report: inout StoreRebuild.Report
  ) throws(HoldfastError) {
    report.leftBehind = scan.unreadable.map(\.path)
    let words = report.database == .none ? Words() : try words()
    let before = report
    report = try StoreFaults.mapped(source.directory) {
      var report = before
      try transfer(scan.reels, words, &report)
      for name in words.incoming where IncomingFile.isPlain(name) {
        guard try files.status("\(source.directory)/\(name)")?.kind == .file else { continue }
        try make(IncomingFile.directory)
        try bring(name, &report)
        try files.syncDirectory("\(target.layout.directory)/\(IncomingFile.directory)")
      }
      try copyLaunches()
      return report
    }
  }

  /// What the new database says about files.
  private struct Words {
    /// Takes whose audio was purged.
    var purgedTakes: Set<TakeID> = []
    var purgedRecordings: Set<RecordingID> = []
    /// Files of recorders that are not in reels yet.
    var incoming: [String] = []
  }

  private func words() throws(HoldfastError) -> Words {
    try StoreFaults.mapped(target.layout.database) {
      let db = try Connection(path: target.unfinishedDatabase)
      return Words(
        purgedTakes: Set(
          try db.all("SELECT take FROM intent") { TakeID($0.blob(0)) }.compactMap(\.self)),
        purgedRecordings: Set(
          try db.all("SELECT recording FROM change WHERE kind = 'purge'") {
            $0.optionalBlob(0).flatMap { RecordingID($0) }
          }.compactMap(\.self)),
        incoming: try db.all(
          "SELECT name FROM incoming WHERE gone_ms IS NULL AND taken_ms IS NULL"
        ) { $0.text(0) })
    }
  }

  private func transfer(
    _ reels: [TakeDirectoryScan.Reel], _ words: Words, _ report: inout StoreRebuild.Report
  ) throws {
    var made: Set<TakeID> = []
    for reel in reels where !words.purgedTakes.contains(reel.path.take) {
      if let recording = reel.header?.recording, words.purgedRecordings.contains(recording) {
        continue
      }
      if made.insert(reel.path.take).inserted {
        try make(ReelPath.directory(of: reel.path.take))
      }
      if let header = reel.mendedHeader {
        try mend(reel.path.description, header, &report)
      } else {
        try bring(reel.path.description, &report)
      }
    }
    for take in made.sorted() {
      try files.syncDirectory("\(target.layout.directory)/\(ReelPath.directory(of: take))")
    }
  }

  private func make(_ name: String) throws(FileFault) {
    try StorePlace(target.layout, environment).make("\(target.layout.directory)/\(name)")
  }

  /// Copies a reel whose header has a flipped bit, and writes the header as it was: the old file
  /// stays as it is.
  private func mend(
    _ name: String, _ header: [UInt8], _ report: inout StoreRebuild.Report
  ) throws(FileFault) {
    let to = "\(target.layout.directory)/\(name)"
    report.copiedBytes += try RawCopy.copy("\(source.directory)/\(name)", to: to, files)
    try MendedHeader.write([MendedHeader(offset: 0, bytes: header)], to: to, files)
    report.mendedHeaders += 1
  }

  /// Links a file, or copies it where links are not possible.
  private func bring(_ name: String, _ report: inout StoreRebuild.Report) throws(FileFault) {
    let from = "\(source.directory)/\(name)"
    let to = "\(target.layout.directory)/\(name)"
    do throws(FileFault) {
      try files.link(from, to: to)
      report.linkedBytes += try files.status(to)?.size ?? 0
    } catch {
      guard error.kind != .full, error.kind != .missing else { throw error }
      report.copiedBytes += try RawCopy.copy(from, to: to, files)
    }
  }

  /// Launch files tell how the old launches ended; the new store's first opening asks them.
  private func copyLaunches() throws(FileFault) {
    guard try files.status(source.launches) != nil else { return }
    for name in try files.list(source.launches) where StoreLayout.launch(fileName: name) != nil {
      try RawCopy.copy(
        "\(source.launches)/\(name)", to: "\(target.layout.launches)/\(name)", files)
    }
    try files.syncDirectory(target.layout.launches)
  }
}
