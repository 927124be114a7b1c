// Plays the system's notifications about audio, and its grace time.
import AVFAudio
import Foundation
import Holdfast
import HoldfastApple
import UIKit

extension Threads {
  private static let posted: [(Notification.Name, [String: UInt])] = [
    (AVAudioSession.interruptionNotification, [AVAudioSessionInterruptionTypeKey: 1]),
    (
      AVAudioSession.interruptionNotification,
      [AVAudioSessionInterruptionTypeKey: 0, AVAudioSessionInterruptionOptionKey: 1]
    ),
    (AVAudioSession.interruptionNotification, [AVAudioSessionInterruptionTypeKey: 0]),
    (AVAudioSession.interruptionNotification, [AVAudioSessionInterruptionTypeKey: 77]),
    (AVAudioSession.interruptionNotification, [:]),
    (AVAudioSession.routeChangeNotification, [AVAudioSessionRouteChangeReasonKey: 3]),
    (AVAudioSession.routeChangeNotification, [AVAudioSessionRouteChangeReasonKey: 2]),
    (.AVAudioEngineConfigurationChange, [:]),
    (AVAudioSession.mediaServicesWereResetNotification, [:]),
    (UIApplication.willResignActiveNotification, [:]),
    (UIApplication.didBecomeActiveNotification, [:]),
  ]
  private static let wanted = [
    "interruptionBegan", "interruptionEnded(shouldResume: true)",
    "interruptionEnded(shouldResume: false)", "routeChanged", "routeChanged",
    "mediaServicesReset", "resigned", "becameActive",
  ]

  /// Each notification becomes its event, on whichever thread it comes; a stop ends the sequence.
  static func events(_ directory: URL) async throws {
    let store = RecordingStore(.init(directory: directory))
    let session = try await store.startRecording(.init(title: "Events"))
    let events = AudioSessionEvents(session)
    let notes = posted
    onThread {
      for (name, info) in notes {
        NotificationCenter.default.post(name: name, object: nil, userInfo: info)
      }
    }
    var heard: [String] = []
    for await event in events {
      heard.append("\(event)")
      if heard.count == wanted.count { _ = try await session.stop() }
    }
    check(heard == wanted, "\(heard)")
  }

  /// Waits until the main actor sees a condition hold.
  private static func wait(_ what: String, _ holds: () -> Bool) async {
    for _ in 0..<200 where !holds() { try? await Task.sleep(for: .milliseconds(10)) }
    check(holds(), what)
  }

  /// The time is given back when the body is done or the system wants it, once.
  static func grace() async {
    // All on the main thread, which nobody is any more after the first wait: on Linux its queue is
    // served by others.
    let app = UIApplication.shared
    app.grants = false
    let denied = Flag()
    ApplicationGrace().withGrace("a", expired: { denied.raise() }) { exit(1) }
    check(denied.isUp, "no time was granted, and nobody said so")

    app.grants = true
    let expired = Flag()
    let late = Flag()
    ApplicationGrace().withGrace("b", expired: { expired.raise() }) { await late.wait() }
    check(app.running.count == 1, "the time has not begun")
    app.expire()
    check(
      expired.isUp && app.running.isEmpty, "the expired time was not given back at once")
    late.raise()

    let ended = Flag()
    ApplicationGrace().withGrace("c", expired: { exit(1) }) { ended.raise() }
    await wait("the body has not run") { ended.isUp }
    await wait("the time was not given back") { app.running.isEmpty }

    let elsewhere = Flag()
    onThread { ApplicationGrace().withGrace("d", expired: { exit(1) }) { elsewhere.raise() } }
    await wait("another thread's body has not run") { elsewhere.isUp }

    let cut = Flag()
    let over = Flag()
    ActivityGrace().withGrace("expiring", expired: { cut.raise() }) { await over.wait() }
    await wait("an activity has not expired") { cut.isUp }
    over.raise()
    let refused = Flag()
    ActivityGrace().withGrace("denied", expired: { refused.raise() }) { exit(1) }
    await wait("an activity was denied, and nobody said so") { refused.isUp }
  }
}

/// Something that has happened.
nonisolated final class Flag: @unchecked Sendable {
  private let lock = NSLock()
  private var raised = false
  var isUp: Bool { lock.withLock { raised } }
  func raise() { lock.withLock { raised = true } }
  func wait() async { while !isUp { try? await Task.sleep(for: .milliseconds(5)) } }
}
