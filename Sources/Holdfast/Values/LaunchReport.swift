public import Foundation
public import HoldfastModel
package import HoldfastStore

/// What an opening found: how earlier launches ended, and what was made of their recordings.
public struct LaunchReport: Sendable {
  /// How launches since the last opening ended, oldest first; clean ends are left out.
  public var endings: [LaunchEnding]
  /// Recordings that a dead launch left, with what is there and what may be missing.
  public var recovered: [RecoveredRecording]
  /// The recording that waits for the user to come back.
  public var pendingResume: Recording.ID?
  /// What a person should know of: lost commits, a copied store …
  public var attention: [HoldfastError]

  package init(_ report: OpeningReport, seconds: [RecordingID: Double]) {
    endings = report.endings.map {
      LaunchEnding(kind: $0.ending.kind.rawValue, evidence: $0.ending.evidence)
    }
    recovered = report.recovered.map {
      RecoveredRecording(
        id: Recording.ID($0.recording), seconds: seconds[$0.recording] ?? 0,
        lostAtMostSeconds: Double($0.lostAtMostNanoseconds) / 1e9)
    }
    pendingResume = report.pendingResume.map { Recording.ID($0) }
    attention = report.attention.map {
      HoldfastError(.damaged, $0.message, context: ["attention": $0.code])
    }
  }
}

/// How a launch ended.
public struct LaunchEnding: Sendable {
  /// "endedWhileSuspended", "killedInForeground", "poweredOff", "unknown" …; what the system itself
  /// reported: "crashed", "memoryLimit", "watchdog" …
  public var kind: String
  /// One sentence that names what the verdict rests on.
  public var evidence: String
}

/// A recording that a dead launch left.
public struct RecoveredRecording: Identifiable, Sendable {
  /// The recording.
  public var id: Recording.ID
  /// Seconds of audio that are there.
  public var seconds: Double
  /// The most that is missing at its end, seconds.
  public var lostAtMostSeconds: Double
}

/// Something that the system or the user told the app. Noted in the launch file as it comes.
public struct LaunchEvent: Sendable {
  /// At most 24 bytes of text.
  package let name: String
  /// At most 64 bytes of text are kept.
  package let detail: String
  /// What the system reported of earlier ends, as it came, for the store.
  package let metrics: Data?

  package init(_ name: String, _ detail: String = "", metrics: Data? = nil) {
    self.name = name
    self.detail = detail
    self.metrics = metrics
  }

  private init(_ name: LaunchEventName, _ detail: String = "") {
    self.init(name.rawValue, detail)
  }

  /// The app is in the foreground.
  public static let foreground = LaunchEvent(.foreground)
  /// The app went to the background.
  public static let background = LaunchEvent(.background)
  /// The system asked for memory.
  public static let memoryWarning = LaunchEvent(.memoryWarning)
  /// The device was unlocked: files may be opened now.
  public static let protectedDataAvailable = LaunchEvent(.unlocked)

  /// A continued task was handed to the system: should it never start, the next launch says so.
  ///
  /// - Parameter id: its identifier, exactly as it was registered.
  public static func submitted(_ id: String) -> LaunchEvent { LaunchEvent(.submitted, id) }
  /// The system began a continued task.
  public static func taskStarted(_ id: String) -> LaunchEvent { LaunchEvent(.started, id) }
  /// A continued task is done.
  public static func taskFinished(_ id: String) -> LaunchEvent { LaunchEvent(.finished, id) }
  /// The system ended a continued task, or the user stopped it: it tells both in one way.
  public static func taskExpired(_ id: String) -> LaunchEvent { LaunchEvent(.expired, id) }

  /// The system's own word on how earlier processes ended: what `jsonRepresentation()` of an
  /// `MXDiagnosticPayload` or an `MXMetricPayload` gives. It outranks what the store inferred;
  /// `holdfast launches` shows both.
  ///
  /// Give every payload, `pastDiagnosticPayloads` and `pastPayloads` too: one that was given before
  /// changes nothing. Anything else than such JSON changes
  /// nothing.
  public static func metricReport(_ json: Data) -> LaunchEvent {
    LaunchEvent(
      LaunchEventName.metricReport.rawValue, "\(json.count) bytes", metrics: json)
  }
}
