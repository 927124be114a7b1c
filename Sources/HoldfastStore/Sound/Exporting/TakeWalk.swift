import HoldfastModel

/// Walks the chunks of a take in the order of its sample frames and tells what stands between them.
///
/// Invariant: planning and writing walk alike. The frames told for a take depend on the chunks'
/// places alone: where a chunk is missing, what stands there is its length in silence, so that it
/// may arrive between the two and nothing moves. Every chunk of the plan that does not come,
/// because its row has gone since, is counted as missing.
struct TakeWalk {
  /// What comes next.
  enum Step {
    /// Frames of silence.
    case silence(UInt64, GapReason)
    /// Frames that were never captured and are left out.
    case cut(UInt64, GapReason)
    /// A chunk, without its first frames where an earlier one had them.
    case chunk(ChunkRecord, dropping: UInt64)
  }

  /// Sample frame of the take that comes next.
  private(set) var position: UInt64 = 0
  /// Chunks that stand in no row.
  private(set) var missingChunks: UInt64 = 0
  private var next: UInt64 = 0
  private let policy: GapPolicy
  private let sampleRate: Double
  private let jumps: [UInt64: GapReason]

  init(_ take: TakeContents, _ policy: GapPolicy) {
    self.policy = policy
    sampleRate = take.row.format.sampleRate
    jumps = Dictionary(
      take.row.span.jumps.map { ($0.atFrame, $0.reason) }, uniquingKeysWith: { first, _ in first })
  }

  /// What stands between the last chunk and this one, and the chunk.
  mutating func steps(to record: ChunkRecord) -> [Step] {
    var steps: [Step] = []
    if record.firstFrame > position {
      steps.append(between(record.firstFrame - position, isMissing: record.sequence != next))
    }
    missingChunks += record.sequence > next ? record.sequence - next : 0
    next = max(next, record.sequence + 1)
    let end = record.firstFrame + UInt64(record.frames)
    let dropping = position > record.firstFrame ? position - record.firstFrame : 0
    position = max(position, end)
    if dropping < UInt64(record.frames) || record.frames == 0 {
      steps.append(.chunk(record, dropping: dropping))
    }
    return steps
  }

  /// What stands between the last chunk that is here and the take's end.
  mutating func end(of take: TakeContents) -> Step? {
    let expected = take.chunkEnd
    missingChunks += expected > next ? expected - next : 0
    next = max(next, expected)
    guard take.endFrame > position else { return nil }
    defer { position = take.endFrame }
    return .silence(take.endFrame - position, .missing)
  }

  private func between(_ frames: UInt64, isMissing: Bool) -> Step {
    if isMissing { return .silence(frames, .missing) }
    let reason = jumps[position] ?? .overflow
    return policy.fills(Double(frames) / sampleRate)
      ? .silence(frames, reason) : .cut(frames, reason)
  }
}
