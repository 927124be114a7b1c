import HoldfastModel

/// What the events of a launch say together: where the app was, and what became of each continued
/// task.
struct LaunchStory {
  /// One continued task, as far as the events tell.
  struct Work: Hashable {
    /// As the app names it.
    var identifier: String
    var submitted: LaunchTime?
    var started: LaunchTime?
    /// The last sign of progress, its start included.
    var progressed: LaunchTime?
    /// Ended by itself.
    var finished: LaunchTime?
    /// Ended by the system, or stopped by the user: one call-back for both.
    var expired: LaunchTime?

    /// Whether it was asked for and the system never began it.
    var neverStarted: Bool { submitted != nil && started == nil && expired == nil }
    /// Whether it ran at the launch's end.
    var isRunning: Bool { started != nil && finished == nil && expired == nil }
  }

  /// When the app last came to the foreground or went to the background, and which.
  private(set) var scene: (isForeground: Bool, since: LaunchTime)?
  /// In the order of their first event.
  private(set) var works: [Work] = []

  init(_ log: LaunchLog) {
    for event in log.events { take(event) }
    guard let beat = log.heartbeat else { return }
    // Work names its own tasks, the system's has a name of the app's: whatever goes on is its
    // progress.
    for index in works.indices where works[index].isRunning {
      works[index].progressed = max(works[index].progressed ?? beat.progressed, beat.progressed)
    }
  }

  /// The continued task that ran at the end and went on last.
  var running: Work? {
    works.filter(\.isRunning).max { ($0.progressed ?? .init()) < ($1.progressed ?? .init()) }
  }

  /// One that the system ended, after which nothing else was begun.
  var expired: Work? { running == nil ? works.last { $0.expired != nil } : nil }

  /// One that was asked for and never began.
  var neverStarted: Work? { works.last(where: \.neverStarted) }

  private mutating func take(_ event: LaunchEventRecord) {
    switch LaunchEventName(rawValue: event.name) {
    case .foreground: scene = (true, event.at)
    case .background: scene = (false, event.at)
    case .submitted: change(event) { $0 = Work(identifier: $0.identifier, submitted: event.at) }
    case .started:
      change(event) {
        $0.started = event.at
        $0.progressed = event.at
        ($0.finished, $0.expired) = (nil, nil)
      }
    case .finished: change(event) { $0.finished = event.at }
    case .expired: change(event) { $0.expired = event.at }
    default: break
    }
  }

  private mutating func change(_ event: LaunchEventRecord, _ body: (inout Work) -> Void) {
    let index = works.firstIndex { $0.identifier == event.detail }
    if index == nil { works.append(Work(identifier: event.detail)) }
    body(&works[index ?? works.count - 1])
  }
}

/// The names of events in the flight log. Open: others are kept and shown.
package struct LaunchEventName: RawRepresentable, Hashable, Sendable {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }

  /// The app came to the foreground.
  package static let foreground = LaunchEventName(rawValue: "foreground")
  /// The app went to the background.
  package static let background = LaunchEventName(rawValue: "background")
  /// A continued task was handed to the system; detail: its identifier, as in all that follow.
  package static let submitted = LaunchEventName(rawValue: "submitted")
  /// The system began a continued task.
  package static let started = LaunchEventName(rawValue: "taskStarted")
  /// A continued task said that it is done.
  package static let finished = LaunchEventName(rawValue: "taskFinished")
  /// The system ended a continued task, or the user stopped it: one call-back for both.
  package static let expired = LaunchEventName(rawValue: "taskExpired")
  /// The grace time after going to the background began; detail: its seconds.
  package static let graceBegan = LaunchEventName(rawValue: "graceBegan")
  /// The grace time was given back.
  package static let graceEnded = LaunchEventName(rawValue: "graceEnded")
  /// The system asked for memory; detail: what the process held, where it is known.
  package static let memoryWarning = LaunchEventName(rawValue: "memoryWarning")
  /// The system reported how earlier processes ended; detail: its size.
  package static let metricReport = LaunchEventName(rawValue: "metricReport")
  /// Files may be opened again.
  package static let unlocked = LaunchEventName(rawValue: "unlocked")

  /// What a warning of memory is noted with: "536870912 bytes"; empty when it is not known.
  static func memoryDetail(_ vitals: DeviceVitals) -> String {
    vitals.footprintBytes > 0 ? "\(vitals.footprintBytes) bytes" : ""
  }
}
