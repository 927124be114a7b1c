/// What happened to capture, as the app hears it from the system.
@nonexhaustive
public enum CaptureEvent: Sendable {
  /// A call, an alarm or another app took the microphone.
  case interruptionBegan
  /// The interruption is over; the system says whether capture should resume.
  case interruptionEnded(shouldResume: Bool)
  /// The app came to the foreground.
  case becameActive
  /// The app left the foreground.
  case resigned
  /// The microphone changed, and with it perhaps the format.
  case routeChanged
  /// The system's audio services were started anew; every object of theirs is void.
  case mediaServicesReset
  /// The user took the permission away.
  case permissionLost
  /// Capture runs again, into a new take.
  case resumed
  /// Capture could not be resumed; the text says why.
  case resumeFailed(String)
  /// No audio came for so many seconds though capture should run.
  case silence(seconds: Double)
}

/// What the app is to do next.
@nonexhaustive
public enum CaptureAction: Hashable, Sendable {
  /// Stop the engine; the take is closed.
  case pause
  /// Start the engine again with a new take, then report `resumed` or `resumeFailed`.
  case resume
  /// Ask the user to open the app so that the recording can go on.
  case postResumeNotice
  /// Take that request back.
  case withdrawResumeNotice
  /// Show that no audio is coming.
  case showStalled
}

/// When capture may resume without the user.
public enum ResumePolicy: Sendable {
  /// In the background too: a phone.
  case automatic
  /// Only when the app is in the foreground: a watch.
  case whenForeground
}
