import Foundation
import Holdfast

/// A handler that is a program: what the engine runs for a ``HandlerSpec``.
struct HandlerProgram: Sendable {
  /// "Try later": EX_TEMPFAIL of sysexits.h.
  static let tryLater: Int32 = 75
  /// "The input can never work": EX_DATAERR of sysexits.h.
  static let neverWorks: Int32 = 65
  /// Seconds that a unit may take where no deadline ends it before.
  static let longestSeconds: Double = 3_600

  let spec: HandlerSpec
  let host: StoreHost
  let environment: [String: String]

  var body: WorkHandlerBody {
    WorkHandlerBody(spec.traits, makesPass: spec.makesPass) { await run($0) }
  }

  private func run(_ call: WorkCall) async -> WorkAnswer {
    do throws(HoldfastError) {
      let scratch = try Scratch(NSTemporaryDirectory(), host.environment)
      defer { scratch.remove() }
      let input = try await HandlerInput(spec: spec, host: host, call: call)
        .line(in: scratch.path)
      return try await run(call, input)
    } catch {
      return Self.answer(to: error)
    }
  }

  /// What a fault on our side means for the task: the input, or the moment.
  private static func answer(to error: HoldfastError) -> WorkAnswer {
    switch error.code {
    case .conflict, .inputRefused, .invalidArgument:
      .failed(.permanentInput, cause: error.message, afterMilliseconds: nil)
    default: .failed(.busy, cause: error.message, afterMilliseconds: nil)
    }
  }

  private func run(
    _ call: WorkCall, _ input: Data
  ) async throws(HoldfastError) -> WorkAnswer {
    let process = HandlerProcess()
    let reading = HandlerReading(call) { process.kill() }
    host.alarm.ring(afterNanoseconds: Int64(Self.longestSeconds * 1e9)) { [weak reading] in
      reading?.fail("it ran for over \(Int64(Self.longestSeconds)) s")
    }
    var environment = environment
    environment["HOLDFAST_TASK_KIND"] = spec.kind.rawValue
    let result: Result<(ending: HandlerProcess.Ending, complaint: String), HoldfastError>
    result = await withTaskCancellationHandler {
      do throws(HoldfastError) {
        return .success(
          try await process.run(
            spec.command, input: input, directory: FileManager.default.currentDirectoryPath,
            environment: environment
          ) { reading.take($0) })
      } catch { return .failure(error) }
    } onCancel: {
      process.kill()
    }
    let (ending, complaint) = try result.get()
    return reading.answer(ending, complaint)
  }
}

/// What comes from a handler's output while it runs.
final class HandlerReading: Sendable {
  private let call: WorkCall
  private let kill: @Sendable () -> Void
  private let state = Locked(State())

  private struct State: Sendable {
    var lines = HandlerLines()
    var checkpoint: [UInt8]?
    var failure: String?
  }

  init(_ call: WorkCall, kill: @escaping @Sendable () -> Void) {
    self.call = call
    self.kill = kill
  }

  /// Takes a line, on the thread that reads. A checkpoint is committed before the next line is.
  func take(_ line: [UInt8]) {
    let step = state.withLock { state -> HandlerLines.Line in
      guard state.failure == nil else { return .nothing }
      do throws(HoldfastError) { return try state.lines.take(line) } catch {
        state.failure = error.message
        return .nothing
      }
    }
    if state.withLock({ $0.failure != nil }) { return kill() }
    switch step {
    case .progress(let fraction): call.report(fraction)
    case .checkpoint(let bytes, let segments):
      state.withLock { $0.checkpoint = bytes }
      save(WorkPart(segments: segments, checkpoint: bytes))
    case .nothing: break
    }
  }

  private func save(_ part: WorkPart) {
    let save = call.save
    do throws(HoldfastError) {
      try OwnThread.wait { () async throws(HoldfastError) in try await save(part) }
    } catch { fail(error.message) }
  }

  /// Ends the run with a failure of its own.
  func fail(_ why: String) {
    state.withLock { $0.failure = $0.failure ?? why }
    kill()
  }

  func answer(_ ending: HandlerProcess.Ending, _ complaint: String) -> WorkAnswer {
    let state = state.withLock { $0 }
    if let failure = state.failure { return .crashed(failure) }
    let said = complaint.isEmpty ? "" : ": \(complaint)"
    switch ending {
    case .exited(0):
      guard state.lines.saidAnything else { return .crashed("it said nothing\(said)") }
      return .output(
        segments: state.lines.segments, checkpoint: state.checkpoint,
        artefacts: state.lines.artefacts)
    case .exited(HandlerProgram.tryLater):
      return .failed(.busy, cause: "it asked to be tried later\(said)", afterMilliseconds: nil)
    case .exited(HandlerProgram.neverWorks):
      return .failed(
        .permanentInput, cause: "it says that the input can never work\(said)",
        afterMilliseconds: nil)
    case .exited(126), .exited(127):
      return .failed(.busy, cause: "it cannot be run\(said)", afterMilliseconds: nil)
    case .exited(let code): return .crashed("it ended with code \(code)\(said)")
    case .signalled(let number): return .crashed("it was killed by signal \(number)\(said)")
    }
  }
}

extension WorkAnswer {
  /// The handler broke its contract or crashed.
  fileprivate static func crashed(_ cause: String) -> WorkAnswer {
    .failed(.crashed, cause: cause, afterMilliseconds: nil)
  }
}
