import HoldfastAudio
import HoldfastModel
import HoldfastSQLite

/// Looks for what a file has become here already.
///
/// Invariants:
/// - The external id alone names a recording: the same id with other content is a conflict, another
///   id is another recording whatever its content.
/// - Content is the same when the chunk hashes say so; sizes and titles only choose what to
///   compare.
/// - What lies in the trash counts as there; what was purged does not.
struct ImportSearch {
  /// What was found.
  enum Finding {
    /// Nothing; the recordings that were looked at are something else.
    case nothing(seen: Set<RecordingID>)
    /// The file is there. `isNameless`: an external id was asked for, and it has none.
    case there(RecordingID, isInTrash: Bool, isNameless: Bool, doneBytes: UInt64)
    /// An import of it was cut short.
    case begun(RecordingID, track: String, rest: ImportRest)
    /// A living process is importing what may be it, and has come so far.
    case underWay(RecordingID, chunks: UInt64)
  }

  let store: any StoreCalls
  let file: ImportFile
  let request: ImportRequest
  let length: ChunkLength

  /// Searches and compares.
  func run() throws(HoldfastError) -> Finding {
    let (file, request) = (file, request)
    let all = try store.rows { db in try Self.candidates(file, request, db) }
    let likely = try likely(all)
    let found = try store.rows { db in try likely.compactMap { try RecordingRows.one($0, db) } }
    var best = Finding.nothing(seen: Set(all.map(\.id)))
    for candidate in found.sorted(by: { !$0.isDeleted && $1.isDeleted })
    where isNamedLike(candidate) {
      switch try judge(candidate) {
      case .nothing: continue
      case let there where there.isThere: return there
      case let other:
        if case .nothing = best { best = other }
      }
    }
    return best
  }

  /// A recording that may be the file.
  struct Candidate: Hashable, Sendable {
    var id: RecordingID
    /// The first chunk of one of its tracks, when that alone tells whether it can be the file.
    var first: First?

    /// A chunk of plain PCM.
    struct First: Hashable, Sendable {
      var frames: UInt64
      var sha256: [UInt8]
    }
  }

  /// Each recording that may be the file, by external id, size of its source, or size of a track;
  /// once for each track. One query, however many are alike in size.
  static func candidates(
    _ file: ImportFile, _ request: ImportRequest, _ db: borrowing Connection
  ) throws -> [Candidate] {
    let wanted = request.seed.externalID
    return try db.all(
      """
      WITH wanted (id) AS (
        SELECT id FROM recording WHERE external_id = ?1
        UNION SELECT id FROM recording WHERE source_bytes = ?2
        UNION SELECT recording FROM take WHERE bytes BETWEEN 1 AND ?2
          GROUP BY track HAVING sum(bytes) = ?2)
      SELECT w.id, r.external_id = ?1, t.frame_bytes, c.frames, c.sha256
      FROM wanted w LEFT JOIN recording r ON r.id = w.id
        LEFT JOIN take t ON t.recording = w.id AND t.position = 0
        LEFT JOIN chunk c ON c.take_key = t.key AND c.sequence = 0
      """,
      [wanted.map { .text($0) } ?? .null, .integer(Int64(clamping: file.sourceBytes))]
    ) { row -> Candidate? in
      guard let id = RecordingID(row.blob(0)) else { return nil }
      let isNamed = row.optionalInt64(1) == 1
      guard !isNamed, row.optionalInt64(2) ?? 0 > 0, row.optionalInt64(3) ?? 0 > 0 else {
        return Candidate(id: id, first: nil)
      }
      return Candidate(id: id, first: .init(frames: row.uint64(3), sha256: row.blob(4)))
    }.compactMap(\.self)
  }

  /// Those that begin as the file does, or of which that cannot be said. Each length of a first
  /// chunk is read and hashed once, so that many recordings of one length cost one comparison.
  private func likely(_ all: [Candidate]) throws(HoldfastError) -> [RecordingID] {
    var digests: [UInt64: [UInt8]] = [:]
    var likely: Set<RecordingID> = []
    for candidate in all {
      guard let first = candidate.first else {
        likely.insert(candidate.id)
        continue
      }
      if digests[first.frames] == nil { digests[first.frames] = try begin(first.frames) }
      if digests[first.frames] == first.sha256 { likely.insert(candidate.id) }
    }
    return likely.sorted()
  }

  /// The digest of the file's first sample frames; empty when it has not so many.
  private func begin(_ frames: UInt64) throws(HoldfastError) -> [UInt8] {
    var rest = try ImportRest(file, length)
    guard rest.run.format.isPCM else { return [] }
    do {
      guard let piece = try rest.source.next(frames: frames) else { return [] }
      return store.environment.hashing.sha256(piece.payload).bytes
    } catch { throw StoreFaults.error(error) }
  }

  /// Whether the external ids do not tell them apart.
  private func isNamedLike(_ candidate: RecordingSummary) -> Bool {
    guard let wanted = request.seed.externalID, let id = candidate.externalID else { return true }
    return wanted == id
  }

  private func judge(_ candidate: RecordingSummary) throws(HoldfastError) -> Finding {
    let isNamed =
      candidate.externalID != nil && candidate.externalID == request.seed.externalID
    if isNamed && isOnlyKnown(candidate) { return there(candidate) }
    for takes in candidate.takesByTrack {
      switch try ContentComparison(store: store, file: file)
        .compare(takes, length)
      {
      case .alike(let rest)
      where isImport(candidate) && candidate.phase.recovered && !candidate.isDeleted:
        // Everything came in before the end of its process: an empty take says so.
        return try begun(candidate, takes, rest)
      case .alike where file.sourceBytes > 0 || candidate.sourceBytes == 0:
        return there(candidate)
      case .begun(let rest) where isImport(candidate):
        return try begun(candidate, takes, rest)
      default: continue
      }
    }
    if candidate.takes.isEmpty && isImport(candidate) { return try begun(candidate) }
    if isNamed { throw conflict(candidate) }
    return .nothing(seen: [])
  }

  /// Whether its audio is not here, so that nothing can be compared.
  private func isOnlyKnown(_ candidate: RecordingSummary) -> Bool {
    candidate.takes.contains { $0.chunks < $0.extentChunks }
  }

  /// Whether it is an import of a file of this size.
  private func isImport(_ candidate: RecordingSummary) -> Bool {
    candidate.sourceBytes == file.sourceBytes
  }

  private func there(_ candidate: RecordingSummary) -> Finding {
    .there(
      candidate.id, isInTrash: candidate.isDeleted, isNameless: isNameless(candidate),
      doneBytes: file.sourceBytes)
  }

  /// Whether an external id was asked for, and the recording was made without one.
  private func isNameless(_ candidate: RecordingSummary) -> Bool {
    request.seed.externalID != nil && candidate.externalID == nil
  }

  /// One that has no take, or no chunk, yet.
  private func begun(_ candidate: RecordingSummary) throws(HoldfastError) -> Finding {
    try begun(candidate, [], try ImportRest(file, length))
  }

  private func begun(
    _ candidate: RecordingSummary, _ takes: [TakeRow], _ rest: ImportRest
  ) throws(HoldfastError) -> Finding {
    if try isUnderWay(candidate) {
      return .underWay(candidate.id, chunks: candidate.chunks)
    }
    // Without a byte to compare, only the names say that it is the same file.
    let isSame =
      rest.doneBytes > 0 || candidate.externalID != nil
      || candidate.title == request.seed.title ?? ""
    guard isSame else { return .nothing(seen: []) }
    if candidate.isDeleted {
      return .there(
        candidate.id, isInTrash: true, isNameless: isNameless(candidate),
        doneBytes: rest.doneBytes)
    }
    let track = candidate.tracks.first { $0.track == takes.first?.span.track }?.name
    return .begun(candidate.id, track: track ?? request.track, rest: rest)
  }

  /// Whether a living process captures it.
  ///
  /// - Throws: `locked` when the process has died meanwhile: its chunks are taken in by the next
  ///   opening of the store, not by this one.
  private func isUnderWay(_ candidate: RecordingSummary) throws(HoldfastError) -> Bool {
    guard candidate.phase.phase == .recording || candidate.takes.contains(where: \.isOpen) else {
      return false
    }
    let id = candidate.id
    let isAlive = try store.call { writer throws(HoldfastError) in
      let alive = try writer.aliveLaunches()
      let launch = try writer.database.read { db in try Anchor.of(id, db)?.launch }
      return launch.map(alive.contains) ?? false
    }
    if isAlive { return true }
    throw HoldfastError(
      .locked, "The process that was importing \(file.path) as recording \(id) has just died.",
      hint: "Import it again: it goes on where that one stopped.", isRetryable: true,
      context: ["path": file.path, "recording": id.description])
  }

  private func conflict(_ candidate: RecordingSummary) -> HoldfastError {
    let place = candidate.isDeleted ? ", which lies in the trash," : ""
    return HoldfastError(
      .conflict,
      "Recording \(candidate.id)\(place) has the external id "
        + "\(request.seed.externalID ?? "") already, and holds other audio than \(file.path).",
      hint: "Nothing was added. Give another external id, or purge that recording first.",
      context: ["path": file.path, "recording": candidate.id.description])
  }
}

extension ImportSearch.Finding {
  /// Whether the file is there.
  fileprivate var isThere: Bool {
    if case .there = self { true } else { false }
  }
}

extension RecordingSummary {
  /// The takes of each track, in their order.
  var takesByTrack: [[TakeRow]] {
    tracks.map { track in takes.filter { $0.span.track == track.track } }.filter { !$0.isEmpty }
  }
}
