// Deferred work: handlers, a stateful recognizer, the list of what is left, the windows that the
// system grants.
import BackgroundTasks
import Foundation
import Holdfast

nonisolated let work = WorkRunner(
  store,
  [
    WorkHandler("transcribe", version: 3, every: .seconds(12), on: .neuralEngine) { unit in
      let pcm = try await unit.pcm(PCMFormat(.float32, sampleRate: 16_000))
      return .segments(try await Model.transcribe(pcm, from: unit.range.lowerBound))
    },
    WorkHandler("summarize", version: 1, after: ["transcribe"]) { unit in
      .artefact(
        kind: "summary", text: try await Model.summarize(unit.transcript.plainText))
    },
  ])

/// A recognizer with context: after a death it goes on where its last commit came.
nonisolated let live = WorkHandler.stream("transcribe", version: 4) { stream in
  let sound = stream.audio(PCMFormat(.float32, sampleRate: 16_000))
  for try await result in Model.session(sound, from: stream.resumeFrom) {
    try await stream.commit(result.segments, finalizedThrough: result.finalizedThrough)
  }
}

/// Stands for a recognizer and a language model.
nonisolated enum Model {
  struct Result: Sendable {
    var segments: [Segment]
    var finalizedThrough: Double
  }

  @concurrent static func transcribe(_ pcm: [Float], from: Double) async throws -> [Segment] { [] }
  @concurrent static func summarize(_ text: String) async throws -> String { "" }
  static func session(
    _ sound: AsyncThrowingStream<[Float], any Error>, from: Double
  ) -> AsyncThrowingStream<Result, any Error> {
    AsyncThrowingStream { $0.finish() }
  }
}

/// What is left to do, and what a person may do about it.
nonisolated func show(work id: Recording.ID) async throws {
  for await items in work.items(of: id) {
    for item in items {
      print(item.kind, item.state, item.progress, item.cause ?? "", item.results)
      if item.state == "quarantined" { try await work.release(item.id) }
      if item.state == "failed" { try await work.retry(item.id) }
    }
  }
}

/// A window of background processing: registered at launch, drained until it expires.
@MainActor func registerWindow() {
  BGTaskScheduler.shared.register(
    forTaskWithIdentifier: "app.meetings.window", using: nil, launchHandler: makeWindow())
}

/// Made where no actor is: the system calls it on a queue of its own.
nonisolated func makeWindow() -> @Sendable (BGTask) -> Void {
  { task in
    nonisolated(unsafe) let task = task
    task.expirationHandler = { work.expire() }
    Task {
      let report = await work.drain(until: .now + .seconds(120))
      task.setTaskCompleted(success: report.left == 0)
    }
  }
}

nonisolated func again(_ id: Recording.ID) async throws {
  try await work.add("summarize", to: id)
}
