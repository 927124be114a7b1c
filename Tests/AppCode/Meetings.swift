// What an app wants to write: it must go on compiling against the public API, in every set-up of an
// adopter's target. The parts that need Apple frameworks are left to the module that has them.
import Foundation
import Holdfast
import Observation

nonisolated let store = RecordingStore(.applicationSupport())

/// Stands for an audio engine.
nonisolated protocol Engine: AnyObject {
  var format: PCMFormat { get }
  func install(_ take: TakeWriter) throws
  func start() throws
  func pause()
}

@MainActor @Observable final class Meetings {
  var list: [Recording] = []
  var report: LaunchReport?
  var session: CaptureSession?
  @ObservationIgnored let audio: any Engine

  init(audio: any Engine) { self.audio = audio }

  // Launch: what happened last time.
  func launch() async {
    do { report = try await store.open() } catch { print(error.code, error.message) }
  }

  func watch() async { for await now in store.recordings() { list = now } }

  // Capture from an engine's tap.
  func start() async throws {
    let s = try await store.startRecording(
      .init(title: "Stand-up", attributes: ["event": .string("E-42")]))
    try await listen(s)
  }

  func listen(_ s: CaptureSession) async throws {
    session = s
    let take = try await s.beginTake("microphone", audio.format)
    try audio.install(take)
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
      case .postResumeNotice, .withdrawResumeNotice: break
      case .showStalled: break
      @unknown default: break
      }
    }
  }

  func resumePending(_ id: Recording.ID) async throws {
    try await listen(store.resumeRecording(id))
  }

  // … or from a recorder with rotating files.
  func record(_ s: CaptureSession, write: (URL) async throws -> Void) async throws {
    let files = try await s.beginFileTake("microphone", .caf)
    while !Task.isCancelled {
      let url = try await files.nextFile()
      try await write(url)
      files.finished(url)
    }
    try await files.end(.pause)
  }

  func progress(of s: CaptureSession) async {
    for await now in s.status {
      print(now.durableSeconds, now.droppedFrames, now.secondsLeftOnDisk, now.peak)
    }
  }

  func stop() async throws -> Recording? {
    audio.pause()
    return try await session?.stop()
  }
}

/// A tap's closure: made where no actor is, called on a framework's thread.
nonisolated func tap(_ take: TakeWriter)
  -> @Sendable (UnsafeRawBufferPointer, UInt32, UInt64) -> Void
{
  { bytes, frames, time in _ = take.append(bytes, frames: frames, hostTime: time) }
}
