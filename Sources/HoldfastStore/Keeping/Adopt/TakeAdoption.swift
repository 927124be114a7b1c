import HoldfastModel
import HoldfastSQLite

/// Takes in reels, take by take.
struct TakeAdoption {
  private let writer: StoreWriter
  private(set) var items: [String: StoreAdoption.Item] = [:]
  /// By take, in the order in which they were given.
  private var takes: [TakeID: [LooseReel]] = [:]

  /// Reels that were taken in.
  private var done: Set<String> = []

  private var environment: StoreEnvironment { writer.environment }

  /// Takes in for a writer.
  init(_ writer: StoreWriter) { self.writer = writer }

  /// Reads a given file; one that is no reel is refused.
  mutating func add(_ path: String) {
    var item = StoreAdoption.Item(path: path)
    do throws(ReelFault) {
      let reel = try LooseReel(path, environment)
      item.take = reel.owner.take
      item.recording = reel.header?.recording
      item.damaged = reel.damaged
      takes[reel.owner.take, default: []].append(reel)
    } catch {
      if error.cause == nil {
        item.refusal = error.message
      } else {
        item.fault = StoreFaults.error(error)
      }
    }
    items[path] = item
  }

  /// Takes in everything that was added, by take.
  mutating func run() {
    var last: HoldfastError?
    for take in takes.keys.sorted() {
      let reels = (takes[take] ?? []).sorted { ($0.owner, $0.path) < ($1.owner, $1.path) }
      do throws(HoldfastError) {
        if let last { throw last }
        try run(take, reels)
      } catch {
        for reel in reels where !done.contains(reel.path) { items[reel.path]?.fault = error }
        if error.concernsAll { last = error }
      }
    }
  }

  private mutating func run(_ take: TakeID, _ reels: [LooseReel]) throws(HoldfastError) {
    if let refusal = try refusal(of: take, reels) {
      for reel in reels { items[reel.path]?.refusal = refusal }
      return
    }
    let isKnown = try entry(of: take) != nil
    var rest = reels
    if !isKnown {
      rest = try adopt(take, reels)
      done.formUnion(Set(reels.map(\.path)).subtracting(rest.map(\.path)))
    }
    for reel in rest {
      try mend(with: reel)
      done.insert(reel.path)
    }
  }

  private func entry(of take: TakeID) throws(HoldfastError) -> TakeEntry? {
    try writer.database.read { db in
      let key = try db.first("SELECT key FROM take WHERE id = ?1", [.blob(take.bytes)]) {
        $0.int64(0)
      }
      let next = try key.flatMap { try TakeEntry.page(after: $0 - 1, limit: 1, db).first }
      return next?.take == take ? next : nil
    }
  }

  /// Why a take may not be taken in; nil when it may.
  private func refusal(
    of take: TakeID, _ reels: [LooseReel]
  ) throws(HoldfastError) -> String? {
    let header = reels.compactMap(\.header).first
    let known = try entry(of: take)
    let alive = try writer.aliveLaunches()
    if let known, known.isOpen, let launch = known.launch, alive.contains(launch) {
      return "Its take is being recorded at this moment."
    }
    let recording = known?.recording ?? header?.recording
    // A take that is known without a row is one whose removal was wanted.
    let isPurged = try writer.database.read { db in
      if try known == nil && KnownTakes.isKnown(take, db) { return true }
      guard let recording else { return false }
      return try KnownTakes.isPurged(recording, db)
    }
    if isPurged { return "Its recording was purged from this store." }
    guard known == nil else { return nil }
    if header == nil {
      return "Its header cannot be read, and this store does not know its take. Give another reel "
        + "of the same take with it."
    }
    if let recording, let captor = try captor(of: recording), alive.contains(captor) {
      return "Its recording is being captured at this moment; stop it first."
    }
    return nil
  }

  /// The launch that captures a recording, as far as its phase says.
  private func captor(of recording: RecordingID) throws(HoldfastError) -> LaunchID? {
    try writer.database.read { db in
      try db.first(
        """
        SELECT a.launch FROM recording r JOIN anchor a ON a.recording = r.id
        WHERE r.id = ?1 AND r.state IN ('recording', 'interrupted')
        """, [.blob(recording.bytes)]
      ) { LaunchID($0.blob(0)) } ?? nil
    }
  }

  // MARK: unknown takes

  /// Copies the reels of an unknown take and makes the take again from them.
  ///
  /// - Returns: reels whose place is taken by another file: they are looked at chunk by chunk.
  private mutating func adopt(
    _ take: TakeID, _ reels: [LooseReel]
  ) throws(HoldfastError) -> [LooseReel] {
    let copy = ReelCopy(writer)
    var later: [LooseReel] = []
    for reel in reels {
      if try copy.place(reel) == .taken { later.append(reel) }
    }
    guard let header = reels.compactMap(\.header).first else { return [] }
    let found = FoundAudio(
      layout: writer.layout, environment: environment, logs: [], boundsLoss: false)
    try writer.database.commit { db in
      var isPartial = false
      _ = try found.adopt(header, &isPartial, db)
    }
    let rows = try writer.database.read { db in
      var rows: Set<ChunkRecord> = []
      let key = try db.first("SELECT key FROM take WHERE id = ?1", [.blob(take.bytes)]) {
        $0.int64(0)
      }
      try ChunkRows.each(key: key ?? 0, take: take, db) { record in
        rows.insert(record)
        return true
      }
      return rows
    }
    let laterPaths = Set(later.map(\.path))
    for reel in reels where !laterPaths.contains(reel.path) {
      items[reel.path]?.recording = header.recording
      items[reel.path]?.added = UInt64(reel.records.filter(rows.contains).count)
    }
    return later
  }

  // MARK: known takes

  /// Takes from a reel what a known take lacks: chunks without a row, and chunks that are damaged
  /// or missing here.
  private mutating func mend(with reel: LooseReel) throws(HoldfastError) {
    guard let entry = try entry(of: reel.owner.take) else { return }
    items[reel.path]?.recording = entry.recording
    let needs = try needs(of: entry, reel)
    items[reel.path]?.known = needs.known
    items[reel.path]?.differing = needs.differing
    guard !needs.wanted.isEmpty else { return try countAgain(entry) }
    let copy = ReelCopy(writer)
    let placed: [ChunkRecord]
    if try copy.place(reel) == .taken {
      placed = try copy.rewrite(needs.wanted, of: reel, entry)
    } else {
      placed = needs.wanted
    }
    let take = entry.take
    let closing = TakeClosing(log: writer.log, hashing: environment.hashing)
    let key = entry.key
    let added = try writer.database.commit { db in
      let added = try ChunkRows.insert(placed, of: take, db)
      for record in placed { try Self.settle(record, key, db) }
      // Rows that were lost were counted still.
      try ChunkCounters.countAgain(db, take: key)
      try closing.extend(take, db)
      return added
    }
    items[reel.path]?.added = added
    items[reel.path]?.healed = UInt64(placed.count) - added
  }

  /// Counters that are not those of the rows are a damage that a reel heals too.
  private func countAgain(_ entry: TakeEntry) throws(HoldfastError) {
    let key = entry.key
    let isWrong = try writer.database.read { try DatabaseAudit.wrongCounters(key, $0) } != nil
    guard isWrong else { return }
    try writer.database.commit { try ChunkCounters.countAgain($0, take: key) }
  }

  private struct Needs {
    var wanted: [ChunkRecord] = []
    var known: UInt64 = 0
    var differing: UInt64 = 0
  }

  private func needs(of entry: TakeEntry, _ reel: LooseReel) throws(HoldfastError) -> Needs {
    var needs = Needs()
    var readers: [UInt32: ReelReader] = [:]
    for record in reel.records {
      let row = try writer.database.read { try entry.row(of: record.sequence, $0) }
      guard let row else {
        needs.wanted.append(record)
        continue
      }
      guard row.record.sha256 == record.sha256, row.record.firstFrame == record.firstFrame else {
        needs.differing += 1
        continue
      }
      let number = row.record.reel
      let reader =
        readers[number]
        ?? ReelReader(
          directory: writer.layout.directory, reel: ReelPath(take: entry.take, reel: number),
          files: environment.files, hashing: environment.hashing)
      readers[number] = reader
      if !row.isMarked, let reading = try? reader.readChunk(row.record, verify: true),
        case .ok = reading
      {
        needs.known += 1
      } else {
        needs.wanted.append(record)
      }
    }
    return needs
  }

  /// The row of a chunk points to where it is whole now, and its reel is here.
  private static func settle(
    _ record: ChunkRecord, _ key: Int64, _ db: borrowing Connection
  ) throws {
    try db.run(
      """
      UPDATE chunk SET reel = ?3, position = ?4, absent = 0
      WHERE take_key = ?1 AND sequence = ?2 AND sha256 = ?5
      """,
      [
        .integer(key), .integer(Int64(clamping: record.sequence)),
        .integer(Int64(record.reel)), .integer(Int64(clamping: record.offset)),
        .blob(record.sha256.bytes),
      ])
    try db.run(
      """
      INSERT INTO reel (take_key, number, state) VALUES (?1, ?2, 'present')
      ON CONFLICT (take_key, number) DO UPDATE SET state = 'present'
      """, [.integer(key), .integer(Int64(record.reel))])
  }
}
