package import HoldfastModel
package import HoldfastPlatform

/// Drives a ``TakeJournal`` on its own thread: takes pieces from a ring, writes groups of chunks,
/// hands on acknowledgements and rows.
///
/// One thread a take. The caller's side of the ring is wait-free; what comes faster than the disk
/// takes it is dropped there, counted, and becomes a jump (overflow). While a flush is under way
/// pieces gather, so that the next group is larger: the syncs a chunk costs fall with the load.
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
    /// Sample frames that were taken in and could not be written.
    package var lostFrames: UInt64
    /// How many chunks from the first on are power-safe.
    package var powerSafeChunks: UInt64
  }

  private struct State: Sendable {
    var isEnding = false
    var wantsSync = false
    var outcome: Outcome?
    var peak: Float = 0
    var waiters: [@Sendable (Outcome) -> Void] = []
  }

  package let take: OpenTake
  package let ring: AudioRing
  private let wake: WakeSignal
  private let room = WakeSignal()
  private let state = Locked(State())
  private let hooks: Hooks
  /// How long the thread sleeps at most when nothing comes: rows and paced syncs are due by time.
  private static let tick: UInt64 = 1_000_000_000

  /// Starts the thread.
  ///
  /// - Throws: when the system gives no thread.
  package init(
    _ journal: sending TakeJournal, ring: AudioRing, wake: WakeSignal, _ hooks: Hooks
  ) throws(FileFault) {
    take = journal.take
    self.ring = ring
    self.wake = wake
    self.hooks = hooks
    let box = Box(journal)
    _ = try BackgroundThread(name: "holdfast-take") { [self] in run(box.journal) }
  }

  /// Hands the journal, which no one else has, to the thread.
  private struct Box: @unchecked Sendable {
    let journal: TakeJournal
    init(_ journal: TakeJournal) { self.journal = journal }
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
    wake.signal()
  }

  private func run(_ journal: TakeJournal) {
    var fault: ReelFault?
    do throws(ReelFault) {
      while try step(journal) {}
    } catch { fault = error }
    end(journal, fault)
  }

  private var isDrained: Bool { ring.peekRecord() == nil }

  /// One round: drain, write, hand on. False when the take ends.
  private func step(_ journal: TakeJournal) throws(ReelFault) -> Bool {
    let isEnding = state.withLock { $0.isEnding }
    drain(journal)
    if journal.hasReady || !isEnding { try write(journal) }
    let due = journal.takeDueRows()
    if !due.isEmpty { hooks.index(due) }
    if isEnding && isDrained { return false }
    if state.withLock({ $0.wantsSync }) {
      state.withLock { $0.wantsSync = false }
      _ = try journal.synchronize()
    }
    if isDrained && !isEnding { _ = wake.wait(timeoutNanoseconds: Self.tick) }
    return true
  }

  private func drain(_ journal: TakeJournal) {
    var piece: [UInt8] = []
    while !journal.isFull {
      piece.removeAll(keepingCapacity: true)
      guard let record = ring.pop(into: &piece) else { break }
      journal.offer(piece, dropped: record.droppedBefore)
    }
    room.signal()
    let peak = journal.takePeak()
    if peak > 0 { state.withLock { $0.peak = max($0.peak, peak) } }
  }

  private func write(_ journal: TakeJournal) throws(ReelFault) {
    let answered = try journal.write()
    if !answered.isEmpty { hooks.acknowledged(answered, journal.mark) }
  }

  private func end(_ journal: TakeJournal, _ fault: ReelFault?) {
    var fault = fault
    if fault == nil {
      let trailing = ring.takeTrailingDrops()
      if trailing > 0 { journal.skip(trailing) }
      do throws(ReelFault) {
        let answered = try journal.finish()
        if !answered.isEmpty { hooks.acknowledged(answered, journal.mark) }
      } catch { fault = error }
    }
    if let fault {
      journal.abandon()
      hooks.failed(fault)
    }
    let outcome = Outcome(
      records: journal.takeRows(), fault: fault, lostFrames: journal.unwrittenFrames,
      powerSafeChunks: journal.powerSafeChunks)
    let waiters = state.withLock { state in
      state.outcome = outcome
      return state.waiters
    }
    room.signal()
    for waiter in waiters { waiter(outcome) }
  }
}
