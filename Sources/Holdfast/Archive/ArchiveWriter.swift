import Foundation
package import HoldfastModel
package import HoldfastStore

/// What an archive holds.
public struct ArchiveReport: Hashable, Sendable {
  /// Recordings, those of the trash among them.
  public var recordings: Int64 = 0
  /// Files of audio.
  public var files: Int64 = 0
  /// Bytes of those files.
  public var bytes: Int64 = 0
  /// Recordings of which audio that was captured is damaged or missing, or stands under a damaged
  /// header.
  public var damaged: [Recording.ID] = []
}

/// Writes everything in open formats into a directory.
///
/// Invariants: nothing that was there is touched; each file is there whole or not at all; the index
/// is written last, so that an archive with an index is complete; the archive stands on its own,
/// without this program.
package struct ArchiveWriter {
  private let store: any StoreRows
  private let directory: String
  private let isCancelled: @Sendable () -> Bool
  private var files: any FileSystem { store.environment.files }

  /// A writer of an archive at a path.
  package init(
    _ store: any StoreRows, _ directory: String, isCancelled: @escaping @Sendable () -> Bool
  ) {
    self.store = store
    self.directory = directory
    self.isCancelled = isCancelled
  }

  /// Writes the archive.
  ///
  /// - Throws: `conflict` when there is something in the directory; `invalidArgument` when it lies
  ///   in the store, or when it cannot be a directory; `interrupted` when cancelled; faults of the
  ///   files.
  package func run() throws(HoldfastError) -> ArchiveReport {
    try begin()
    var request = RecordingRequest()
    request.includesDeleted = true
    let wanted = request
    let all = try store.rows { db in try RecordingRows.list(wanted, db) }
    var report = ArchiveReport()
    var names = ArchiveNames()
    var index = ArchiveIndex(
      madeAt: JSONTime(milliseconds: store.environment.clock.now().wallMilliseconds))
    for id in all.map(\.id).reversed() {
      if isCancelled() { throw HoldfastError(.interrupted, "The archive was cancelled.") }
      // One that was purged meanwhile is not part of it.
      guard let summary = try store.rows({ db in try RecordingRows.one(id, db) }) else { continue }
      let folder = names.folder(of: summary)
      guard let document = try writeUnlessPurged(summary, to: folder) else { continue }
      report.add(document, summary.id)
      index.recordings.append(ArchiveIndex.Entry(folder: folder, document))
    }
    try write(index, to: "index.json")
    try sync(directory)
    return report
  }

  /// - Returns: nil when the recording was purged meanwhile; nothing of it is left then.
  private func writeUnlessPurged(
    _ summary: RecordingSummary, to folder: String
  ) throws(HoldfastError) -> ArchiveDocument? {
    let id = summary.id
    do throws(HoldfastError) {
      let document = try write(summary, to: folder)
      if try store.rows({ db in try RecordingRows.one(id, db) }) != nil { return document }
    } catch {
      guard error.code == .notFound, try store.rows({ db in try RecordingRows.one(id, db) }) == nil
      else { throw error }
    }
    let path = "\(directory)/\(folder)"
    for name in (try? files.list(path)) ?? [] { try? files.unlink("\(path)/\(name)") }
    try? files.removeDirectory(path)
    return nil
  }

  private func begin() throws(HoldfastError) {
    let output = OutputPath(directory, files)
    try output.refuse(inside: store.layout)
    try output.checkDirectory()
    let isFree: Bool
    do throws(FileFault) {
      if try files.status(directory) == nil { try output.makeDirectories(store.environment) }
      // A fresh file system has a directory of its own in its root.
      isFree = try files.list(directory).allSatisfy { $0 == "lost+found" }
    } catch { throw output.error(error) }
    guard isFree else {
      throw HoldfastError(
        .conflict, "There is something in \(directory).",
        hint: "Nothing was written. Give a new or empty directory. An archive without index.json "
          + "was ended too early: remove it and begin again.", context: ["path": directory])
    }
  }

  private func write(
    _ summary: RecordingSummary, to folder: String
  ) throws(HoldfastError) -> ArchiveDocument {
    if summary.isDeleted { try makeFolder(ArchiveNames.trash) }
    try makeFolder(folder)
    let id = summary.id
    let attributes = try store.rows { db in try RecordingRows.attributes(of: id, db) }
    var document = ArchiveDocument(summary, attributes)
    var names = ArchiveNames()
    for track in summary.tracks
    where summary.takes.contains(where: { $0.span.track == track.track }) {
      document.audio += try audio(of: track, id, folder, &names)
    }
    try writeTranscript(of: summary, to: folder)
    document.results = try store.rows { db in
      try TaskRows.all(of: id, db).flatMap { task in
        try ResultRow.all(of: task.id, db).map { ArchiveResult(task.kind, $0) }
      }
    }.filter { $0.kind != Artefact.passKind }
    try write(document, to: "\(folder)/recording.json")
    try sync("\(directory)/\(folder)")
    return document
  }

  /// The transcript as text and as JSON, there with all its passes; nothing where there is none.
  private func writeTranscript(
    of summary: RecordingSummary, to folder: String
  ) throws(HoldfastError) {
    let id = summary.id
    let (shown, others) = try store.rows { db in
      let shown = try TranscriptReading.current(of: id, db)
      let rest = try TranscriptReading.passes(of: id, db).map(\.id).filter { $0 != shown.pass }
      return (shown, try rest.map { try TranscriptReading.transcript(of: id, pass: $0, db) })
    }
    guard shown.pass != nil || !others.isEmpty else { return }
    func document(_ shown: ShownTranscript) -> TranscriptDocument {
      TranscriptDocument(
        shown, title: summary.title, startedMilliseconds: summary.startedMilliseconds)
    }
    var whole = document(shown)
    whole.otherPasses = others.map(document)
    try write(whole, to: "\(folder)/transcript.json")
    try writeBytes(Array(shown.plainText.utf8), to: "\(folder)/transcript.txt")
  }

  private func audio(
    of track: TrackFact, _ recording: RecordingID, _ folder: String, _ names: inout ArchiveNames
  ) throws(HoldfastError) -> [ArchiveAudio] {
    var options = ExportOptions()
    options.form = .native
    options.track = track.name
    let exporter = Exporter(store)
    let plan = try exporter.plan(recording, options)
    var written: [ArchiveAudio] = []
    for part in plan.parts {
      let name = names.file(track.name, part, of: plan.parts.count)
      let target = FileTarget("\(directory)/\(folder)/\(name)", store.environment)
      let (report, digest) = try target.write(replacing: false) { sink throws(HoldfastError) in
        let hashed = DigestSink(sink, store.environment.hashing)
        let report = try exporter.write(
          part, to: CancellableSink(hashed, isCancelled: isCancelled))
        return (report, hashed.digest())
      }
      written.append(ArchiveAudio(file: name, track: track.name, part, report, digest))
    }
    return written
  }

  private func makeFolder(_ name: String) throws(HoldfastError) {
    do throws(FileFault) {
      try files.makeDirectory("\(directory)/\(name)")
      try files.syncDirectory(directory)
    } catch {
      guard error.kind == .exists, name == ArchiveNames.trash else {
        throw OutputPath("\(directory)/\(name)", files).error(error)
      }
    }
  }

  private func sync(_ path: String) throws(HoldfastError) {
    do { try files.syncDirectory(path) } catch { throw StoreFaults.error(error) }
  }

  private func write(_ document: some Encodable, to name: String) throws(HoldfastError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let bytes: [UInt8]
    do { bytes = Array(try encoder.encode(document)) + [0x0A] } catch {
      throw HoldfastError(.failed, "\(name) cannot be written as JSON.", cause: "\(error)")
    }
    try writeBytes(bytes, to: name)
  }

  private func writeBytes(_ bytes: [UInt8], to name: String) throws(HoldfastError) {
    let target = FileTarget("\(directory)/\(name)", store.environment)
    try target.write(replacing: false) { sink throws(HoldfastError) in try sink.write(bytes) }
  }
}

extension ArchiveReport {
  mutating func add(_ document: ArchiveDocument, _ id: RecordingID) {
    recordings += 1
    files += Int64(document.audio.count)
    bytes += document.audio.reduce(0) { $0 + Int64(clamping: $1.fileBytes) }
    if document.audio.contains(where: \.hasDamage) { damaged.append(Recording.ID(id)) }
  }
}
