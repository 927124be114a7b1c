// What an app wants to write: it must go on compiling against the public API, in every set-up of an
// adopter's target. Apple's frameworks are stood in for by the declarations in Standins.
import AVFAudio
import BackgroundTasks
import Foundation
import Holdfast
import HoldfastApple
import Observation

nonisolated let store: RecordingStore = {
  var configuration = RecordingStore.Configuration.applicationSupport()
  configuration.pipeline = ["transcribe", "summarize"]
  return RecordingStore(configuration)
}()

@MainActor @Observable final class Meetings {
  var list: [Recording] = []
  var report: LaunchReport?
  var session: CaptureSession?
  @ObservationIgnored let audio = AVAudioEngine()

  // Launch: what happened last time, then what is left to do.
  func launch() async {
    do {
      report = try await store.open()
      work.start()
    } catch { print(error.code, error.message) }
  }

  func watch() async { for await now in store.recordings() { list = now } }

  // Capture from an engine's tap.
  func start() async throws {
    let s = try await store.startRecording(
      .init(title: "Stand-up", attributes: ["event": .string("E-42")]))
    let events = AudioSessionEvents(s)
    try await listen(s)
    Task { for await event in events { await act(on: event, s) } }
  }

  // First start, resume, new route: always a new take.
  func listen(_ s: CaptureSession) async throws {
    session = s
    let take = try await s.beginTake(
      "microphone", PCMFormat(audio.inputNode.outputFormat(forBus: 0)),
      storing: PCMFormat(.int16, sampleRate: 16_000))
    try audio.inputNode.install(take)
    audio.prepare()
    try audio.start()
  }

  func act(on event: CaptureEvent, _ s: CaptureSession) async {
    for action in s.handle(event) {
      switch action {
      case .pause: audio.pause()
      case .resume:
        do {
          try await listen(s)
          await act(on: .resumed, s)
        } catch { await act(on: .resumeFailed("\(error)"), s) }
      case .postResumeNotice: Notice.post(s.id)
      case .withdrawResumeNotice: Notice.withdraw(s.id)
      case .showStalled: Notice.stalled(s.id)
      @unknown default: break
      }
    }
  }

  // No notification tells that audio stopped coming.
  func watchForSilence(_ s: CaptureSession) async {
    var (heard, silent) = (-1.0, 0.0)
    while !Task.isCancelled {
      for await now in s.status {
        silent = now.durableSeconds == heard ? silent + 1 : 0
        heard = now.durableSeconds
        break
      }
      if silent >= 5 {
        await act(on: .silence(seconds: silent), s)
        silent = 0
      }
      try? await Task.sleep(for: .seconds(1))
    }
  }

  // Hours and launches later.
  func resumePending(_ id: Recording.ID) async throws {
    try await listen(store.resumeRecording(id))
  }

  // … or from a recorder with rotating files: each name is durable before the recorder opens it.
  func record(_ s: CaptureSession, settings: [String: Any]) async throws {
    let files = try await s.beginFileTake("microphone", .caf)
    while !Task.isCancelled {
      let url = try await files.nextFile()
      let recorder = try AVAudioRecorder(url: url, settings: settings)
      recorder.record()
      try? await Task.sleep(for: .seconds(30))
      recorder.stop()
      files.finished(url)
    }
    try await files.end(.pause)
  }

  func progress(of s: CaptureSession) async {
    for await now in s.status {
      print(now.durableSeconds, now.droppedFrames, now.secondsLeftOnDisk, now.peak)
    }
  }

  // Stop: the transcript lags at most one unit; ask for time for the summary, but do not depend on
  // it.
  func stop() async throws {
    audio.stop()
    guard let done = try await session?.stop() else { return }
    if #available(iOS 26.0, *) { askForTime(done) }
  }

  @available(iOS 26.0, *)
  func askForTime(_ done: Recording) {
    let id = "app.meetings.work.\(UUID().uuidString)"
    BGTaskScheduler.shared.register(
      forTaskWithIdentifier: id, using: nil, launchHandler: work.launchHandler)
    let request = BGContinuedProcessingTaskRequest(
      identifier: id, title: done.title, subtitle: "Summarizing")
    request.strategy = .fail
    if (try? BGTaskScheduler.shared.submit(request)) != nil { store.note(.submitted(id)) }
  }
}

/// Stands for notifications to the user.
nonisolated enum Notice {
  static func post(_ id: Recording.ID) {}
  static func withdraw(_ id: Recording.ID) {}
  static func stalled(_ id: Recording.ID) {}
}

/// A tap's closure of one's own: made where no actor is, called on a framework's thread.
nonisolated func tap(_ take: TakeWriter)
  -> @Sendable (UnsafeRawBufferPointer, UInt32, UInt64) -> Void
{
  { bytes, frames, time in _ = take.append(bytes, frames: frames, hostTime: time) }
}
