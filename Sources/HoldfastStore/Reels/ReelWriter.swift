package import HoldfastModel

/// What a writer put into one reel.
package struct ReelWritten: Hashable, Sendable {
  /// The reel's number.
  package var reel: UInt32
  /// Bytes up to the end of the last whole frame.
  package var bytes: UInt64 = 0
  /// Chunks written into it.
  package var chunks: UInt64 = 0
  /// Why it ended early; nil when it did not.
  package var fault: ReelFault?
}

/// Writes the chunks of one take into reels.
///
/// Invariants (J2):
/// - A chunk that was answered survives the process; the mark is ``writtenThrough``.
/// - A chunk at or before ``powerSafeThrough`` is on the medium, with the directories that name it.
/// - A failed write or sync ends its reel for good. The chunks of it that were not power-safe are
///   written again to a new reel, once a call; a second failure in a row is thrown, and the chunks
///   are kept for the next call.
/// - A full disk is thrown at once, after the torn tail was cut off (J8).
/// - Each writer begins new files, which it creates exclusively: no byte of an earlier run is ever
///   written over.
///
/// Every call answers the chunks that it wrote. When a reel ended, earlier chunks that moved come
/// first: rows are replaced by (take, sequence). Not thread-safe; every call blocks on the disk.
package final class ReelWriter {
  /// The reels written so far, oldest first.
  package private(set) var reels: [ReelWritten] = []
  /// Bytes written into reels, headers included.
  package private(set) var bytesWritten: UInt64 = 0
  /// Through which chunk everything is power-safe, in the order of appending; nil before the first.
  package private(set) var powerSafeThrough: UInt64?
  /// Chunks that were answered, whose reel then failed before they were power-safe, and whose bytes
  /// could neither be kept in memory nor be read back. They are damaged or absent here (J5).
  package private(set) var lost: [ChunkRecord] = []

  private let files: any FileSystem
  private let hashing: any Hashing
  private let limits: ReelLimits
  private var factory: ReelFactory
  private var open: OpenReel?
  private var atRisk = ChunksAtRisk()
  private var carried: [QueuedChunk] = []
  private var isClosed = false
  /// Whether a group met a full disk: chunks are written one by one from then on.
  private var isTight = false

  /// A writer for one take. Nothing is written before the first chunk.
  ///
  /// - Parameters:
  ///   - directory: the store's directory, which exists.
  ///   - files: where files are.
  ///   - hashing: computes the payloads' digests.
  ///   - clock: tells when each reel was begun.
  ///   - header: what every reel says. `reel` is the first number to try; `opened`, `firstChunk`
  ///     and `firstFrame` are set for each reel.
  ///   - limits: the sizes in force.
  /// - Throws: `invalid` or `tooLarge` when the header cannot be written.
  package init(
    directory: String, files: any FileSystem, hashing: any Hashing, clock: any DeviceClock,
    header: ReelHeader, limits: ReelLimits = .standard
  ) throws(ReelFault) {
    _ = try header.encoded()
    self.files = files
    self.hashing = hashing
    self.limits = limits
    factory = ReelFactory(directory: directory, clock: clock, template: header, limits: limits)
  }

  deinit { open?.file.close() }

  /// Through which chunk everything is written, in the order of appending; nil before the first.
  package var writtenThrough: UInt64? {
    carried.last?.header.sequence ?? atRisk.entries.last?.header.sequence ?? powerSafeThrough
  }

  /// Writes one chunk.
  ///
  /// - Throws: as ``append(_:)-([ChunkInput])``.
  package func append(_ chunk: ChunkInput) throws(ReelFault) -> [ChunkRecord] {
    try append([chunk])
  }

  /// Writes the chunks with one write, or one for each reel that they reach into.
  ///
  /// - Returns: where they stand; before them earlier chunks that had to move.
  /// - Throws: `tooLarge` for a payload over the limit, before anything is written; `full`;
  ///   `medium` or `failed` when a second reel failed too; `closed`. ``ReelFault/written`` names
  ///   what was written nevertheless; the other chunks are the caller's still.
  package func append(_ chunks: [ChunkInput]) throws(ReelFault) -> [ChunkRecord] {
    for chunk in chunks where UInt64(chunk.payload.count) > limits.payloadBytes {
      throw ReelFault(
        .tooLarge,
        "Chunk \(chunk.sequence) has \(chunk.payload.count) bytes, over \(limits.payloadBytes).")
    }
    return try settle(chunks.map(queued), thenSync: false)
  }

  /// Makes everything written power-safe: the file's data, and once for each new file the
  /// directories that name it. Does nothing when everything is.
  ///
  /// - Returns: chunks that had to move because their reel failed; usually none.
  /// - Throws: as ``append(_:)-([ChunkInput])``.
  package func sync() throws(ReelFault) -> [ChunkRecord] { try settle([], thenSync: true) }

  /// Syncs, and closes the last reel, whatever the sync did. Idempotent.
  ///
  /// - Returns: as ``sync()``.
  /// - Throws: as ``sync()``; the marks then tell what is safe.
  package func finish() throws(ReelFault) -> [ChunkRecord] {
    if isClosed { return [] }
    defer {
      open?.close()
      open = nil
      isClosed = true
    }
    return try sync()
  }

  private func queued(_ chunk: ChunkInput) -> QueuedChunk {
    QueuedChunk(
      header: ChunkHeader(
        take: factory.template.take, reel: 0, sequence: chunk.sequence,
        firstFrame: chunk.firstFrame, frames: chunk.frames,
        length: UInt32(chunk.payload.count), hostTime: chunk.hostTime,
        sha256: chunk.sha256 ?? hashing.sha256(chunk.payload.span)),
      payload: chunk.payload, reported: false)
  }

  /// Writes what waits and then the new chunks, and syncs if asked. One failed reel is forgiven.
  private func settle(
    _ new: [QueuedChunk], thenSync: Bool
  ) throws(ReelFault) -> [ChunkRecord] {
    guard !isClosed else { throw ReelFault(.closed, "The take's writer is finished.") }
    var queue = carried + new
    carried = []
    var answer: [ChunkRecord] = []
    var mayFail = true
    while true {
      do throws(ReelFault) {
        try drain(&queue, into: &answer)
        if thenSync { try makeSafe() }
        atRisk.report(keeping: limits.keptBytes)
        return answer
      } catch {
        queue.insert(contentsOf: abandonReel(after: error, answered: &answer), at: 0)
        if error.code == .full || !mayFail {
          carried = queue.filter(\.reported)
          atRisk.report(keeping: limits.keptBytes)
          var fault = error
          fault.written = answer
          throw fault
        }
        mayFail = false
      }
    }
  }

  /// Writes the queue, a reel at a time. What was written leaves the queue and is answered.
  private func drain(
    _ queue: inout [QueuedChunk], into answer: inout [ChunkRecord]
  ) throws(ReelFault) {
    while let first = queue.first {
      let frame = ChunkHeader.byteCount + UInt64(first.header.length)
      if let reel = open, !reel.takes(frameEnd: reel.end + frame, asFirst: true) {
        try makeSafe()
        reel.close()
        open = nil
      }
      if open == nil {
        open = try factory.begin(with: first.header, in: files)
        reels.append(ReelWritten(reel: factory.lastNumber))
      }
      let begin = open?.end ?? 0
      let records = try writeRun(of: &queue)
      let end = records.last?.end ?? begin
      bytesWritten += end - begin
      reels[reels.count - 1].bytes = end
      reels[reels.count - 1].chunks += UInt64(records.count)
      for (chunk, record) in zip(queue, records) { atRisk.add(chunk, at: record) }
      queue.removeFirst(records.count)
      answer.append(contentsOf: records)
    }
  }

  /// Writes chunks from the queue's head into the open reel: as many as it takes, with one write;
  /// on a full disk one alone, so that all that fit are kept (J8).
  private func writeRun(of queue: inout [QueuedChunk]) throws(ReelFault) -> [ChunkRecord] {
    let (parts, records) = encodeRun(of: &queue, upTo: isTight ? 1 : .max)
    do throws(ReelFault) {
      try open?.write(parts, isGroup: records.count > 1)
      return records
    } catch {
      guard error.code == .full, records.count > 1, open?.state == .writable else { throw error }
      isTight = true
      return try writeRun(of: &queue)
    }
  }

  /// The frames of as many chunks from the queue's head as the open reel takes, in parts: the
  /// payloads are written from where they are.
  private func encodeRun(
    of queue: inout [QueuedChunk], upTo most: Int
  ) -> (parts: [[UInt8]], records: [ChunkRecord]) {
    guard let reel = open else { return ([], []) }
    var head = reel.head
    var parts: [[UInt8]] = []
    var records: [ChunkRecord] = []
    for index in queue.indices.prefix(most) {
      queue[index].header.reel = reel.number
      let start = records.last?.end ?? reel.end + UInt64(head.count)
      let record = ChunkRecord(queue[index].header, at: start)
      guard reel.takes(frameEnd: record.end, asFirst: records.isEmpty) else { break }
      queue[index].header.encode(into: &head)
      parts += [head, queue[index].payload]
      records.append(record)
      head = []
    }
    return (parts, records)
  }

  /// Syncs the open reel, then the directories that do not durably name it yet.
  private func makeSafe() throws(ReelFault) {
    guard let last = atRisk.entries.last else { return }
    try open?.sync()
    do throws(ReelFault) {
      try factory.syncDirectories(in: files)
    } catch {
      open?.fail()
      throw error
    }
    powerSafeThrough = last.header.sequence
    atRisk.removeAll()
  }

  /// After a fault: takes the reel out of use if it failed, and answers its chunks that are not
  /// power-safe, to be written again. A new reel that the disk has no room for is removed.
  private func abandonReel(
    after fault: ReelFault, answered answer: inout [ChunkRecord]
  ) -> [QueuedChunk] {
    guard let reel = open else { return [] }
    reels[reels.count - 1].fault = fault
    if reel.state == .ended, reel.end == 0 {
      reel.close()
      try? files.unlink(reel.file.path)
      reels.removeLast()
      open = nil
    }
    guard reel.state == .failed else { return [] }
    answer.removeAll { $0.reel == reel.number }
    let rescued = atRisk.entries.compactMap { rescue($0, from: reel.file) }
    atRisk.removeAll()
    reel.close()
    open = nil
    return rescued
  }

  /// The chunk with its payload, read back from the failed reel when memory has it no longer.
  private func rescue(_ entry: ChunksAtRisk.Entry, from file: any OpenFile) -> QueuedChunk? {
    let record = entry.record
    let payload =
      entry.payload
      ?? (try? file.read(at: record.payloadOffset, count: Int64(record.length))) ?? []
    guard entry.payload != nil || hashing.sha256(payload) == record.sha256 else {
      lost.append(record)
      return nil
    }
    return QueuedChunk(header: entry.header, payload: payload, reported: entry.reported)
  }
}
