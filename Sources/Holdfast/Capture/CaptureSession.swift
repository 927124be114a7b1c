import Foundation
public import HoldfastModel
import HoldfastPlatform
package import HoldfastStore

/// The capture of one recording, from start or resume to stop.
///
/// Takes are begun here; what the system tells is handed to ``handle(_:)``, which answers at once
/// what the app is to do. Stopping closes the takes and ends the recording.
public final class CaptureSession: Sendable {
  /// The recording.
  public let id: Recording.ID

  package let host: StoreHost
  /// Says that the status may have changed; ends with the session.
  let statusHub = UpdateHub()
  private let state: Locked<State>

  private struct State: Sendable {
    var machine: CaptureMachine
    var takes: [any OpenTakeHandle] = []
    var pending: Task<Void, Never>?
    var failure: HoldfastError?
    var isStopped = false
  }

  package init(_ id: RecordingID, _ host: StoreHost) {
    self.id = Recording.ID(id)
    self.host = host
    state = Locked(State(machine: CaptureMachine(policy: host.configuration.resume)))
  }

  /// Begins a take: an uninterrupted run of capture on a track. When it returns, recording, track
  /// and take are durable, and frames may be appended.
  ///
  /// - Parameters:
  ///   - track: names the signal: "microphone", "remote" … A new name makes a new track.
  ///   - format: what will be appended.
  ///   - storing: what is to be kept, when that is not the same: a lower rate or 16 bits. Converted
  ///     on the take's own thread.
  /// - Throws: `invalidArgument` for a format that makes no sense, `notCapturing` after `stop()`,
  ///   `diskFull`, `suspended`.
  public func beginTake(
    _ track: String = "microphone", _ format: PCMFormat, storing: PCMFormat? = nil
  ) async throws(HoldfastError) -> TakeWriter {
    guard let stored = (storing ?? format).stored, let input = format.stored else {
      throw HoldfastError(
        .invalidArgument, "A format has \(format.channels) channels at \(format.sampleRate) Hz.",
        hint: "Both must be over 0.")
    }
    return try await beginTake(
      track, input: input, isPlanar: !format.interleaved, stored: stored, measuresPeak: true)
  }

  /// Begins a take of any PCM format, for the command.
  package func beginTake(
    _ track: String, input: AudioFormat, isPlanar: Bool = false, stored: AudioFormat,
    startNanoseconds: Int64? = nil, ringBytes: UInt32? = nil, measuresPeak: Bool = false
  ) async throws(HoldfastError) -> TakeWriter {
    try await settled()
    let chunk = TakeWriter.chunkFrames(stored, host.configuration.chunk)
    let durability = ChunkDurability(host.configuration.durability)
    let recording = id.model
    let take = try await host.write { writer throws(HoldfastError) in
      try writer.openTake(
        of: recording, track: track, stored, chunkFrames: chunk,
        startNanoseconds: startNanoseconds)
    }
    let writer = try await TakeWriter.start(
      take, self, input: input, isPlanar: isPlanar, chunkFrames: chunk, durability,
      ringBytes: ringBytes, measuresPeak: measuresPeak)
    state.withLock { $0.takes.append(writer) }
    statusHub.bump()
    return writer
  }

  /// Begins a take of files that an app's own recorder writes, one after the other.
  ///
  /// - Throws: as ``beginTake(_:_:storing:)``.
  public func beginFileTake(
    _ track: String = "microphone", _ container: FileContainer
  ) async throws(HoldfastError) -> FileTakeWriter {
    try await settled()
    let writer = FileTakeWriter(self, track: track, container)
    state.withLock { $0.takes.append(writer) }
    return writer
  }

  /// Takes what the system told, journals it, and answers at once what to do. From any thread;
  /// never touches the database.
  public func handle(_ event: CaptureEvent) -> [CaptureAction] {
    host.note(LaunchEvent("capture", Self.name(event)))
    return state.withLock { state in
      let outcome = state.machine.handle(event)
      enqueue(outcome.effects, &state)
      return outcome.actions
    }
  }

  /// An event by its name alone.
  static func name(_ event: CaptureEvent) -> String {
    let text = "\(event)"
    return String(text.prefix { $0 != "(" })
  }

  /// How capture is going, now and whenever it changes.
  public var status: Updates<CaptureStatus> {
    Updates(statusHub) { [weak self] in self.map { $0.currentStatus } }
  }

  /// Ends the recording: takes are closed and power-safe, the recording is *stopped*.
  ///
  /// - Throws: `diskFull`, `medium`: what was acknowledged is kept, and the recording is stopped
  ///   at the next open at the latest.
  @discardableResult
  public func stop() async throws(HoldfastError) -> Recording {
    state.withLock { state in
      let outcome = state.machine.stop()
      enqueue(outcome.effects, &state)
      state.isStopped = true
    }
    await state.withLock { $0.pending }?.value
    host.remove(self)
    statusHub.finish()
    if let failure = state.withLock({ $0.failure }) { throw failure }
    return try await host.recording(id)
  }

  // MARK: effects

  /// Effects run one after the other, off the caller's thread.
  private func enqueue(_ effects: [CaptureMachine.Effect], _ state: inout State) {
    guard !effects.isEmpty else { return }
    let before = state.pending
    state.pending = Task { [self] in
      await before?.value
      for effect in effects { await perform(effect) }
      statusHub.bump()
    }
  }

  private func perform(_ effect: CaptureMachine.Effect) async {
    switch effect {
    case .closeTakes(let reason): await finishTakes(reason)
    case .phase(let phase, let given):
      let recording = id.model
      let isFull = state.withLock { $0.failure?.code == .diskFull }
      let reason = phase == .stopped && isFull ? GapReason.diskFull : given
      do throws(HoldfastError) {
        try await host.write { writer throws(HoldfastError) in
          try writer.setPhase(phase, of: recording, reason: reason)
        }
      } catch { fail(error) }
    }
  }

  /// Waits until earlier effects are done; fails when the session has ended.
  private func settled() async throws(HoldfastError) {
    await state.withLock { $0.pending }?.value
    if state.withLock({ $0.isStopped }) {
      throw HoldfastError(
        .notCapturing, "Recording \(id) was stopped.",
        hint: "resumeRecording(_:) goes on with it.")
    }
  }

  package func fail(_ error: HoldfastError) {
    state.withLock { $0.failure = $0.failure ?? error }
    statusHub.bump()
  }

  // MARK: takes

  /// Whether a take is open.
  package var isCapturing: Bool { state.withLock { !$0.takes.isEmpty } }

  /// Asks all takes for the rows that are not indexed yet.
  func wantRows() {
    for take in state.withLock({ $0.takes }) { take.wantRows() }
  }

  /// Asks all takes to end, without waiting.
  package func closeTakesNow() {
    for take in state.withLock({ $0.takes }) { take.endSoon() }
  }

  /// Ends all takes and waits until they are closed in the database.
  package func finishTakes(_ reason: GapReason) async {
    for take in state.withLock({ $0.takes }) {
      do throws(HoldfastError) { try await take.end(reason) } catch { fail(error) }
    }
  }

  package func forget(_ take: any OpenTakeHandle) {
    state.withLock { state in state.takes.removeAll { $0 === take } }
    statusHub.bump()
  }

  package func changed() { statusHub.bump() }

  private var currentStatus: CaptureStatus {
    let takes = state.withLock { $0.takes }
    var status = CaptureStatus(
      durableSeconds: 0, droppedFrames: 0, secondsLeftOnDisk: .infinity, peak: 0)
    var bytesPerSecond: Double = 0
    for take in takes {
      let progress = take.progress
      status.durableSeconds = max(status.durableSeconds, progress.seconds)
      status.droppedFrames += progress.droppedFrames
      status.peak = max(status.peak, progress.peak)
      bytesPerSecond += progress.bytesPerSecond
    }
    let free = try? host.environment.files.freeBytes(host.configuration.directory.path)
    if let free, bytesPerSecond > 0 { status.secondsLeftOnDisk = Double(free) / bytesPerSecond }
    return status
  }
}

/// How a capture is going.
public struct CaptureStatus: Sendable {
  /// Seconds of the running take that are acknowledged at the configured mark.
  public var durableSeconds: Double
  /// Sample frames that came faster than they could be kept.
  public var droppedFrames: Int64
  /// Seconds of recording for which the disk has room; infinite while no take runs.
  public var secondsLeftOnDisk: Double
  /// The highest sample since the last look, 0…1.
  public var peak: Float
}

/// A take as its session sees it.
package protocol OpenTakeHandle: AnyObject, Sendable {
  /// Ends the take and closes it in the database.
  func end(_ reason: GapReason) async throws(HoldfastError)
  /// Asks for the rows that are not indexed yet, without waiting.
  func wantRows()
  /// Asks for the end without waiting.
  func endSoon()
  /// How far it is.
  var progress: TakeProgress { get }
}

/// How far a take is.
package struct TakeProgress: Sendable {
  package var seconds: Double = 0
  package var droppedFrames: Int64 = 0
  package var peak: Float = 0
  package var bytesPerSecond: Double = 0

  package init() {}
}

extension ChunkDurability {
  package init(_ durability: RecordingStore.Configuration.Durability) {
    switch durability {
    case .power: self = .power
    case .paced: self = .paced
    case .process: self = .process
    }
  }
}
