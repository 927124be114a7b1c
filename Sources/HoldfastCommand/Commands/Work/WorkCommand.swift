import Foundation
import Holdfast

/// `holdfast work`.
struct WorkCommand: Command {
  private struct Document: Encodable {
    let units, done, failed, left: UInt64
    let ended: String?
    let tasks: [TaskDocument]

    private enum CodingKeys: CodingKey { case units, done, failed, left, ended, tasks }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(units, forKey: .units)
      try container.encode(done, forKey: .done)
      try container.encode(failed, forKey: .failed)
      try container.encode(left, forKey: .left)
      try container.encode(ended, forKey: .ended)
      try container.encode(tasks, forKey: .tasks)
    }
  }

  func run(_ context: CommandContext) async throws(HoldfastError) -> ExitCode {
    let specs = try HandlerSpec.read(
      handlers: context[Options.handler], info: context[Options.handlerInfo])
    let signals = try ProcessSignals.stream([.interrupt, .terminate, .hangUp])
    let store = try context.store()
    let host = store.host
    store.note(.foreground)
    let deadline = context[Options.budget].map {
      host.environment.clock.now().monotonicNanoseconds + Int64(min($0, 1e9) * 1e9)
    }
    await context.tell(try await host.engineReport())
    let run = WorkRun(context, host, specs)
    let listening = Task {
      for await _ in signals { run.stop() }
    }
    defer { listening.cancel() }
    do throws(HoldfastError) {
      let outcome = try await run.run(until: deadline)
      let left = try await host.query { db in
        try TaskRows.list(settled: false, db).map {
          TaskDocument(try TaskView.of($0, db))
        }
      }
      await store.close()
      return try await tell(outcome, left, context)
    } catch {
      await store.close()
      throw error
    }
  }

  private func tell(
    _ outcome: WorkEngine.Outcome, _ left: [TaskDocument], _ context: CommandContext
  ) async throws(HoldfastError) -> ExitCode {
    if context.output.isJSON {
      try await context.output.document(
        Document(
          units: outcome.units, done: outcome.done, failed: outcome.failed,
          left: UInt64(left.count), ended: outcome.cut.map { "\($0)" }, tasks: left))
    } else {
      await context.output.eraseProgress()
      let why = outcome.cut.map { "; ended because \($0.rawValue)" } ?? ""
      await context.output.remark(
        CountedNoun.text(outcome.units, "unit") + ", "
          + CountedNoun.text(outcome.done, "task") + " done, "
          + CountedNoun.text(outcome.failed, "attempt") + " failed, "
          + CountedNoun.text(left.count, "task") + " left\(why)")
      if !left.isEmpty { try await context.output.table(TaskText.table(left)) }
    }
    if outcome.failed > 0 { return .failed }
    return outcome.cut == .deadline && !left.isEmpty ? .blocked : .done
  }
}

/// The engine with programs for handlers, run as the command asks for.
struct WorkRun: Sendable {
  private let context: CommandContext
  private let host: StoreHost
  private let engine: WorkEngine

  init(_ context: CommandContext, _ host: StoreHost, _ specs: [HandlerSpec]) {
    self.context = context
    self.host = host
    let output = context.output
    engine = WorkEngine(
      store: host,
      handlers: specs.map {
        HandlerProgram(spec: $0, host: host, environment: context.environment).body
      }, seams: host.workSeams(device: { host.device })
    ) { progress in
      Task {
        await output.progress(
          ProgressReading(
            "\(progress.kind.rawValue) \(String(progress.recording.description.prefix(8)))",
            seconds: Double(progress.progress.units) / 100, of: 100))
      }
    }
  }

  /// Ends what runs; from any thread.
  func stop() { engine.onOff.turnOff(.stopped) }

  func run(until deadline: Int64?) async throws(HoldfastError) -> WorkEngine.Outcome {
    let most: UInt64 = context[Options.once] ? 1 : .max
    guard context[Options.watch] else {
      return try await engine.run(until: deadline, atMost: most)
    }
    var all = WorkEngine.Outcome()
    var told = ""
    while true {
      let seen = host.changeHub.version
      do throws(HoldfastError) {
        let outcome = try await engine.run(until: deadline)
        all.add(outcome)
        if outcome.cut != nil { return all }
        await wait(after: seen, outcome.wakeMilliseconds, deadline)
      } catch {
        // A full disk, a lock that is held: what was done is kept, and is brought when it is over.
        guard error.isRetryable, engine.onOff.cut == nil, !isOver(deadline) else { throw error }
        if told != error.message {
          told = error.message
          await context.output.remark("\(told) Work goes on when that is over.")
        }
        await wait(after: host.changeHub.version, nil, deadline)
      }
    }
  }

  private func isOver(_ deadline: Int64?) -> Bool {
    let now = host.environment.clock.now().monotonicNanoseconds
    return deadline.map { $0 <= now } ?? false
  }

  /// Waits for news, for the time that a task waits for, or for the end.
  private func wait(after seen: UInt64, _ milliseconds: Int64?, _ deadline: Int64?) async {
    let now = host.environment.clock.now().monotonicNanoseconds
    // A switch that is turned off, and a clock that was set, are looked for every second.
    var delay = min(max(milliseconds ?? 1_000, 10), 1_000) * 1_000_000
    if let deadline { delay = min(delay, max(deadline - now, 0)) }
    let hub = host.changeHub
    host.alarm.ring(afterNanoseconds: delay) { hub.bump() }
    _ = await hub.wait(after: seen)
  }
}

extension WorkEngine.Outcome {
  /// Adds what a further run did.
  fileprivate mutating func add(_ other: WorkEngine.Outcome) {
    units += other.units
    done += other.done
    failed += other.failed
    cut = other.cut
    wakeMilliseconds = other.wakeMilliseconds
  }
}
