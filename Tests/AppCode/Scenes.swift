// The app itself: scenes, what the system tells it, and the grace time.
import AVFAudio
import Foundation
import Holdfast
import HoldfastApple
import MetricKit
import SwiftUI
import UIKit

@MainActor struct MeetingsApp: App {
  @Environment(\.scenePhase) var phase
  @State var meetings = Meetings()
  let lifecycle = Lifecycle(store, work, grace: ApplicationGrace())
  let metrics = Metrics()

  init() { registerWindow() }

  var body: some Scene {
    WindowGroup {
      List(meetings.list) { r in
        Text("\(r.title) \(r.state) \(Int(r.capturedSeconds)) of \(Int(r.elapsedSeconds)) s")
      }
      .task {
        await meetings.launch()
        metrics.subscribe()
      }
      .task { await meetings.watch() }
      .task { await forwardNotes() }
    }
    .onChange(of: phase) { _, now in
      if now == .active { lifecycle.becameActive() }
      if now == .background { lifecycle.enteredBackground { await goodbye() } }
    }
  }
}

/// What the app does itself before it is suspended.
nonisolated func goodbye() async {}

/// What the flight log should know besides.
nonisolated func forwardNotes() async {
  let center = NotificationCenter.default
  async let memory: Void = {
    for await _ in center.notes(UIApplication.didReceiveMemoryWarningNotification) {
      store.note(.memoryWarning)
    }
  }()
  async let unlocked: Void = {
    for await _ in center.notes(UIApplication.protectedDataDidBecomeAvailableNotification) {
      store.note(.protectedDataAvailable)
    }
  }()
  _ = await (memory, unlocked)
}

nonisolated extension NotificationCenter {
  /// Notifications without what they carry.
  func notes(_ name: Notification.Name) -> AsyncStream<Void> {
    AsyncStream { continuation in
      nonisolated(unsafe) let token = addObserver(forName: name, object: nil, queue: nil) { _ in
        continuation.yield()
      }
      continuation.onTermination = { _ in NotificationCenter.default.removeObserver(token) }
    }
  }
}

/// Before the first take: category, permission, activation.
nonisolated func prepareAudio() async throws -> Bool {
  guard await AVAudioApplication.requestRecordPermission() else { return false }
  let audio = AVAudioSession.sharedInstance()
  try audio.setCategory(.playAndRecord, mode: .default)
  try audio.setActive(true)
  return true
}

/// MetricKit's reports outrank what the store infers.
nonisolated final class Metrics: NSObject, MXMetricManagerSubscriber, Sendable {
  func subscribe() {
    MXMetricManager.shared.add(self)
    didReceive(MXMetricManager.shared.pastDiagnosticPayloads)
    didReceive(MXMetricManager.shared.pastPayloads)
  }
  func didReceive(_ payloads: [MXMetricPayload]) {
    for payload in payloads { store.note(.metricReport(payload.jsonRepresentation())) }
  }
  func didReceive(_ payloads: [MXDiagnosticPayload]) {
    for payload in payloads { store.note(.metricReport(payload.jsonRepresentation())) }
  }
}

/// The watch: no capture is resumed without the user, and the grace time is an activity's.
nonisolated enum Watch {
  static let store: RecordingStore = {
    var configuration = RecordingStore.Configuration.applicationSupport()
    configuration.resume = .whenForeground
    configuration.backup = .nothing
    return RecordingStore(configuration)
  }()
  static let lifecycle = Lifecycle(store, WorkRunner(store, []), grace: ActivityGrace())
}
