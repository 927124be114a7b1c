package import HoldfastAudio
package import HoldfastModel
package import HoldfastPlatform

/// Cuts a stream of sample frames into chunks and hashes them: the first half of a take's engine.
/// Pure: no thread, no clock, no file.
///
/// Invariants:
/// - Frames that were dropped before a piece end the chunk under way, so that a jump lies between
///   chunks and is found again from the reels alone.
/// - A chunk's SHA-256 is taken as its frames come, so that a full chunk costs no more than its
///   last piece, and the flush of the chunks before it costs it nothing.
///
/// Not thread-safe: one thread cuts.
package final class ChunkCutter {
  /// The take's format; what is offered is converted to it.
  package let format: AudioFormat
  private let chunkFrames: UInt64
  private let hashing: any Hashing

  /// The chunk under way, its digest so far, and where it begins.
  private var staging: [UInt8] = []
  private var digest: (any HashState)?
  private var stagingFrames: UInt64 = 0
  private var stagingFirst: UInt64 = 0
  private var stagingTime: UInt64?
  /// Where the next frame goes, dropped ones counted.
  private var position: UInt64 = 0
  private var sequence: UInt64 = 0
  private var ready: [ChunkInput] = []
  private var converter: SampleConverter?
  private var inputRate: Double = 1
  private var inputLayout = SampleLayout.interleaved
  private var peak: Float = 0
  /// Whether ``takePeak()`` is of use to somebody: it costs a look at every sample.
  package var measuresPeak = false

  /// - Parameter chunkFrames: sample frames of a full chunk, at least 1.
  package init(_ format: AudioFormat, chunkFrames: UInt64, hashing: any Hashing) {
    self.format = format
    self.chunkFrames = max(chunkFrames, 1)
    self.hashing = hashing
  }

  /// Sample frames taken in, dropped ones counted.
  package var capturedFrames: UInt64 { position }

  /// Sample frames of the chunk under way: what is lost when the take ends by a fault.
  package var pendingFrames: UInt64 { stagingFrames }

  /// The highest sample since the last call, 0…1.
  package func takePeak() -> Float {
    defer { peak = 0 }
    return peak
  }

  /// The chunks that are complete, once.
  package func takeReady() -> [ChunkInput] {
    defer { ready = [] }
    return ready
  }

  /// Makes the cutter take pieces of another PCM format, which it converts to the take's. Called
  /// before the first piece; does nothing when the formats are alike.
  package func convert(
    from input: AudioFormat, layout: SampleLayout = .interleaved
  ) throws(AudioError) {
    guard input != format || layout == .planar else { return }
    inputRate = input.sampleRate
    inputLayout = layout
    converter = try SampleConverter(from: input, to: format)
  }

  /// Takes a piece of interleaved PCM.
  ///
  /// - Parameters:
  ///   - piece: whole sample frames of the input's format.
  ///   - dropped: sample frames of the input that are missing before it.
  ///   - hostTime: the audio clock's time of its first frame, in ticks; 0 when unknown. A chunk
  ///     that begins with the piece keeps it.
  package func offer(_ piece: [UInt8], dropped: UInt64 = 0, hostTime: UInt64 = 0) {
    if dropped > 0 { skip(input: dropped) }
    noteTime(hostTime)
    // A piece that is no whole number of frames is the ring's fault, never the caller's loss: it is
    // refused before the ring.
    store((try? converter?.convert(piece.span, layout: inputLayout)) ?? piece)
  }

  /// Takes the next record of a ring; false when there is none.
  package func take(from ring: AudioRing) -> Bool {
    guard let next = ring.peekRecord() else { return false }
    let room = (chunkFrames - stagingFrames) * UInt64(format.bytesPerFrame)
    let fits = UInt64(next.byteCount) <= room
    guard converter == nil, next.droppedBefore == 0, fits else {
      var piece: [UInt8] = []
      piece.reserveCapacity(Int(next.byteCount))
      guard let record = ring.pop(into: &piece) else { return false }
      offer(piece, dropped: record.droppedBefore, hostTime: record.hostTime)
      return true
    }
    // The usual case: from the ring into the chunk, without a copy between.
    noteTime(next.hostTime)
    makeRoom()
    let start = staging.count
    guard ring.pop(into: &staging) != nil else { return false }
    grown(from: start)
    return true
  }

  /// Counts frames of the input that never came: the chunk under way ends, the next one begins
  /// after them.
  package func skip(input frames: UInt64) {
    guard converter != nil else { return skip(frames) }
    skip(UInt64((Double(frames) * format.sampleRate / inputRate).rounded()))
  }

  /// The same in frames of the take.
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
    queue(payload, frames: frames, sha256: sha256 ?? hashing.sha256(payload), hostTime: hostTime)
    position += UInt64(frames)
    stagingFirst = position
  }

  /// Ends the stream: what the converter holds is taken, the last, shorter chunk is cut.
  package func finish() {
    if let rest = converter?.finish() { store(rest) }
    cut()
  }

  private func store(_ bytes: [UInt8]) {
    let frameBytes = Int(format.bytesPerFrame)
    var offset = 0
    while offset < bytes.count {
      let room = Int(chunkFrames - stagingFrames) * frameBytes
      let end = min(offset + room, bytes.count)
      makeRoom()
      let start = staging.count
      staging += bytes[offset..<end]
      offset = end
      grown(from: start)
    }
  }

  private func noteTime(_ hostTime: UInt64) {
    if stagingFrames == 0 { stagingTime = hostTime == 0 ? nil : hostTime }
  }

  private func makeRoom() {
    guard staging.isEmpty else { return }
    staging.reserveCapacity(Int(chunkFrames) * Int(format.bytesPerFrame))
  }

  /// Counts and hashes what was added to the chunk under way, and cuts it when it is full.
  private func grown(from start: Int) {
    let added = start..<staging.count
    if measuresPeak {
      peak = max(peak, PeakMeter.peak(of: staging.span.extracting(added), format: format) ?? 0)
    }
    let digest = digest ?? hashing.start()
    digest.update(staging.span.extracting(added))
    self.digest = digest
    let frames = UInt64(added.count) / UInt64(format.bytesPerFrame)
    stagingFrames += frames
    position += frames
    if stagingFrames == chunkFrames { cut() }
  }

  private func cut() {
    guard stagingFrames > 0, let digest else { return }
    queue(staging, frames: UInt32(stagingFrames), sha256: digest.finish(), hostTime: stagingTime)
    self.digest = nil
    stagingTime = nil
    staging = []
    stagingFrames = 0
    stagingFirst = position
  }

  private func queue(
    _ payload: [UInt8], frames: UInt32, sha256: Digest, hostTime: UInt64?
  ) {
    ready.append(
      ChunkInput(
        sequence: sequence, firstFrame: stagingFirst, frames: frames, payload: payload,
        sha256: sha256, hostTime: hostTime))
    sequence += 1
  }
}
