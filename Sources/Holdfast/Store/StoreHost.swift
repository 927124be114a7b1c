import Foundation
package import HoldfastModel
import HoldfastPlatform
package import HoldfastSQLite
package import HoldfastStore

/// Owns the writer on a thread of its own and keeps the handle's state: the effects behind
/// ``RecordingStore``.
///
/// Invariants:
/// - J9: after a suspension nothing of the store is open; a suspension while capturing does
///   nothing, but ``suspendNow()`` closes takes too.
/// - J11: what runs on the writer is synchronous; no transaction is open across an await.
/// - Blocking I/O runs on the host's own thread, never on the cooperative pool.
package actor StoreHost {
  private let executor: ThreadExecutor
  /// The host's own thread.
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe executor.asUnownedSerialExecutor()
  }

  package nonisolated let configuration: RecordingStore.Configuration
  package nonisolated let environment: StoreEnvironment
  /// Says that the handle's state may have changed.
  package nonisolated let stateHub = UpdateHub()
  /// Says that recordings may have changed.
  package nonisolated let changeHub = UpdateHub()
  /// What any thread may touch.
  private nonisolated let shared: Locked<Shared>
  package private(set) var state = RecordingStore.State.closed {
    didSet { stateHub.bump() }
  }
  private var writer: StoreWriter?
  /// The launch that was suspended last, until the store is open again.
  private var suspended: LaunchID?
  /// Only while the store is read-only.
  private var reader: StoreReader?
  private var report: LaunchReport?
  private var openingReport: OpeningReport?
  private var opening: Task<Result<LaunchReport, HoldfastError>, Never>?
  private let unlocked = UpdateHub()
  private let watch: ForeignCommits

  private struct Shared: Sendable {
    var launchFile: LaunchFile?
    var early: [LaunchEvent] = []
    /// What the system reported of earlier ends, not yet in the database.
    var metrics: [Data] = []
    var sessions: [RecordingID: CaptureSession] = [:]
    var interrupt: (@Sendable () -> Void)?
    var isInBackground = false
    /// What the app said of network and power; nil until it does.
    var told: TaskConditions?
    /// Whether heartbeats go on because of a capture.
    var isPulsing = false
  }

  package init(_ configuration: RecordingStore.Configuration, _ environment: StoreEnvironment) {
    self.configuration = configuration
    self.environment = environment
    executor = ThreadExecutor(name: "holdfast-store")
    shared = Locked(Shared())
    watch = ForeignCommits(alarm: environment.alarm ?? executor, changeHub)
    changeHub.whenAwaited { [weak self] in self?.lookForForeignCommits() }
  }

  // MARK: opening

  package func open() async throws(HoldfastError) -> LaunchReport {
    if let report, writer != nil { return report }
    if case .suspended = state { throw Self.suspendedError }
    let task =
      opening
      ?? Task { () -> Result<LaunchReport, HoldfastError> in
        do throws(HoldfastError) { return .success(try await self.openNow()) } catch {
          return .failure(error)
        }
      }
    opening = task
    let result = await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
    opening = nil
    return try result.get()
  }

  private func openNow() async throws(HoldfastError) -> LaunchReport {
    while true {
      state = .opening
      do throws(HoldfastError) { return try openOnce() } catch {
        try settle(error)
        let seen = unlocked.version
        guard await unlocked.wait(after: seen) else {
          state = .closed
          throw HoldfastError(
            .interrupted, "Opening was cancelled while the device was locked.", isRetryable: true)
        }
      }
    }
  }

  /// What a failed opening means: waiting goes on, the rest is thrown.
  private func settle(_ error: HoldfastError) throws(HoldfastError) {
    switch error.code {
    case .protectedDataUnavailable where configuration.waitsForUnlock: state = .waiting(error)
    case .newerSchema:
      reader = try ReaderOpening.open(
        configuration.directory.path, temporary: NSTemporaryDirectory(), environment)
      state = .readOnly(error)
      throw error
    default:
      state = .closed
      throw error
    }
  }

  private func openOnce() throws(HoldfastError) -> LaunchReport {
    var options = StoreOptions()
    options.create = configuration.creates
    options.lockWaitNanoseconds = Int64(configuration.lockWaitSeconds * 1e9)
    options.reserveBytes = UInt64(max(configuration.reserveBytes, 0))
    options.pipeline = configuration.pipeline.map { TaskKind(rawValue: $0) }
    options.resumed = suspended
    let (writer, found) = try StoreOpening.open(
      configuration.directory.path, options, environment)
    suspended = nil
    var opened = found
    self.writer = writer
    configuration.applyFileAttributes()
    let interrupt = writer.interrupt
    let early = shared.withLock { shared in
      shared.launchFile = writer.launchFile
      shared.interrupt = interrupt
      defer { shared.early = [] }
      return shared.early
    }
    for event in early { writer.launchFile.note(event.name, detail: event.detail) }
    opened.endings = judgeEndings(writer, opened.endings)
    let seconds = try writer.database.read { [opened] db in
      var seconds: [RecordingID: Double] = [:]
      for item in opened.recovered {
        let summary = try RecordingRows.one(item.recording, db)
        seconds[item.recording] = summary?.timeline.capturedSeconds ?? 0
      }
      return seconds
    }
    let report = LaunchReport(opened, seconds: seconds)
    self.report = report
    openingReport = opened
    state = .open
    changeHub.bump()
    return report
  }

  /// What the engine said at open, for the command.
  package func engineReport() async throws(HoldfastError) -> OpeningReport {
    _ = try await open()
    return openingReport ?? OpeningReport()
  }

  // MARK: calls

  /// Runs a body on the writer, opening the store first. Observers look again afterwards.
  package func write<T: Sendable>(
    _ body: @Sendable (StoreWriter) throws(HoldfastError) -> T
  ) async throws(HoldfastError) -> T {
    defer { changeHub.bump() }
    let writer = try await openWriter()
    let result = try body(writer)
    writer.checkpointIfDue()
    return result
  }

  /// Runs a body on the writer without telling observers.
  package func read<T: Sendable>(
    _ body: @Sendable (StoreWriter) throws(HoldfastError) -> T
  ) async throws(HoldfastError) -> T {
    try body(try await openWriter())
  }

  /// Reads in one snapshot: from the writer, or from a reader while the store is read-only.
  package func query<T: Sendable>(
    _ body: @Sendable (borrowing Connection) throws -> T
  ) async throws(HoldfastError) -> T {
    if let reader {
      watch.look(at: reader.connection)
      return try reader.read(body)
    }
    do throws(HoldfastError) {
      let database = try await openWriter().database
      watch.look(at: database.connection)
      return try database.read(body)
    } catch {
      guard error.code == .newerSchema, let reader else { throw error }
      return try reader.read(body)
    }
  }

  /// Looks at once and then from time to time, while somebody observes the store.
  private nonisolated func lookForForeignCommits() {
    Task { [weak self] in await self?.watchForeignCommits() }
  }

  private func watchForeignCommits() {
    if let writer {
      watch.look(at: writer.database.connection)
    } else if let reader {
      watch.look(at: reader.connection)
    } else {
      return
    }
    watch.arm { [weak self] in self?.lookForForeignCommits() }
  }

  private func openWriter() async throws(HoldfastError) -> StoreWriter {
    if let writer { return writer }
    _ = try await open()
    guard let writer else { throw Self.suspendedError }
    return writer
  }

  private static let suspendedError = HoldfastError(
    .suspended, "The store is suspended.", hint: "Call resume() first.", isRetryable: true)

  // MARK: capture sessions

  package nonisolated func add(_ session: CaptureSession) {
    let begins = shared.withLock { shared in
      shared.sessions[session.id.model] = session
      return !shared.isPulsing
    }
    if begins { pulse() }
  }

  /// Heartbeats as long as a recording is captured, whatever work does beside it (L2).
  private nonisolated func pulse() {
    let goesOn = shared.withLock { shared in
      shared.isPulsing = !shared.sessions.isEmpty
      return shared.isPulsing
    }
    guard goesOn else { return }
    launchFileNow?.beat()
    alarm.ring(afterNanoseconds: Self.pulseNanoseconds) { [weak self] in self?.pulse() }
  }

  /// Nanoseconds between heartbeats while a recording is captured: 10 s.
  private static let pulseNanoseconds: Int64 = 10_000_000_000

  package nonisolated func remove(_ session: CaptureSession) {
    shared.withLock { _ = $0.sessions.removeValue(forKey: session.id.model) }
  }

  nonisolated var openSessions: [CaptureSession] { sessions }

  /// What the app said last of network and power; nil until it does.
  nonisolated var toldConditions: TaskConditions? {
    get { shared.withLock { $0.told } }
    set { shared.withLock { $0.told = newValue } }
  }

  /// Whether the app said last that it went to the background.
  nonisolated var isInBackground: Bool { shared.withLock { $0.isInBackground } }

  private nonisolated var sessions: [CaptureSession] {
    shared.withLock { Array($0.sessions.values) }
  }

  // MARK: notes

  package nonisolated func note(_ event: LaunchEvent) {
    let file: LaunchFile? = shared.withLock { shared in
      if shared.launchFile == nil, shared.early.count < 64 { shared.early.append(event) }
      if let metrics = event.metrics, shared.metrics.count < 64 { shared.metrics.append(metrics) }
      if event.name == "foreground" { shared.isInBackground = false }
      if event.name == "background" { shared.isInBackground = true }
      return shared.launchFile
    }
    file?.note(event.name, detail: event.detail)
    if event.metrics != nil, file != nil { Task { await self.judgeEndings() } }
    if event.name == "unlocked" || event.name == "foreground" { unlocked.bump() }
  }

  private func judgeEndings() {
    guard let writer else { return }
    _ = judgeEndings(writer, [])
    changeHub.bump()
  }

  /// Judges earlier launches by what the system reported (L2). A report that cannot be brought in
  /// now waits for the next one, or the next open.
  ///
  /// - Returns: the endings, with the verdicts that changed.
  private func judgeEndings(_ writer: StoreWriter, _ endings: [EndedLaunch]) -> [EndedLaunch] {
    let waiting = shared.withLock { shared in
      defer { shared.metrics = [] }
      return shared.metrics
    }
    var endings = endings
    for (index, json) in waiting.enumerated() {
      guard let report = ExitReport(metricKit: json) else { continue }
      do throws(HoldfastError) {
        let changed = try writer.judge(by: report)
        for place in endings.indices {
          endings[place].ending = changed[endings[place].launch] ?? endings[place].ending
        }
      } catch {
        shared.withLock { $0.metrics = waiting[index...] + $0.metrics }
        break
      }
    }
    return endings
  }

  /// The launch file while the store is open.
  nonisolated var launchFileNow: LaunchFile? { shared.withLock { $0.launchFile } }

  /// Calls later, on the host's own thread or as a test says.
  package nonisolated var alarm: any Alarm { environment.alarm ?? executor }

  // MARK: suspension

  package func suspend() -> SuspendOutcome {
    if sessions.contains(where: \.isCapturing) { return .capturing }
    suspendWriter()
    return .suspended
  }

  package nonisolated func suspendNow() -> Bool {
    let done = WakeSignal()
    for session in sessions { session.closeTakesNow() }
    interrupt()
    Task {
      await self.suspendEverything()
      done.signal()
    }
    return done.wait(timeoutNanoseconds: 50_000_000)
  }

  private nonisolated func interrupt() {
    shared.withLock { $0.interrupt }?()
  }

  private func suspendEverything() async {
    for session in sessions { await session.finishTakes(.suspension) }
    suspendWriter()
  }

  private func suspendWriter() {
    closeWriter { writer in
      suspended = writer.launch
      writer.suspend()
    }
    state = .suspended
  }

  /// Waits until what ``suspendNow()`` began is done, when it was not in its 50 ms.
  package func settleForTests() async {
    while writer != nil { await Task.yield() }
  }

  /// Lets everything go without a word, as the death of the process does.
  package func dropForTests() async {
    guard let writer else { return }
    shared.withLock { $0.launchFile = nil }
    self.writer = nil
    writer.launchFile.drop()
    writer.database.close()
    state = .closed
  }

  package func resume() async throws(HoldfastError) {
    if case .suspended = state { state = .closed }
    _ = try await open()
  }

  package func close() {
    closeWriter { $0.close() }
    reader = nil
    state = .closed
    stateHub.finish()
    changeHub.finish()
  }

  private func closeWriter(_ end: (StoreWriter) -> Void) {
    guard let writer else { return }
    shared.withLock { shared in
      shared.launchFile = nil
      shared.interrupt = nil
    }
    self.writer = nil
    watch.forget()
    end(writer)
  }
}
