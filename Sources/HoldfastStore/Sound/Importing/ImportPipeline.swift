import HoldfastAudio
import HoldfastModel
import HoldfastPlatform

/// Brings the rest of a file into the reels of an open take, on threads of its own.
///
/// Two threads read and hash (plain PCM can be cut at any place, so each takes every other piece;
/// packets are cut by one), one writes. Invariants:
/// - Pieces are written in the file's order; after the first that is short or missing nothing more
///   is.
/// - Memory is bounded by ``queueBytes`` and what a ``TakeJournal`` holds, whatever the file's
///   size.
/// - Once ``join()`` has returned no thread runs and the last reel is closed and synced.
final class ImportPipeline: Sendable {
  /// Bytes of payload between reading and writing: a reel's worth, so that a sync of one is
  /// bridged.
  static let queueBytes: UInt64 = 8 << 20
  /// Threads that read and hash plain PCM.
  static let readers: UInt64 = 2

  /// What was written.
  struct Written: Sendable {
    var records: [ChunkRecord]
    /// Bytes of the file's audio that are in reels.
    var doneBytes: UInt64
  }

  /// How it ended.
  struct Ending: Sendable {
    /// Why the medium did not take more; nil when it took everything.
    var reelFault: ReelFault?
    /// Why the file gave no more; nil when nothing is wrong.
    var sourceFault: AudioError?
    /// Whether ``ImportPipeline/stop()`` was called.
    var wasStopped = false
    /// Written and not yet handed out.
    var records: [ChunkRecord] = []
    /// Bytes of the file's audio that are in reels.
    var doneBytes: UInt64 = 0
  }

  private struct Piece: Sendable {
    var payload: [UInt8]
    var frames: UInt32
    var sha256: Digest
    var takenBytes: UInt64
  }

  private struct State: Sendable {
    var isStopping = false
    var sourceFault: AudioError?
    var ending = Ending()
  }

  private let lanes: [Handoff<Piece>]
  private let written = Handoff<Written>(limit: 64)
  private let state = Locked(State())
  private let threads = Locked<[BackgroundThread]>([])
  private let hashing: any Hashing
  private let chunkFrames: UInt64
  private let isPCM: Bool

  /// Starts the threads that bring `rest`, cut in chunks of `chunkFrames`, into a journal which is
  /// used by this object only.
  ///
  /// - Throws: when the system gives no thread; none runs then.
  init(
    _ rest: ChunkSource, chunkFrames: UInt64, _ journal: sending TakeJournal,
    hashing: any Hashing
  ) throws(FileFault) {
    self.hashing = hashing
    self.chunkFrames = chunkFrames
    isPCM = journal.take.format.isPCM
    let count = isPCM ? Self.readers : 1
    lanes = (0..<count).map { _ in Handoff(limit: Self.queueBytes / count) }
    state.withLock { $0.ending.doneBytes = rest.takenBytes }
    let box = Box(journal)
    do throws(FileFault) {
      for lane in 0..<count {
        try start("holdfast-read") { [self] in read(rest, lane: lane, of: count) }
      }
      try start("holdfast-write") { [self] in write(box.journal) }
    } catch {
      stop()
      lanes.forEach { $0.close() }
      _ = join()
      throw error
    }
  }

  /// Hands the journal, which no one else has, to the thread.
  private struct Box: @unchecked Sendable {
    let journal: TakeJournal
    init(_ journal: TakeJournal) { self.journal = journal }
  }

  private func start(_ name: String, _ body: @escaping @Sendable () -> Void) throws(FileFault) {
    let thread = try BackgroundThread(name: name, body)
    threads.withLock { $0.append(thread) }
  }

  /// What was written since the last call, waiting for it; nil when the take has ended.
  func next() -> Written? { written.take() }

  /// Ends the take with what was read so far.
  func stop() { state.withLock { $0.isStopping = true } }

  /// Waits for all threads, and answers how it ended.
  func join() -> Ending {
    for thread in threads.withLock({ $0 }) { thread.join() }
    return state.withLock { $0.ending }
  }

  private var isStopping: Bool { state.withLock { $0.isStopping } }

  // MARK: reading

  private func read(_ rest: ChunkSource, lane: UInt64, of count: UInt64) {
    var source = rest
    let queue = lanes[Int(lane)]
    do throws(AudioError) {
      if lane > 0 { source.skip(frames: lane * chunkFrames) }
      while !isStopping, let piece = try source.next() {
        let hashed = Piece(
          payload: piece.payload, frames: piece.frames, sha256: hashing.sha256(piece.payload),
          takenBytes: source.takenBytes)
        guard queue.put(hashed, cost: UInt64(piece.payload.count)) else { break }
        if count > 1 { source.skip(frames: (count - 1) * chunkFrames) }
      }
    } catch {
      state.withLock { $0.sourceFault = $0.sourceFault ?? error }
    }
    queue.finish()
  }

  // MARK: writing

  private func write(_ journal: TakeJournal) {
    var ending = state.withLock { $0.ending }
    do throws(ReelFault) {
      var index = 0
      while let piece = lanes[index % lanes.count].take() {
        index += 1
        journal.offer(chunk: piece.payload, frames: piece.frames, sha256: piece.sha256)
        ending.doneBytes = piece.takenBytes
        if journal.isFull {
          _ = try journal.write()
          tell(Written(records: journal.takeRows(), doneBytes: ending.doneBytes))
        }
        if isPCM && UInt64(piece.frames) < chunkFrames { break }
      }
      lanes.forEach { $0.close() }
      _ = try journal.finish()
      ending.records = journal.takeRows()
    } catch {
      lanes.forEach { $0.close() }
      journal.abandon()
      ending.reelFault = error
      ending.records = journal.takeRows()
    }
    end(ending)
  }

  private func tell(_ news: Written) { _ = written.put(news, cost: 1) }

  private func end(_ ending: Ending) {
    state.withLock { state in
      state.ending = ending
      state.ending.sourceFault = state.sourceFault
      state.ending.wasStopped = state.isStopping
    }
    written.finish()
  }
}
