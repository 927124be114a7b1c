package import HoldfastModel

/// When a chunk becomes power-safe (J2).
package enum ChunkDurability: Hashable, Sendable {
  /// At each append: a chunk is acknowledged when it is power-safe.
  case power
  /// Every ``ChunkJournal/pace``, at take end, at suspend; acknowledged when written.
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

/// Writes the chunks of a take, makes them power-safe, and knows which rows are due: the second
/// half of a take's engine, without threads.
///
/// Invariants:
/// - J2: a chunk is answered by ``write(_:captured:)`` only at the mark of the chosen durability.
/// - A chunk is answered once, though its reel failed and it was written again to another.
/// - Rows follow after ten chunks or ten seconds (DESIGN section 5), never on the way of a chunk.
package final class ChunkJournal {
  /// Seconds between power-safe points when paced, and the most that rows wait: 10 s in
  /// nanoseconds.
  package static let pace: Int64 = 10_000_000_000
  /// Chunks whose rows are written together.
  package static let batch: UInt64 = 10

  package let take: OpenTake
  private let writer: ReelWriter
  private let durability: ChunkDurability
  private let clock: any DeviceClock
  private let launchFile: LaunchFile
  private var unindexed: [ChunkRecord] = []
  private var unindexedSince: Int64?
  private var lastSync: Int64
  private var hasUnsynced = false
  /// The sequence of the first chunk that was not answered yet.
  private var unanswered: UInt64 = 0
  /// Sample frames taken in, by the last word.
  private var captured: UInt64 = 0
  /// The sample frame after the last one that was written, and after the last power-safe one.
  private var written: UInt64 = 0
  private var safe: UInt64 = 0

  /// A journal that writes by `writer`, which no one else uses.
  package init(
    _ take: OpenTake, _ writer: ReelWriter, _ durability: ChunkDurability,
    clock: any DeviceClock, launchFile: LaunchFile
  ) {
    self.take = take
    self.writer = writer
    self.durability = durability
    self.clock = clock
    self.launchFile = launchFile
    lastSync = clock.now().monotonicNanoseconds
  }

  /// The mark at which ``write(_:captured:)`` answers.
  package var mark: ChunkMark { durability == .power ? .powerSafe : .written }

  /// How many chunks, from the first on, are power-safe.
  package var safeChunks: UInt64 { writer.powerSafeThrough.map { $0 + 1 } ?? 0 }

  /// Writes chunks, and makes them power-safe when that is the durability.
  ///
  /// - Parameter captured: sample frames taken in so far, for the launch file.
  /// - Returns: the chunks that are acknowledged now, at ``mark``.
  /// - Throws: why the medium does not take them; what was answered before stays.
  package func write(
    _ group: [ChunkInput], captured: UInt64
  ) throws(ReelFault) -> [ChunkRecord] {
    let now = clock.now().monotonicNanoseconds
    self.captured = captured
    var answered: [ChunkRecord] = []
    if !group.isEmpty {
      do throws(ReelFault) { answered = try writer.append(group) } catch {
        // What stands on the disk gets its row, though nobody was told of it.
        note(error.written, captured, now)
        noteCaptured()
        throw error
      }
      hasUnsynced = true
    }
    if hasUnsynced && syncIsDue(now) {
      do throws(ReelFault) { answered += try writer.sync() } catch {
        note(answered + error.written, captured, now)
        noteCaptured()
        throw error
      }
      lastSync = now
      hasUnsynced = false
    }
    note(answered, captured, now)
    return fresh(answered)
  }

  /// Those of the chunks that were not answered before, each where it stands last.
  private func fresh(_ records: [ChunkRecord]) -> [ChunkRecord] {
    var last: [UInt64: ChunkRecord] = [:]
    for record in records where record.sequence >= unanswered { last[record.sequence] = record }
    unanswered = max(unanswered, last.keys.max().map { $0 + 1 } ?? 0)
    return last.values.sorted { $0.sequence < $1.sequence }
  }

  private func syncIsDue(_ now: Int64) -> Bool {
    switch durability {
    case .power: true
    case .paced: now - lastSync >= Self.pace
    case .process: false
    }
  }

  private func note(_ records: [ChunkRecord], _ captured: UInt64, _ now: Int64) {
    guard !records.isEmpty else { return }
    unindexed += records
    unindexedSince = unindexedSince ?? now
    written = max(written, records.map { $0.firstFrame + UInt64($0.frames) }.max() ?? 0)
    noteCaptured()
  }

  /// Notes how far the take came in: what could not be written is lost, and its length is known;
  /// what is power-safe need not be synced by who recovers it.
  private func noteCaptured() {
    if !hasUnsynced && writer.lost.isEmpty { safe = written }
    launchFile.captured(
      take.take, frames: captured, written: written, safe: safe,
      sampleRate: take.format.sampleRate)
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
  package func synchronize(captured: UInt64) throws(ReelFault) -> [ChunkRecord] {
    let now = clock.now().monotonicNanoseconds
    let moved = try noted(captured, now) { () throws(ReelFault) in try writer.sync() }
    hasUnsynced = false
    lastSync = now
    noteCaptured()
    return fresh(moved)
  }

  /// Ends the take: everything is power-safe, the last reel is closed.
  ///
  /// - Returns: the chunks that are acknowledged by it.
  package func finish(captured: UInt64) throws(ReelFault) -> [ChunkRecord] {
    let now = clock.now().monotonicNanoseconds
    return fresh(try noted(captured, now) { () throws(ReelFault) in try writer.finish() })
  }

  /// Gives up after a fault: what was written is made power-safe if that can be done, and the file
  /// is closed.
  package func abandon() { _ = try? finish(captured: captured) }

  /// Chunks that moved get their rows, whether the call ends well or not: nothing that stands on
  /// the disk is unlisted.
  private func noted(
    _ captured: UInt64, _ now: Int64, _ call: () throws(ReelFault) -> [ChunkRecord]
  ) throws(ReelFault) -> [ChunkRecord] {
    do throws(ReelFault) {
      let moved = try call()
      note(moved, captured, now)
      return moved
    } catch {
      note(error.written, captured, now)
      throw error
    }
  }
}

/// Both halves of a take's engine in one thread: cuts, and writes when it is told to.
package final class TakeJournal {
  /// The most chunks, and the most bytes, that are written before a sync.
  package static let groupChunks: UInt64 = 64
  package static let groupBytes: UInt64 = 1 << 20

  /// The half that cuts.
  package let cutter: ChunkCutter
  /// The half that writes.
  package let chunks: ChunkJournal
  private var ready: [ChunkInput] = []
  private var readyBytes: UInt64 = 0

  /// An engine of two halves that no one else uses.
  package init(_ cutter: ChunkCutter, _ chunks: ChunkJournal) {
    self.cutter = cutter
    self.chunks = chunks
  }

  /// The take.
  package var take: OpenTake { chunks.take }

  /// Sample frames taken in, dropped ones counted.
  package var capturedFrames: UInt64 { cutter.capturedFrames }

  /// Whether enough waits that a group should be written before more is taken.
  package var isFull: Bool {
    UInt64(ready.count) >= Self.groupChunks || readyBytes >= Self.groupBytes
  }

  /// Takes a piece of interleaved PCM: ``ChunkCutter/offer(_:dropped:hostTime:)``.
  package func offer(_ piece: [UInt8], dropped: UInt64 = 0) {
    cutter.offer(piece, dropped: dropped)
    gather()
  }

  /// Takes a chunk that was cut elsewhere: ``ChunkCutter/offer(chunk:frames:sha256:hostTime:)``.
  package func offer(chunk payload: [UInt8], frames: UInt32, sha256: Digest? = nil) {
    cutter.offer(chunk: payload, frames: frames, sha256: sha256)
    gather()
  }

  /// Counts frames that never came: ``ChunkCutter/skip(_:)``.
  package func skip(_ frames: UInt64) {
    cutter.skip(frames)
    gather()
  }

  private func gather() {
    for chunk in cutter.takeReady() {
      readyBytes += UInt64(chunk.payload.count)
      ready.append(chunk)
    }
  }

  /// Writes what is cut: ``ChunkJournal/write(_:captured:)``.
  package func write() throws(ReelFault) -> [ChunkRecord] {
    defer {
      ready = []
      readyBytes = 0
    }
    return try chunks.write(ready, captured: cutter.capturedFrames)
  }

  /// All chunks that have no row yet.
  package func takeRows() -> [ChunkRecord] { chunks.takeRows() }

  /// Ends the take: the last, shorter chunk is cut, everything is written and power-safe.
  ///
  /// - Returns: the chunks that are acknowledged by it.
  package func finish() throws(ReelFault) -> [ChunkRecord] {
    cutter.finish()
    gather()
    let answered = try write()
    return try answered + chunks.finish(captured: cutter.capturedFrames)
  }

  /// Gives up after a fault: closes the file without another try. What was answered is kept.
  package func abandon() { chunks.abandon() }
}
