package import HoldfastAudio
package import HoldfastModel

/// When a chunk becomes power-safe (J2).
package enum ChunkDurability: Hashable, Sendable {
  /// At each append: a chunk is acknowledged when it is power-safe.
  case power
  /// Every ``TakeJournal/pace``, at take end, at suspend; acknowledged when written.
  case paced
  /// When the system likes, and at take end; acknowledged when written.
  case process
}

/// The mark at which a chunk was acknowledged.
package struct ChunkMark: RawRepresentable, Hashable, Sendable {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }

  /// Survives the process.
  package static let written = ChunkMark(rawValue: "written")
  /// Survives power loss.
  package static let powerSafe = ChunkMark(rawValue: "powerSafe")
}

/// Cuts a stream of sample frames into chunks and writes them: the engine of a take, without
/// threads.
///
/// Invariants:
/// - J2: a chunk is answered by ``write()`` only at the mark of the chosen durability.
/// - Frames that were dropped before a piece end the chunk under way, so that a jump lies between
///   chunks and is found again from the reels alone.
/// - Rows follow after ten chunks or ten seconds (DESIGN section 5), never on the way of a chunk.
package final class TakeJournal {
  /// Seconds between power-safe points when paced, and the most that rows wait: 10 s in
  /// nanoseconds.
  package static let pace: Int64 = 10_000_000_000
  /// Chunks whose rows are written together.
  package static let batch: UInt64 = 10
  /// The most chunks, and the most bytes, that are written before a sync.
  package static let groupChunks: UInt64 = 64
  package static let groupBytes: UInt64 = 1 << 20

  package let take: OpenTake
  private let writer: ReelWriter
  private let durability: ChunkDurability
  private let clock: any DeviceClock
  private let launchFile: LaunchFile
  private let chunkFrames: UInt64

  /// The chunk under way.
  private var staging: [UInt8] = []
  private var stagingFrames: UInt64 = 0
  private var stagingFirst: UInt64 = 0
  /// Where the next frame goes, dropped ones counted.
  private var position: UInt64 = 0
  private var sequence: UInt64 = 0
  /// Cut and not yet written.
  private var ready: [ChunkInput] = []
  private(set) package var readyBytes: UInt64 = 0
  private var unindexed: [ChunkRecord] = []
  private var unindexedSince: Int64?
  private var lastSync: Int64
  private var hasUnsynced = false
  private var converter: SampleConverter?
  private var inputRate: Double = 1
  private var inputLayout = SampleLayout.interleaved
  /// Whether ``takePeak()`` is of use to somebody: it costs a look at every sample.
  package var measuresPeak = false
  /// The highest sample since ``takePeak()``, 0…1.
  private var peak: Float = 0

  /// - Parameter chunkFrames: sample frames of a full chunk, at least 1.
  package init(
    _ take: OpenTake, _ writer: ReelWriter, chunkFrames: UInt64, _ durability: ChunkDurability,
    clock: any DeviceClock, launchFile: LaunchFile
  ) {
    self.take = take
    self.writer = writer
    self.chunkFrames = max(chunkFrames, 1)
    self.durability = durability
    self.clock = clock
    self.launchFile = launchFile
    lastSync = clock.now().monotonicNanoseconds
  }

  /// The mark at which ``write()`` answers.
  package var mark: ChunkMark { durability == .power ? .powerSafe : .written }

  /// Sample frames taken in, dropped ones counted.
  package var capturedFrames: UInt64 { position }

  /// The highest sample since the last call, 0…1.
  package func takePeak() -> Float {
    defer { peak = 0 }
    return peak
  }

  /// Whether chunks wait for ``write()``.
  package var hasReady: Bool { !ready.isEmpty }

  /// Whether enough waits that a group should be written before more is taken.
  package var isFull: Bool {
    UInt64(ready.count) >= Self.groupChunks || readyBytes >= Self.groupBytes
  }

  /// Makes the journal take pieces of another PCM format, which it converts to the take's. Called
  /// before the first piece; does nothing when the formats are alike.
  package func convert(
    from input: AudioFormat, layout: SampleLayout = .interleaved
  ) throws(AudioError) {
    guard input != take.format || layout == .planar else { return }
    inputRate = input.sampleRate
    inputLayout = layout
    converter = try SampleConverter(from: input, to: take.format)
  }

  /// Takes a piece of interleaved PCM.
  ///
  /// - Parameters:
  ///   - piece: whole sample frames of the input's format.
  ///   - dropped: sample frames of the input that are missing before it.
  package func offer(_ piece: [UInt8], dropped: UInt64 = 0) {
    if dropped > 0 { skip(scaled(dropped)) }
    // A piece that is no whole number of frames is the ring's fault, never the caller's loss: it is
    // refused before the ring.
    store((try? converter?.convert(piece.span, layout: inputLayout)) ?? piece)
  }

  /// Frames of the input as frames of the take.
  private func scaled(_ frames: UInt64) -> UInt64 {
    guard converter != nil else { return frames }
    return UInt64((Double(frames) * take.format.sampleRate / inputRate).rounded())
  }

  private func store(_ bytes: [UInt8]) {
    if measuresPeak {
      peak = max(peak, PeakMeter.peak(of: bytes.span, format: take.format) ?? 0)
    }
    let frameBytes = Int(take.format.bytesPerFrame)
    var offset = 0
    while offset < bytes.count {
      let room = Int(chunkFrames - stagingFrames) * frameBytes
      let end = min(offset + room, bytes.count)
      if staging.isEmpty { staging.reserveCapacity(Int(chunkFrames) * frameBytes) }
      staging += bytes[offset..<end]
      let frames = UInt64((end - offset) / frameBytes)
      stagingFrames += frames
      position += frames
      offset = end
      if stagingFrames == chunkFrames { cut() }
    }
  }

  /// Counts frames that never came: the chunk under way ends, the next one begins after them.
  package func skip(_ frames: UInt64) {
    cut()
    position += frames
    stagingFirst = position
  }

  /// Takes a chunk that was cut elsewhere: a packet codec's, or one with its digest computed.
  package func offer(
    chunk payload: [UInt8], frames: UInt32, sha256: Digest? = nil, hostTime: UInt64? = nil
  ) {
    cut()
    queue(payload, frames: frames, sha256: sha256, hostTime: hostTime)
    position += UInt64(frames)
    stagingFirst = position
  }

  private func cut() {
    guard stagingFrames > 0 else { return }
    queue(staging, frames: UInt32(stagingFrames), sha256: nil, hostTime: nil)
    staging = []
    stagingFrames = 0
    stagingFirst = position
  }

  private func queue(
    _ payload: [UInt8], frames: UInt32, sha256: Digest?, hostTime: UInt64?
  ) {
    ready.append(
      ChunkInput(
        sequence: sequence, firstFrame: stagingFirst, frames: frames, payload: payload,
        sha256: sha256, hostTime: hostTime))
    readyBytes += UInt64(payload.count)
    sequence += 1
  }

  /// Writes what is cut, and makes it power-safe when that is the durability.
  ///
  /// - Returns: the chunks that are acknowledged now, at ``mark``.
  /// - Throws: why the medium does not take them; what was answered before stays.
  package func write() throws(ReelFault) -> [ChunkRecord] {
    let now = clock.now().monotonicNanoseconds
    var answered: [ChunkRecord] = []
    if !ready.isEmpty {
      let group = ready
      ready = []
      readyBytes = 0
      do throws(ReelFault) { answered = try writer.append(group) } catch {
        keep(group, error.written, now)
        throw error
      }
      hasUnsynced = true
    }
    if hasUnsynced && syncIsDue(now) {
      do throws(ReelFault) { answered += try writer.sync() } catch {
        keep([], answered + error.written, now)
        throw error
      }
      lastSync = now
      hasUnsynced = false
    }
    note(answered, now)
    return answered
  }

  /// After a fault: what was written all the same gets its rows, so that nothing on the disk is
  /// unlisted. The rest of the group is ready still, and counts as lost when nobody writes it.
  private func keep(_ group: [ChunkInput], _ written: [ChunkRecord], _ now: Int64) {
    let there = Set(written.map(\.sequence))
    ready = group.filter { !there.contains($0.sequence) }
    readyBytes = ready.reduce(0) { $0 + UInt64($1.payload.count) }
    if !written.isEmpty { hasUnsynced = true }
    note(written, now)
  }

  private func syncIsDue(_ now: Int64) -> Bool {
    switch durability {
    case .power: true
    case .paced: now - lastSync >= Self.pace
    case .process: false
    }
  }

  private func note(_ records: [ChunkRecord], _ now: Int64) {
    guard !records.isEmpty else { return }
    unindexed += records
    unindexedSince = unindexedSince ?? now
    let written = records.map { $0.firstFrame + UInt64($0.frames) }.max() ?? 0
    launchFile.captured(
      take.take, frames: position, written: written, sampleRate: take.format.sampleRate)
  }

  /// The chunks whose rows are due.
  package func takeDueRows() -> [ChunkRecord] {
    let age = unindexedSince.map { clock.now().monotonicNanoseconds - $0 } ?? 0
    guard UInt64(unindexed.count) >= Self.batch || age >= Self.pace else { return [] }
    return takeRows()
  }

  /// All chunks that have no row yet.
  package func takeRows() -> [ChunkRecord] {
    defer {
      unindexed = []
      unindexedSince = nil
    }
    return unindexed
  }

  /// Makes everything written power-safe now: before a receipt, at suspend.
  package func synchronize() throws(ReelFault) -> [ChunkRecord] {
    let now = clock.now().monotonicNanoseconds
    let moved: [ChunkRecord]
    do throws(ReelFault) { moved = try writer.sync() } catch {
      note(error.written, now)
      throw error
    }
    hasUnsynced = false
    lastSync = now
    note(moved, lastSync)
    return moved
  }

  /// Ends the take: the last, shorter chunk is cut, everything is written and power-safe.
  ///
  /// - Returns: the chunks that are acknowledged by it.
  package func finish() throws(ReelFault) -> [ChunkRecord] {
    if let rest = converter?.finish() { store(rest) }
    cut()
    var answered = try write()
    answered += try end()
    return answered
  }

  /// Gives up after a fault: what was written is made power-safe if that can be done, and the file
  /// is closed.
  package func abandon() { _ = try? end() }

  private func end() throws(ReelFault) -> [ChunkRecord] {
    let now = clock.now().monotonicNanoseconds
    do throws(ReelFault) {
      let moved = try writer.finish()
      note(moved, now)
      return moved
    } catch {
      note(error.written, now)
      throw error
    }
  }

  /// How many chunks from the first on are power-safe: an extent names no more.
  package var powerSafeChunks: UInt64 { writer.powerSafeThrough.map { $0 + 1 } ?? 0 }

  /// The most that is lost when the take ends by a fault now: frames taken in and not written.
  package var unwrittenFrames: UInt64 {
    ready.reduce(stagingFrames) { $0 + UInt64($1.frames) }
  }
}
