package import HoldfastModel
package import HoldfastPlatform

/// Drives a ``TakeJournal`` on two threads of its own: one takes pieces from a ring, cuts and
/// hashes; one writes groups of chunks and hands on acknowledgements and rows.
///
/// The caller's side of the ring is wait-free; what comes faster than the disk takes it is dropped
/// there, counted, and becomes a jump (overflow). While a flush is under way chunks gather, so that
/// the next group is larger: the syncs a chunk costs fall with the load, and hashing costs the
/// flush nothing.
package final class TakePump: Sendable {
  /// What the pump tells; called on its thread.
  package struct Hooks: Sendable {
    /// Chunks that are acknowledged, and at which mark.
    package var acknowledged: @Sendable ([ChunkRecord], ChunkMark) -> Void
    /// Chunks whose rows are due.
    package var index: @Sendable ([ChunkRecord]) -> Void
    /// The medium failed; the take ends with what was acknowledged.
    package var failed: @Sendable (ReelFault) -> Void

    package init(
      acknowledged: @escaping @Sendable ([ChunkRecord], ChunkMark) -> Void,
      index: @escaping @Sendable ([ChunkRecord]) -> Void,
      failed: @escaping @Sendable (ReelFault) -> Void
    ) {
      self.acknowledged = acknowledged
      self.index = index
      self.failed = failed
    }
  }

  /// What is left when a take has ended.
  package struct Outcome: Sendable {
    /// Chunks without rows.
    package var records: [ChunkRecord]
    /// Why it ended early; nil when it did not.
    package var fault: ReelFault?
    /// Sample frames that were taken in and could not be written; 0 without a fault.
    package var lostFrames: UInt64
    /// Sample frames that were dropped after the last chunk, for want of room in the ring.
    package var droppedFrames: UInt64
    /// How many chunks, from the first on, are power-safe.
    package var safeChunks: UInt64
  }

  private struct State: Sendable {
    var isEnding = false
    var wantsSync = false
    var wantsRows = false
    var outcome: Outcome?
    var peak: Float = 0
    var waiters: [@Sendable (Outcome) -> Void] = []
  }

  /// A chunk on its way to the disk, and how many sample frames had been taken in by then.
  private struct Cut: Sendable {
    var chunk: ChunkInput
    var captured: UInt64
  }

  package let take: OpenTake
  package let ring: AudioRing
  private let wake: WakeSignal
  private let room = WakeSignal()
  private let cuts = Handoff<Cut>(limit: TakeJournal.groupBytes)
  private let state = Locked(State())
  private let hooks: Hooks
  /// How long a thread sleeps at most when nothing comes: rows and paced syncs are due by time.
  private static let tick: UInt64 = 1_000_000_000
  /// What the smallest chunk counts in the queue, so that it bounds their number as well.
  private static let smallestCost = TakeJournal.groupBytes / TakeJournal.groupChunks

  /// Starts the threads.
  ///
  /// - Throws: when the system gives none; none runs then.
  package init(
    _ journal: sending TakeJournal, ring: AudioRing, wake: WakeSignal, _ hooks: Hooks
  ) throws(FileFault) {
    take = journal.take
    self.ring = ring
    self.wake = wake
    self.hooks = hooks
    let halves = Halves(cutter: journal.cutter, chunks: journal.chunks)
    let cutting = try BackgroundThread(name: "holdfast-cut") { [self] in
      cut(halves.cutter)
    }
    do {
      _ = try BackgroundThread(name: "holdfast-take") { [self] in
        write(halves.chunks) {
          cutting.join()
          return halves.cutter.capturedFrames
        }
      }
    } catch {
      cuts.close()
      wake.signal()
      throw error
    }
  }

  /// Hands the two halves, which no one else has, to their threads. The cutter is read by the
  /// writing thread once the cutting one has ended.
  private struct Halves: @unchecked Sendable {
    let cutter: ChunkCutter
    let chunks: ChunkJournal
  }

  /// Whether the take has ended, by a call or by a fault.
  package var hasEnded: Bool { state.withLock { $0.outcome != nil } }

  /// Waits until the ring has room for so many bytes. For callers that may block: files and pipes.
  ///
  /// - Returns: false when the take has ended.
  package func waitForRoom(_ bytes: UInt32) -> Bool {
    while ring.freeBytes < bytes {
      if hasEnded { return false }
      _ = room.wait(timeoutNanoseconds: 20_000_000)
    }
    return !hasEnded
  }

  /// The highest sample since the last call, 0…1.
  package func takePeak() -> Float {
    state.withLock { state in
      defer { state.peak = 0 }
      return state.peak
    }
  }

  /// Ends the take: everything in the ring is written first. Answers when it is power-safe.
  package func finish(_ done: @escaping @Sendable (Outcome) -> Void) {
    let ended: Outcome? = state.withLock { state in
      state.isEnding = true
      if state.outcome == nil { state.waiters.append(done) }
      return state.outcome
    }
    if let ended { done(ended) } else { wake.signal() }
  }

  /// Asks for everything written to become power-safe soon.
  package func synchronize() {
    state.withLock { $0.wantsSync = true }
    cuts.poke()
  }

  /// Asks for the rows of everything written, before they are due: work needs them.
  package func wantRows() {
    state.withLock { $0.wantsRows = true }
    cuts.poke()
  }

  // MARK: the cutting thread

  private func cut(_ cutter: ChunkCutter) {
    var goesOn = true
    while goesOn {
      let isEnding = state.withLock { $0.isEnding }
      while goesOn && cutter.take(from: ring) {
        room.signal()
        goesOn = handOn(cutter)
      }
      notePeak(of: cutter)
      if isEnding { break }
      if goesOn && ring.isEmpty { wake.wait() }
      goesOn = goesOn && !cuts.isClosed
    }
    ring.close()
    if goesOn {
      cutter.finish()
      _ = handOn(cutter)
    } else {
      // Nobody writes any more: what is in the ring is counted, and lost.
      while let frames = ring.drop() { cutter.skip(input: frames) }
    }
    cutter.skip(input: ring.takeTrailingDrops())
    cuts.finish()
  }

  /// Passes what is cut to the writing thread; waits while that has enough to do.
  private func handOn(_ cutter: ChunkCutter) -> Bool {
    for chunk in cutter.takeReady() {
      let cost = max(UInt64(chunk.payload.count), Self.smallestCost)
      guard cuts.put(Cut(chunk: chunk, captured: cutter.capturedFrames), cost: cost) else {
        return false
      }
    }
    return true
  }

  private func notePeak(of cutter: ChunkCutter) {
    let peak = cutter.takePeak()
    if peak > 0 { state.withLock { $0.peak = max($0.peak, peak) } }
  }

  // MARK: the writing thread

  private func write(_ journal: ChunkJournal, captured: () -> UInt64) {
    var written: UInt64 = 0
    var fault: ReelFault?
    do throws(ReelFault) {
      while try step(journal, &written) {}
      note(try journal.finish(captured: written), journal, &written)
    } catch {
      fault = error
      journal.abandon()
      cuts.close()
      wake.signal()
      hooks.failed(error)
    }
    let records = journal.takeRows()
    written = max(written, records.map { $0.firstFrame + UInt64($0.frames) }.max() ?? 0)
    let left = captured() - min(written, captured())
    let outcome = Outcome(
      records: records, fault: fault, lostFrames: fault == nil ? 0 : left,
      droppedFrames: fault == nil ? left : 0, safeChunks: journal.safeChunks)
    let waiters = state.withLock { state in
      state.outcome = outcome
      return state.waiters
    }
    room.signal()
    for waiter in waiters { waiter(outcome) }
  }

  /// One round: take, write, hand on. False after the last chunk.
  private func step(
    _ journal: ChunkJournal, _ written: inout UInt64
  ) throws(ReelFault) -> Bool {
    let (group, isOver) = cuts.takeAll(waitingNanoseconds: Self.tick)
    let captured = group.last?.captured ?? written
    note(try journal.write(group.map(\.chunk), captured: captured), journal, &written)
    let wantsRows = state.withLock { state in
      defer { state.wantsRows = false }
      return state.wantsRows
    }
    let due = wantsRows ? journal.takeRows() : journal.takeDueRows()
    if !due.isEmpty { hooks.index(due) }
    let wantsSync = state.withLock { state in
      defer { state.wantsSync = false }
      return state.wantsSync
    }
    if wantsSync { note(try journal.synchronize(captured: captured), journal, &written) }
    return !isOver
  }

  private func note(_ answered: [ChunkRecord], _ journal: ChunkJournal, _ written: inout UInt64) {
    guard !answered.isEmpty else { return }
    written = max(written, answered.map { $0.firstFrame + UInt64($0.frames) }.max() ?? 0)
    hooks.acknowledged(answered, journal.mark)
  }
}
