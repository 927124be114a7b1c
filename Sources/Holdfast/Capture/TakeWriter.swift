import HoldfastAudio
public import HoldfastModel
import HoldfastPlatform
package import HoldfastStore

/// Takes the sample frames of one take.
///
/// ``append(_:frames:hostTime:)`` is made for an audio thread: it copies into a ring that was
/// allocated beforehand and returns; it takes no lock and allocates nothing. A thread of the take's
/// own cuts chunks, writes them and makes them durable. Frames that come faster than the disk takes
/// them are dropped, counted, and become a gap with the reason *overflow*.
public final class TakeWriter: OpenTakeHandle {
  package let take: OpenTake
  private let pump: TakePump
  private let session: CaptureSession
  private let state: Locked<State>
  private let bytesPerFrame: UInt32
  private let channels: UInt32
  private let isPlanar: Bool

  private struct State: Sendable {
    var acknowledgedFrames: UInt64 = 0
    /// Chunks whose rows are due and not committed, in their order.
    var unindexed: [ChunkRecord] = []
    var isEnded = false
    var onAcknowledged: (@Sendable ([ChunkRecord], ChunkMark) -> Void)?
    var onFault: (@Sendable (HoldfastError) -> Void)?
  }

  private init(
    _ take: OpenTake, _ session: CaptureSession, _ pump: TakePump, _ state: Locked<State>,
    input: AudioFormat, isPlanar: Bool
  ) {
    self.take = take
    self.session = session
    self.pump = pump
    self.state = state
    bytesPerFrame = input.bytesPerFrame
    channels = input.channels
    self.isPlanar = isPlanar
  }

  /// Sample frames of a full chunk.
  static func chunkFrames(_ format: AudioFormat, _ length: Duration) -> UInt64 {
    let seconds =
      Double(length.components.seconds) + Double(length.components.attoseconds) / 1e18
    let bounded = min(max(seconds.isFinite ? seconds : 1, 0.1), 60)
    // A chunk never takes more than half a reel, however many channels a frame has.
    let most = largestChunk / UInt64(max(format.bytesPerFrame, 1))
    return min(max(UInt64((bounded * format.sampleRate).rounded()), 1), max(most, 1))
  }

  /// Bytes of a chunk at most: half a reel.
  private static let largestChunk: UInt64 = 4 << 20
  /// Seconds of audio for which the ring has room.
  private static let ringSeconds: Double = 4

  static func start(
    _ take: OpenTake, _ session: CaptureSession, input: AudioFormat, isPlanar: Bool,
    chunkFrames: UInt64, _ durability: ChunkDurability, ringBytes: UInt32?, measuresPeak: Bool
  ) async throws(HoldfastError) -> TakeWriter {
    let wake = WakeSignal()
    let wanted = Double(input.bytesPerFrame) * input.sampleRate * ringSeconds
    let ring = AudioRing(
      capacityBytes: ringBytes ?? UInt32(min(max(wanted, 65_536), 16_777_216)), wake: wake)
    let state = Locked(State())
    let hooks = Self.hooks(take, session, state)
    let pump = try await session.host.read { writer throws(HoldfastError) in
      let journal = try writer.makeJournal(take, chunkFrames: chunkFrames, durability)
      do {
        try journal.cutter.convert(from: input)
        journal.cutter.measuresPeak = measuresPeak
        return try TakePump(journal, ring: ring, wake: wake, hooks)
      } catch { throw StoreFaults.error(error, path: writer.layout.directory) }
    }
    return TakeWriter(take, session, pump, state, input: input, isPlanar: isPlanar)
  }

  private static func hooks(
    _ take: OpenTake, _ session: CaptureSession, _ state: Locked<State>
  ) -> TakePump.Hooks {
    let host = session.host
    let id = take.take
    return TakePump.Hooks(
      acknowledged: { records, mark in
        let hook = state.withLock { state in
          let end = records.map { $0.firstFrame + UInt64($0.frames) }.max() ?? 0
          state.acknowledgedFrames = max(state.acknowledgedFrames, end)
          return state.onAcknowledged
        }
        hook?(records, mark)
        session.changed()
      },
      index: { records in
        // The rows first, then the call that takes them: calls may overtake each other, rows never.
        state.withLock { $0.unindexed += records }
        Task {
          // None left: the end took them, and the store may be closed since.
          guard state.withLock({ !$0.unindexed.isEmpty }) else { return }
          try? await host.write { writer throws(HoldfastError) in try index(id, state, writer) }
        }
      },
      failed: { fault in
        let error = StoreFaults.error(fault)
        let hook = state.withLock { $0.onFault }
        session.fail(error)
        hook?(error)
      })
  }

  /// Commits the rows that are due. Rows whose commit failed wait for the next, or for the end.
  private static func index(
    _ take: TakeID, _ state: Locked<State>, _ writer: StoreWriter
  ) throws(HoldfastError) {
    let rows = takeRows(state)
    do throws(HoldfastError) { try writer.index(rows, of: take) } catch {
      state.withLock { $0.unindexed.insert(contentsOf: rows, at: 0) }
      throw error
    }
  }

  private static func takeRows(_ state: Locked<State>) -> [ChunkRecord] {
    state.withLock { state in
      defer { state.unindexed = [] }
      return state.unindexed
    }
  }

  /// Copies sample frames into the ring.
  ///
  /// - Parameters:
  ///   - bytes: whole sample frames in the format that the take was begun with; for a format that
  ///     is not interleaved, the channels one after the other.
  ///   - frames: how many.
  ///   - hostTime: the audio clock's time of the first one; 0 when it is unknown.
  /// - Returns: false when there was no room, or the take has ended: the frames are then counted as
  ///   dropped.
  @discardableResult
  public func append(
    _ bytes: UnsafeRawBufferPointer, frames: UInt32, hostTime: UInt64
  ) -> Bool {
    // Bytes that are not whole frames would shift every later sample: refused, the take goes on.
    guard UInt64(bytes.count) == UInt64(frames) * UInt64(bytesPerFrame) else { return false }
    guard isPlanar, channels > 1 else {
      return unsafe pump.ring.push(bytes, frames: frames, hostTime: hostTime)
    }
    // Up to 1,024 bytes of such memory are the stack's: 64 channels.
    return unsafe withUnsafeTemporaryAllocation(
      of: UnsafeRawBufferPointer.self, capacity: Int(channels)
    ) { apart in
      let each = bytes.count / Int(channels)
      for channel in 0..<Int(channels) {
        let piece = unsafe bytes[channel * each..<(channel + 1) * each]
        unsafe apart.initializeElement(
          at: channel, to: UnsafeRawBufferPointer(rebasing: piece))
      }
      return unsafe append(
        channels: UnsafeBufferPointer(apart), frames: frames, hostTime: hostTime)
    }
  }

  /// Copies sample frames whose channels lie in buffers of their own into the ring, as audio
  /// callbacks give them. No lock, no allocation.
  ///
  /// - Parameters:
  ///   - buffers: one buffer a channel, each with `frames` samples of the take's format; or a
  ///     single buffer of all channels, whose samples then alternate.
  ///   - frames: how many sample frames they are.
  ///   - hostTime: the audio clock's time of the first one; 0 when it is unknown.
  /// - Returns: false when there was no room, or the take has ended: the frames are then counted as
  ///   dropped; false too for buffers of another size or number.
  @discardableResult
  public func append(
    channels buffers: UnsafeBufferPointer<UnsafeRawBufferPointer>, frames: UInt32,
    hostTime: UInt64
  ) -> Bool {
    let width = bytesPerFrame / UInt32(max(buffers.count, 1))
    guard buffers.count == 1 || buffers.count == Int(channels),
      unsafe buffers.allSatisfy({ UInt64($0.count) == UInt64(frames) * UInt64(width) })
    else { return false }
    guard buffers.count > 1 else {
      return unsafe pump.ring.push(buffers[0], frames: frames, hostTime: hostTime)
    }
    return unsafe pump.ring.push(
      planar: buffers, bytesPerSample: width, frames: frames, hostTime: hostTime)
  }

  /// Copies whole sample frames into the ring, waiting for room: for files and pipes.
  ///
  /// - Returns: false when the take has ended.
  package func appendWaiting(_ bytes: [UInt8]) -> Bool {
    let room = UInt32(bytes.count) + AudioRing.headerBytes * 2
    guard pump.waitForRoom(min(room, pump.ring.capacityBytes / 2)) else { return false }
    let frames = UInt32(bytes.count) / bytesPerFrame
    return unsafe bytes.withUnsafeBytes { raw in
      unsafe pump.ring.push(raw, frames: frames, hostTime: 0)
    }
  }

  /// The most bytes that one call of ``appendWaiting(_:)`` may carry.
  package var largestPiece: UInt32 { pump.ring.capacityBytes / 4 / bytesPerFrame * bytesPerFrame }

  /// Ends the take: what was appended is made power-safe, and the take is closed.
  ///
  /// - Parameter reason: why; it becomes the reason of the gap that follows.
  /// - Throws: `diskFull`, `medium` when the last frames could not be written; what was
  ///   acknowledged is kept.
  public func end(_ reason: GapReason) async throws(HoldfastError) {
    let isFirst = state.withLock { state in
      defer { state.isEnded = true }
      return !state.isEnded
    }
    guard isFirst else { return }
    let outcome = await withCheckedContinuation { continuation in
      pump.finish { continuation.resume(returning: $0) }
    }
    defer { session.forget(self) }
    let id = take.take
    let why = outcome.fault.map { StoreFaults.reason($0) } ?? reason
    let lost = Double(outcome.lostFrames) / take.format.sampleRate * 1e9
    let state = state
    try await session.host.write { writer throws(HoldfastError) in
      try writer.closeTake(
        id, Self.takeRows(state) + outcome.records, reason: why,
        droppedFrames: outcome.droppedFrames, lostNanoseconds: lost.isFinite ? Int64(lost) : 0,
        safeChunks: outcome.safeChunks)
    }
    if let fault = outcome.fault { throw StoreFaults.error(fault) }
  }

  package func wantRows() { pump.wantRows() }

  package func endSoon() { pump.finish { _ in } }

  /// Called on the take's thread for each group of acknowledged chunks, and when the medium fails.
  package func observe(
    acknowledged: @escaping @Sendable ([ChunkRecord], ChunkMark) -> Void,
    fault: @escaping @Sendable (HoldfastError) -> Void
  ) {
    state.withLock { state in
      state.onAcknowledged = acknowledged
      state.onFault = fault
    }
  }

  package var progress: TakeProgress {
    var progress = TakeProgress()
    let frames = state.withLock { $0.acknowledgedFrames }
    progress.seconds = Double(frames) / take.format.sampleRate
    progress.droppedFrames = Int64(clamping: pump.ring.droppedFrames)
    progress.bytesPerSecond = Double(take.format.bytesPerFrame) * take.format.sampleRate
    progress.peak = pump.takePeak()
    return progress
  }
}
