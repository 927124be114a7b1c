import HoldfastModel
import HoldfastPlatform
import HoldfastTasks
import HoldfastTesting

/// Handlers whose work takes the phone's time.
struct MonthHandlers: Sendable {
  private let phone: SimulatedPhone
  private let log: MonthLog
  private let crashes: @Sendable () -> Bool
  private let isCut: @Sendable () -> Bool

  /// - Parameters:
  ///   - crashes: whether the process dies between a unit's end and its commit.
  ///   - isCut: whether the engine wants nothing more of what runs.
  init(
    _ phone: SimulatedPhone, _ log: MonthLog, crashes: @escaping @Sendable () -> Bool,
    isCut: @escaping @Sendable () -> Bool
  ) {
    self.phone = phone
    self.log = log
    self.crashes = crashes
    self.isCut = isCut
  }

  var all: [WorkHandlerBody] { [transcriber, summarizer] }

  private var transcriber: WorkHandlerBody {
    var traits = HandlerTraits(
      .transcribe, version: 1, unitMilliseconds: Int64(PhoneDays<MonolithicApp>.unitSeconds * 1000))
    traits.follows = true
    traits.compute = .neuralEngine
    return WorkHandlerBody(traits, makesPass: true) { call in
      let range = call.unit.seconds
      let work = (range.upperBound - range.lowerBound) / MonthWork.transcribed
      let name = "\(call.order.recording.id) \(range.lowerBound)"
      return await compute(call, name, work, .neuralEngine) {
        .output(
          segments: [
            SpokenSegment(
              startSeconds: range.lowerBound, endSeconds: range.upperBound, text: "at \(name)")
          ], checkpoint: nil, artefacts: [])
      }
    }
  }

  private var summarizer: WorkHandlerBody {
    var traits = HandlerTraits(.summarize, version: 1)
    traits.dependencies = [.transcribe]
    traits.compute = .cpu
    return WorkHandlerBody(traits) { call in
      let name = "\(call.order.recording.id) summary"
      return await compute(call, name, MonthWork.summary, .processor) {
        .output(
          segments: [], checkpoint: nil,
          artefacts: [Artefact(kind: "summary", text: "What was said")])
      }
    }
  }

  private func compute(
    _ call: WorkCall, _ name: String, _ work: Double, _ compute: PhoneCompute,
    _ answer: () -> WorkAnswer
  ) async -> WorkAnswer {
    if phone.spend(work, on: compute, unless: isCut) == 0 {
      log.computed(name)
      guard crashes() else { return answer() }
      phone.end(.crashed)
    }
    // The engine has cut the unit, or will as soon as it looks: it cancels what it cut.
    await cancelled()
    return .failed(.transient, cause: "cut", afterMilliseconds: nil)
  }

  private func cancelled() async {
    let (stream, end) = AsyncStream<Void>.makeStream()
    await withTaskCancellationHandler {
      for await _ in stream {}
    } onCancel: {
      end.finish()
    }
  }
}
