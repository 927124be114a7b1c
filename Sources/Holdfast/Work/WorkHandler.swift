public import Foundation
import HoldfastModel
import HoldfastStore
package import HoldfastTasks

/// Where a unit of work computes. In the background the processor is many times slower, the Neural
/// Engine about twice.
@nonexhaustive
public enum Compute: Sendable {
  /// Wherever.
  case any
  /// The processor.
  case cpu
  /// The Neural Engine.
  case neuralEngine
}

/// What must hold on the device for a kind of work.
public struct WorkConditions: OptionSet, Sendable {
  /// The bits.
  public let rawValue: UInt32
  /// Conditions by their bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// A network is reachable.
  public static let network = WorkConditions(rawValue: 1)
  /// The device is on external power.
  public static let power = WorkConditions(rawValue: 2)
  /// The app is in the foreground.
  public static let foreground = WorkConditions(rawValue: 4)
}

/// What a handler answers for a unit.
@nonexhaustive
public enum WorkOutput: Sendable {
  /// What was said in the unit's range, in recording time, and the handler's own words about where
  /// it is, given back with the next unit. They are committed together, once.
  case segments([Segment], checkpoint: Data? = nil)
  /// Something that was made: `kind` is "summary" …, `text` at most 192 KiB of UTF-8. An empty text
  /// is no result.
  case artefact(kind: String, text: String)
  /// Not now; costs nothing.
  case retry(after: Duration)
  /// The input can never work, and why.
  case impossible(String)
}

/// What an app can do with recordings, by the name of its kind: "transcribe", "summarize" …
///
/// A handler returns what a unit gave, so that it is committed together with the note that the unit
/// is done: after any death at most one unit is done again, and none is recorded twice.
///
/// An error that is thrown is a failure: five of them, and the task has failed. Errors of the
/// network (`URLError`) and retryable ``HoldfastError``s spend nothing; the task is tried again
/// later.
public struct WorkHandler: Sendable {
  package let traits: HandlerTraits
  let makesPass: Bool
  let isStream: Bool
  let run: @Sendable (WorkCall, StoreHost) async -> WorkAnswer

  /// A handler of units.
  ///
  /// - Parameters:
  ///   - kind: 1 to 64 letters, digits, dots, dashes or underscores.
  ///   - version: kept on results; a new one re-runs nothing by itself.
  ///   - quality: kept on results; of several the best is shown.
  ///   - window: seconds of sound in a unit, 0.1 to 3600: it then works while its recording runs, a
  ///     unit at a time. Nil: the whole recording is one unit, begun after it has stopped.
  ///   - predecessors: kinds of the same recording that must be done before.
  ///   - needs: what must hold on the device.
  ///   - compute: where it computes.
  ///   - run: does one unit. Called from any thread; cancelled when its time is over.
  public init(
    _ kind: String, version: Int32, quality: Int32 = 0, every window: Duration? = nil,
    after predecessors: [String] = [], needs: WorkConditions = [], on compute: Compute = .any,
    run: @escaping @Sendable @concurrent (WorkUnit) async throws -> WorkOutput
  ) {
    var traits = HandlerTraits(
      TaskKind(rawValue: kind), version: version, quality: quality,
      unitMilliseconds: window.map { max(Self.milliseconds($0), 100) })
    traits.dependencies = Set(predecessors.map { TaskKind(rawValue: $0) })
    traits.conditions = TaskConditions(rawValue: needs.rawValue)
    traits.compute =
      switch compute {
      case .any: .any
      case .cpu: .cpu
      case .neuralEngine: .neuralEngine
      }
    traits.follows = window != nil
    self.traits = traits
    makesPass = window != nil
    isStream = false
    self.run = { call, host in
      do {
        let unit = try await WorkUnit(call, host)
        return WorkAnswer(try await run(unit), call.unit)
      } catch { return WorkAnswer(error) }
    }
  }

  private init(
    stream kind: String, version: Int32, quality: Int32,
    run: @escaping @Sendable @concurrent (WorkStream) async throws -> Void
  ) {
    traits = {
      var traits = HandlerTraits(
        TaskKind(rawValue: kind), version: version, quality: quality, unitMilliseconds: 1)
      traits.follows = true
      return traits
    }()
    makesPass = true
    isStream = true
    self.run = { call, host in
      do {
        try await run(try await WorkStream(call, host))
        return .output(segments: [], checkpoint: nil, artefacts: [])
      } catch { return WorkAnswer(error) }
    }
  }

  /// A handler that keeps state over a whole recording: a recognizer with context, a cloud socket.
  /// It is fed from the journal, while the recording runs and after, and resumed after a death from
  /// where its last ``WorkStream/commit(_:finalizedThrough:)`` came.
  ///
  /// - Parameters: as ``init(_:version:quality:every:after:needs:on:run:)``. `run` returns when the
  ///   stream of audio has ended and everything is committed.
  public static func stream(
    _ kind: String, version: Int32, quality: Int32 = 0,
    run: @escaping @Sendable @concurrent (WorkStream) async throws -> Void
  ) -> WorkHandler {
    WorkHandler(stream: kind, version: version, quality: quality, run: run)
  }

  func body(_ host: StoreHost) -> WorkHandlerBody {
    WorkHandlerBody(traits, makesPass: makesPass, isStream: isStream) { [run] call in
      await run(call, host)
    }
  }

  static func milliseconds(_ duration: Duration) -> Int64 {
    let parts = duration.components
    let whole = Double(parts.seconds) * 1_000 + Double(parts.attoseconds) / 1e15
    return Int64(min(max(whole.rounded(), 0), 9e15))
  }
}

extension WorkAnswer {
  /// What a handler of the app answered.
  init(_ output: WorkOutput, _ unit: PlannedUnit) {
    switch output {
    case .segments(let segments, let checkpoint):
      self = .output(
        segments: segments.map { SpokenSegment($0) }, checkpoint: checkpoint.map { Array($0) },
        artefacts: [])
    case .artefact(let kind, let text):
      let artefact = Artefact(kind: kind, text: text)
      guard UInt64(text.utf8.count) <= Artefact.maximumBytes else {
        self = .failed(
          .crashed,
          cause: "its artefact has \(text.utf8.count) bytes; at most "
            + "\(Artefact.maximumBytes) are kept", afterMilliseconds: nil)
        return
      }
      self = .output(segments: [], checkpoint: nil, artefacts: [artefact])
    case .retry(let after):
      self = .failed(
        .busy, cause: "its handler asked to be tried later",
        afterMilliseconds: WorkHandler.milliseconds(after))
    case .impossible(let why):
      self = .failed(.permanentInput, cause: why, afterMilliseconds: nil)
    }
  }

  /// What an error of a handler means (T4).
  init(_ error: any Error) {
    let cause = "\(error)"
    switch error {
    case is CancellationError, is URLError:
      self = .failed(.transient, cause: cause, afterMilliseconds: nil)
    case let error as HoldfastError:
      let isOurs = error.isRetryable || error.code == .interrupted
      let failure: FailureClass = isOurs ? .transient : .crashed
      self = .failed(
        error.code == .conflict ? .permanentInput : failure, cause: error.message,
        afterMilliseconds: nil)
    default: self = .failed(.crashed, cause: cause, afterMilliseconds: nil)
    }
  }
}

extension SpokenSegment {
  init(_ segment: Segment) {
    self.init(
      startSeconds: segment.range.lowerBound, endSeconds: segment.range.upperBound,
      text: segment.text, speaker: segment.speaker, isFinal: segment.isFinal)
  }
}
