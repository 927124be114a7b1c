import HoldfastModel

/// A row of the index with its mark of absence (J5).
struct MarkedRow: Hashable, Sendable {
  /// What the row says.
  var record: ChunkRecord
  /// Whether the row says that the chunk is damaged or missing.
  var isMarked: Bool
}

/// One reel and the rows that speak of it.
struct ReelJob: Sendable {
  /// The reel.
  var path: ReelPath
  /// The recording that it must name.
  var recording: RecordingID
  /// The track that it must name.
  var track: TrackID
  /// By offset.
  var rows: [MarkedRow]

  /// Bytes of the frames that the rows name.
  var bytes: UInt64 { rows.reduce(0) { $0 + ChunkHeader.byteCount + UInt64($1.record.length) } }
}

/// What a check of one reel found.
struct ReelOutcome: Sendable {
  /// A row that the reel does not bear out.
  struct Bad: Hashable, Sendable {
    /// What the row says.
    var record: ChunkRecord
    /// What is wrong.
    var reason: ChunkFinding.Reason
    /// Whether nothing of it is there.
    var isMissing: Bool
  }

  /// What was checked.
  var job: ReelJob
  /// Chunks that are what their row says.
  var ok: UInt64 = 0
  /// Rows that the reel does not bear out.
  var bad: [Bad] = []
  /// Chunks that are well although their row is marked.
  var healed: [ChunkName] = []
  /// Whole chunks at places where no row has one.
  var unindexed: [ChunkRecord] = []
  /// Chunks at places where no row has one, written to their end, whose payload is damaged.
  var strays: [ChunkRecord] = []
  /// Bytes of the file; nil when it is not there.
  var size: UInt64?
  /// What is wrong with the reel's own header; nil when nothing is.
  var headerFault: String?

  /// Nothing found yet.
  init(_ job: ReelJob) { self.job = job }
}

/// Compares a reel with its rows.
///
/// The reel is read once, from its beginning, by the scan that recovery uses. A row whose very
/// frame the scan met, payload and all, is well. Only what it did not meet is looked at singly, to
/// say what is wrong.
///
/// Invariant: a chunk counts as well only when its frame's header, its row and the SHA-256 of its
/// payload agree. Bytes that no row names are no damage: torn tails and chunks that moved leave
/// them.
struct ReelCheck: Sendable {
  /// The store's directory.
  let directory: String
  /// Where files are.
  let files: any FileSystem
  /// Computes digests.
  let hashing: any Hashing

  /// Checks one reel.
  func run(_ job: ReelJob) -> ReelOutcome {
    var outcome = ReelOutcome(job)
    var doubtful: [MarkedRow] = []
    var next = job.rows[...]
    let scanned = ReelVisit(files: files, hashing: hashing, mends: false).scan(
      directory: directory, path: job.path, from: nil
    ) { record in
      while let row = next.first, row.record.offset < record.offset {
        doubtful.append(next.removeFirst())
      }
      guard let row = next.first, row.record == record else {
        outcome.unindexed.append(record)
        return
      }
      next.removeFirst()
      outcome.accept(row)
    }
    doubtful += next
    // What nothing whole follows, or what ends in zeros, may be a write that is under way.
    let placed = Set(job.rows.map(\.record))
    outcome.strays = scanned.damaged.filter {
      $0.reason == .payload && !$0.isTorn && $0.offset < scanned.end
    }.compactMap(\.chunk).filter { !placed.contains($0) }
    outcome.size = scanned.fault?.code == .absent ? nil : scanned.size
    outcome.headerFault = headerFault(scanned, job)
    let reader = ReelReader(directory: directory, reel: job.path, files: files, hashing: hashing)
    defer { reader.close() }
    for row in doubtful {
      guard let bad = examine(row.record, reader) else {
        outcome.accept(row)
        continue
      }
      outcome.bad.append(bad)
    }
    return outcome
  }

  private func headerFault(_ scanned: ScannedReel, _ job: ReelJob) -> String? {
    guard !job.rows.isEmpty else { return nil }
    guard let header = scanned.header else {
      guard let fault = scanned.fault, ![.absent, .denied].contains(fault.code) else { return nil }
      return fault.message
    }
    if scanned.headerIsMended {
      return "One bit of the reel's header is flipped. Nothing is lost by it; `holdfast rebuild` "
        + "writes it anew."
    }
    guard header.path == job.path else { return "It says that it is \(header.path)." }
    guard header.recording == job.recording, header.track == job.track else {
      return "It names another recording or track than the database does."
    }
    return nil
  }

  /// What is wrong with one chunk; nil when nothing is after all.
  func examine(_ record: ChunkRecord, _ reader: ReelReader) -> ReelOutcome.Bad? {
    do throws(ReelFault) {
      switch try reader.readChunk(record, verify: true) {
      case .ok: return nil
      case .damagedHeader(let intact): return try header(record, reader, isIntact: intact != nil)
      case .damagedPayload: return .init(record: record, reason: .payload, isMissing: false)
      case .absent: return .init(record: record, reason: .absent, isMissing: true)
      case .cut: return .init(record: record, reason: .cut, isMissing: !isBegun(record))
      }
    } catch {
      let reason: ChunkFinding.Reason = error.code == .denied ? .denied : .medium
      return .init(record: record, reason: reason, isMissing: false)
    }
  }

  private func header(
    _ record: ChunkRecord, _ reader: ReelReader, isIntact: Bool
  ) throws(ReelFault) -> ReelOutcome.Bad {
    let path = ReelPath(take: record.take, reel: record.reel)
    if case .ok = try reader.readChunk(at: record.offset, of: path, verify: true) {
      return .init(record: record, reason: .row, isMissing: false)
    }
    return .init(record: record, reason: isIntact ? .header : .frame, isMissing: false)
  }

  /// Whether the reel has at least the first byte of a chunk.
  private func isBegun(_ record: ChunkRecord) -> Bool {
    let path = "\(directory)/\(ReelPath(take: record.take, reel: record.reel))"
    return ((try? files.status(path)) ?? nil)?.size ?? 0 > record.offset
  }
}

extension ReelOutcome {
  fileprivate mutating func accept(_ row: MarkedRow) {
    ok += 1
    if row.isMarked {
      healed.append(ChunkName(take: row.record.take, sequence: row.record.sequence))
    }
  }
}
