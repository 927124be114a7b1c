import HoldfastModel

/// How long an import waits for another one of what may be the same file.
struct ImportPatience {
  private let environment: StoreEnvironment
  private var chunks: UInt64?
  private var waited: Int64 = 0
  private var step: Int64 = 50_000_000
  /// Waited at most while the other one does not advance: 10 s.
  private static let limit: Int64 = 10_000_000_000

  init(_ environment: StoreEnvironment) { self.environment = environment }

  /// Waits a little.
  ///
  /// - Throws: `locked` when the other one has stood still too long.
  mutating func wait(
    for recording: RecordingID, chunks now: UInt64, _ path: String
  ) throws(HoldfastError) {
    if chunks != now {
      chunks = now
      waited = 0
    }
    guard waited < Self.limit else {
      throw HoldfastError(
        .locked,
        "Another process is importing what may be \(path), as recording \(recording), "
          + "and does not advance.",
        hint: "Retry when it has ended.", isRetryable: true,
        context: ["path": path, "recording": recording.description])
    }
    environment.pause.pause(nanoseconds: step)
    waited += step
    step = min(step * 2, 1_000_000_000)
  }
}
