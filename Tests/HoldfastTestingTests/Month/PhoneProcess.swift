import HoldfastModel
import HoldfastPlatform
import HoldfastSQLite
import HoldfastStore
import HoldfastTasks
import HoldfastTesting

/// One process of an app with a store: the store's own writer and files, and the engine's view of
/// them. When the phone has ended it, nothing of it reaches the store any more.
actor PhoneProcess: WorkStore {
  /// A recording that runs.
  private struct Capture {
    var recording: RecordingID
    var journal: TakeJournal
    var take: TakeID
    var began: Double
    var frames: Int64 = 0
  }

  /// One channel of 16 bits, at a rate that makes a month small.
  private static let rate = 50.0
  private static let format = AudioFormat(
    encoding: .s16le, sampleRate: rate, channels: 1, bytesPerFrame: 2)

  nonisolated let launch: LaunchID
  nonisolated let launchFile: LaunchFile
  nonisolated let report: OpeningReport
  private nonisolated let isDead = Locked(false)
  private let phone: SimulatedPhone
  private let log: MonthLog
  private let writer: StoreWriter
  private var capture: Capture?

  init(
    _ directory: String, _ options: StoreOptions, _ environment: StoreEnvironment,
    _ phone: SimulatedPhone, _ log: MonthLog
  ) throws {
    let (writer, report) = try StoreOpening.open(directory, options, environment)
    self.writer = writer
    self.report = report
    launch = writer.launch
    launchFile = writer.launchFile
    self.phone = phone
    self.log = log
  }

  /// The phone has ended it.
  nonisolated func kill() { isDead.withLock { $0 = true } }

  private func alive() throws(HoldfastError) -> StoreWriter {
    guard !isDead.withLock({ $0 }) else { throw HoldfastError(.failed, "The process is dead.") }
    return writer
  }

  /// Lets its files and its lock go without a word.
  ///
  /// - Returns: what it recorded.
  func drop() -> RecordingID? {
    defer { capture = nil }
    writer.launchFile.drop()
    writer.database.close()
    return capture?.recording
  }

  func suspend() { writer.suspend() }

  // MARK: recording

  func begin(_ title: String) throws -> RecordingID {
    let writer = try alive()
    let id = try writer.startRecording(RecordingSeed(title: title))
    let frames = UInt64(PhoneDays<CheckpointedApp>.unitSeconds * Self.rate)
    let take = try writer.openTake(of: id, track: "microphone", Self.format, chunkFrames: frames)
    capture = Capture(
      recording: id,
      journal: try writer.makeJournal(take, chunkFrames: frames, .process), take: take.take,
      began: phone.now)
    return id
  }

  /// Takes in the sound that came since the last call.
  func hear() throws {
    guard var capture else { return }
    let frames = Int64((phone.now - capture.began) * Self.rate) - capture.frames
    capture.frames += frames
    self.capture = capture
    capture.journal.offer([UInt8](repeating: UInt8(frames & 0x7f), count: Int(frames * 2)))
    _ = try capture.journal.write()
    try alive().index(capture.journal.takeRows(), of: capture.take)
  }

  func end() throws {
    try hear()
    guard let capture else { return }
    _ = try capture.journal.finish()
    let rows = capture.journal.takeRows()
    try alive().closeTake(capture.take, rows, reason: .stop)
    try alive().setPhase(.stopped, of: capture.recording, reason: .stop)
    self.capture = nil
  }

  // MARK: work

  func workTurn(
    _ brought: (claim: TaskClaim, ending: WorkEnding)?, next search: WorkSearch?
  ) throws(HoldfastError) -> WorkTurn { try alive().workTurn(brought, next: search) }

  func workTimes() throws(HoldfastError) -> [UnitTimeRow] {
    try alive().database.read { try UnitTimeRow.all($0) }
  }

  nonisolated func beat(_ heartbeat: LaunchHeartbeat) {
    if !isDead.withLock({ $0 }) { launchFile.beat(heartbeat) }
  }

  nonisolated func rest(_ task: String) {
    if !isDead.withLock({ $0 }) { launchFile.rest(task) }
  }

  // MARK: looking

  func read<T: Sendable>(_ body: @Sendable (borrowing Connection) throws -> T) throws -> T {
    try writer.database.read(body)
  }
}
