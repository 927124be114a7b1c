public import Foundation
public import HoldfastModel
import HoldfastPlatform
import HoldfastStore

/// Takes the audio of files that an app's own recorder writes, one after the other.
///
/// Each name is journaled before the recorder opens it, so that a file which a dead launch left is
/// taken in at the next open. Finished files are taken into the store and removed. Between two
/// files the recorder hears nothing: each becomes a take of its own.
///
/// ```swift
/// let files = try await session.beginFileTake("microphone", .caf)
/// let url = try await files.nextFile()
/// // … the recorder writes to url, then closes it …
/// files.finished(url)
/// ```
public final class FileTakeWriter: OpenTakeHandle {
  private let session: CaptureSession
  private let track: String
  private let container: FileContainer
  private let state = Locked(State())

  private struct State: Sendable {
    var named: [URL: IncomingFile] = [:]
    var pending: Task<Void, Never>?
    var takenSeconds: Double = 0
    var isEnded = false
  }

  init(_ session: CaptureSession, track: String, _ container: FileContainer) {
    self.session = session
    self.track = track
    self.container = container
  }

  /// Where the recorder writes next. The name is durable; the file does not exist yet.
  ///
  /// - Throws: `notCapturing` after the end, `diskFull`, `suspended`.
  public func nextFile() async throws(HoldfastError) -> URL {
    guard !state.withLock({ $0.isEnded }) else {
      throw HoldfastError(.notCapturing, "The take of files has ended.")
    }
    let host = session.host
    let recording = session.id.model
    let track = track
    let suffix = fileExtension
    let file = try await host.write { writer throws(HoldfastError) in
      try writer.nameIncoming(for: recording, track: track, fileExtension: suffix)
    }
    let url = host.configuration.directory.appendingPathComponent(file.name)
    state.withLock { $0.named[url.standardizedFileURL] = file }
    return url
  }

  private var fileExtension: String {
    switch container {
    case .caf: "caf"
    case .adts: "aac"
    case .wav: "wav"
    }
  }

  /// Says that the recorder has closed a file. It is taken in on the store's thread; a fault shows
  /// in the session's `stop()` and the file stays. Another URL than a named one does nothing.
  public func finished(_ url: URL) {
    state.withLock { state in
      guard let file = state.named.removeValue(forKey: url.standardizedFileURL) else { return }
      let before = state.pending
      state.pending = Task { [self] in
        await before?.value
        await take(file, .routeChange)
      }
    }
  }

  private func take(_ file: IncomingFile, _ reason: GapReason) async {
    let components = session.host.configuration.chunk.components
    let seconds = Double(components.seconds) + Double(components.attoseconds) / 1e18
    do throws(HoldfastError) {
      let taken = try await session.host.write { writer throws(HoldfastError) in
        try writer.takeIncoming(file, chunkSeconds: seconds, reason: reason)
      }
      state.withLock { $0.takenSeconds += taken ?? 0 }
      session.changed()
    } catch { session.fail(error) }
  }

  /// Ends the take: files that were not reported as finished are taken in as they lie.
  ///
  /// - Throws: nothing of its own; faults show in the session's `stop()`.
  public func end(_ reason: GapReason) async throws(HoldfastError) {
    let (isFirst, left, pending) = state.withLock { state in
      defer {
        state.isEnded = true
        state.named = [:]
      }
      return (!state.isEnded, Array(state.named.values), state.pending)
    }
    guard isFirst else { return }
    await pending?.value
    for file in left.sorted(by: { $0.key < $1.key }) { await take(file, reason) }
    session.forget(self)
  }

  /// Rows of a file come with the file.
  package func wantRows() {}

  package func endSoon() { state.withLock { $0.isEnded = true } }

  package var progress: TakeProgress {
    var progress = TakeProgress()
    progress.seconds = state.withLock { $0.takenSeconds }
    return progress
  }
}
