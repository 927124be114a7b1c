import Foundation
import Holdfast

/// One run of `record`, from the first take to the stop.
///
/// Everything that happens comes as one stream of events, so that there is one order: signals, the
/// input's end, acknowledged chunks, faults of the medium. Of signals the last word counts, not the
/// way to it: see ``RecordWish``.
struct RecordRun: Sendable {
  private enum Event: Sendable {
    /// The wish may have changed.
    case wish
    /// A wish was not changed for a while.
    case settled(UInt64)
    case ended(RecordFeeder.End)
    case acknowledged([ChunkRecord], OpenTake, ChunkMark)
    case fault(HoldfastError)
  }

  private let context: CommandContext
  private let session: CaptureSession
  private let input: RecordInput
  private let signals: AsyncStream<ProcessSignal>
  private let feeder: RecordFeeder
  private let wish = RecordWish()
  /// Why not all could be told; nil while standard output takes what it is given.
  private let mute = Locked<HoldfastError?>(nil)
  private let events: AsyncStream<Event>
  private let post: AsyncStream<Event>.Continuation

  init(
    _ context: CommandContext, _ session: CaptureSession, _ input: RecordInput,
    _ signals: AsyncStream<ProcessSignal>
  ) {
    self.context = context
    self.session = session
    self.input = input
    self.signals = signals
    feeder = RecordFeeder(input, isPaced: context[Options.realtime])
    (events, post) = AsyncStream.makeStream(of: Event.self)
  }

  private var printsEvents: Bool { context[Options.acks] || context.output.isJSON }

  func run() async throws(HoldfastError) -> ExitCode {
    var failure: HoldfastError?
    let forwarding = Task { [signals, post, wish] in
      for await signal in signals where wish.take(signal) { post.yield(.wish) }
    }
    defer { forwarding.cancel() }
    // Whatever fails from here on, the recording is ended as one that was stopped.
    do throws(HoldfastError) {
      await sayStarted()
      try await beginTake()
      try feeder.start { [post] in post.yield(.ended($0)) }
      failure = try await loop()
    } catch { failure = error }
    feeder.stop()
    feeder.route(to: nil)
    return try await finish(failure)
  }

  private func sayStarted() async {
    await carryOn(allowsClosed: false) { () throws(HoldfastError) in
      if printsEvents {
        try await context.output.event(RecordEvent.started(session.id.model))
      } else {
        try await context.output.line(session.id.description)
        try await context.output.flush()
      }
    }
  }

  private func beginTake() async throws(HoldfastError) {
    let take = try await session.beginTake(
      context[Options.track], input: input.format, stored: input.format)
    take.observe(
      acknowledged: { [post] in post.yield(.acknowledged($0, take.take, $1)) },
      fault: { [post] in post.yield(.fault($0)) })
    feeder.route(to: take)
  }

  /// Handles events until the recording is to stop.
  ///
  /// - Returns: why it stops, when that is a fault.
  private func loop() async throws(HoldfastError) -> HoldfastError? {
    var heard = Heard()
    for await event in events {
      switch event {
      case .acknowledged(let records, let take, let mark):
        await acknowledge(records, take, mark, &heard)
      case .wish:
        if await obey(&heard) { return nil }
      case .settled(let number):
        try await goOn(number, &heard)
      case .ended(.input): return nil
      case .ended(.fault(let error)): return error
      // The fault that ended the take is an event of its own.
      case .ended(.take): continue
      case .fault(let error): return error
      }
    }
    return nil
  }

  /// What was heard: for the progress bar, and to know what a wish changes.
  private struct Heard {
    var frames: [TakeID: UInt64] = [:]
    var isInterrupted = false
  }

  private func acknowledge(
    _ records: [ChunkRecord], _ take: OpenTake, _ mark: ChunkMark, _ heard: inout Heard
  ) async {
    if context[Options.acks] {
      for record in records {
        let chunk = RecordEvent.chunk(.init(record, take, mark))
        await carryOn { () throws(HoldfastError) in try await context.output.event(chunk) }
      }
    }
    heard.frames[take.take, default: 0] += records.reduce(0) { $0 + UInt64($1.frames) }
    let seconds = heard.frames.values.reduce(0) { $0 + Double($1) / take.format.sampleRate }
    await context.output.progress(
      ProgressReading("Recording", seconds: seconds, of: input.seconds))
  }

  /// A recording outlives the reader of its acknowledgements, and a standard output that takes
  /// nothing: what cannot be told is no reason to lose audio. It is said once, and makes the exit
  /// code *failed* in the end; a reader that went away, and had the id, is no failure.
  private func carryOn(
    allowsClosed: Bool = true, _ body: () async throws(HoldfastError) -> Void
  ) async {
    do throws(HoldfastError) { try await body() } catch {
      if error.code == .outputClosed && allowsClosed { return }
      let isFirst = mute.withLock { known in
        defer { known = known ?? error }
        return known == nil
      }
      guard isFirst else { return }
      await context.output.report(
        HoldfastError(
          .failed, "recording \(session.id) goes on, untold: \(error.message)",
          hint: error.hint, cause: error.cause))
    }
  }

  /// Does what is wanted now. An interruption begins at once; its end waits until the wish has
  /// settled, so that a burst of signals makes one gap and no empty takes.
  ///
  /// - Returns: whether the recording is to stop.
  private func obey(_ heard: inout Heard) async -> Bool {
    let (wanted, number) = wish.now
    switch wanted {
    case .stopped: return true
    case .interrupted:
      feeder.route(to: nil)
      guard !heard.isInterrupted else { return false }
      heard.isInterrupted = true
      _ = session.handle(.interruptionBegan)
      await context.output.remark("interrupted; SIGUSR2 goes on")
    case .capturing:
      guard heard.isInterrupted else { return false }
      feeder.hold()
      RecordWish.settle { [post] in post.yield(.settled(number)) }
    }
    return false
  }

  /// Ends an interruption, unless the wish has changed since.
  private func goOn(_ number: UInt64, _ heard: inout Heard) async throws(HoldfastError) {
    guard heard.isInterrupted, wish.now == (.capturing, number) else { return }
    for action in session.handle(.interruptionEnded(shouldResume: true)) where action == .resume {
      try await beginTake()
      _ = session.handle(.resumed)
      heard.isInterrupted = false
    }
  }

  private func finish(_ failure: HoldfastError?) async throws(HoldfastError) -> ExitCode {
    var failure = failure
    var stopped: Recording?
    do throws(HoldfastError) { stopped = try await session.stop() } catch {
      failure = failure ?? error
    }
    post.finish()
    var heard = Heard()
    for await event in events {
      if case .acknowledged(let records, let take, let mark) = event {
        await acknowledge(records, take, mark, &heard)
      }
    }
    for oddity in input.oddities { await context.output.remark(oddity.message) }
    let recording = try await ended(stopped)
    if printsEvents {
      let event = RecordEvent.stopped(
        session.id.model, durationSeconds: recording?.capturedSeconds ?? 0)
      await carryOn { () throws(HoldfastError) in try await context.output.event(event) }
    } else if let recording {
      await context.output.remark(
        "\(Units.duration(recording.capturedSeconds)) recorded, "
          + Units.bytes(UInt64(max(recording.payloadBytes, 0))))
    }
    if let failure { throw failure }
    return mute.withLock { $0 == nil } ? .done : .failed
  }

  /// The recording as it stands, also after a stop that met a fault.
  private func ended(_ stopped: Recording?) async throws(HoldfastError) -> Recording? {
    if let stopped { return stopped }
    return try? await session.host.recording(session.id)
  }
}
