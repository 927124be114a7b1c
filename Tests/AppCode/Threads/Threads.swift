// Calls closures on a thread that is no actor's, as audio and background frameworks do. The name of
// the part to run is the first argument, the directory of a store the second. This module belongs
// to the main actor by default, as new projects of an app do.
import AVFAudio
import BackgroundTasks
import Foundation
import Holdfast
import HoldfastApple

nonisolated let frames = 4_800
nonisolated let channels: [[Float]] = (0..<2).map { channel in
  (0..<frames).map { Float($0 % 100) / 200 * (channel == 0 ? 1 : -1) }
}

@main struct Threads {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 3 else { exit(2) }
    switch arguments[1] {
    case "app-main": Screen().tap { $0() }
    case "app-tap": Screen().tap { onThread($0) }
    case "app-launch": Screen().launch()
    case "events": try await events(URL(fileURLWithPath: arguments[2]))
    case "grace": await grace()
    case "library": try await library(URL(fileURLWithPath: arguments[2]))
    default: exit(2)
    }
  }

  /// Runs a body on a plain thread and waits for it.
  nonisolated static func onThread(_ body: @escaping @Sendable () -> Void) {
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      body()
      done.signal()
    }
    done.wait()
  }

  /// The library's closures: every frame is kept, and the task is taken and given back.
  static func library(_ directory: URL) async throws {
    let store = RecordingStore(.init(directory: directory))
    try await store.open()
    let session = try await store.startRecording(.init(title: "Threads"))
    let engine = AVAudioEngine()
    let format = PCMFormat(engine.inputNode.outputFormat(forBus: 0))
    let take = try await session.beginTake("microphone", format)
    try engine.inputNode.install(take)
    nonisolated(unsafe) let node = engine.inputNode
    onThread { for _ in 0..<10 { node.deliver(channels, at: 1) } }
    let recording = try await session.stop()
    let wanted = Double(10 * frames) / 48_000
    check(abs(recording.capturedSeconds - wanted) < 1e-9, "\(recording.capturedSeconds) s")
    check(recording.payloadBytes == Int64(10 * frames * 8), "\(recording.payloadBytes) bytes")

    let work = WorkRunner(store, [])
    let id = "app.meetings.work.1"
    BGTaskScheduler.shared.register(
      forTaskWithIdentifier: id, using: nil, launchHandler: work.launchHandler)
    nonisolated(unsafe) let task = BGContinuedProcessingTask(identifier: id)
    onThread { BGTaskScheduler.shared.launch(task) }
    for _ in 0..<200 where task.isCompleted == nil { try await Task.sleep(for: .milliseconds(50)) }
    check(task.isCompleted == true, "the task was not given back as done")
    nonisolated(unsafe) let other = BGTask(identifier: id)
    onThread { BGTaskScheduler.shared.launch(other) }
    check(other.isCompleted == false, "a task of another kind was not given back")
  }

  static func check(_ holds: Bool, _ what: String) {
    guard !holds else { return }
    print("wrong:", what)
    exit(1)
  }
}

/// What an app should not write: both closures belong to the main actor.
final class Screen {
  var level = 0.0

  func tap(calling call: (@escaping @Sendable () -> Void) -> Void) {
    let node = AVAudioEngine().inputNode
    node.installTap(onBus: 0, bufferSize: 4_800, format: nil) { buffer, _ in
      self.level = Double(buffer.frameLength)
    }
    nonisolated(unsafe) let tapped = node
    call { tapped.deliver(channels, at: 1) }
    Threads.check(level == Double(frames), "the closure was not called")
  }

  func launch() {
    BGTaskScheduler.shared.register(forTaskWithIdentifier: "a", using: nil) { task in
      task.setTaskCompleted(success: true)
    }
    Threads.onThread { BGTaskScheduler.shared.launch(BGTask(identifier: "a")) }
  }
}
