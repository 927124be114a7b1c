import HoldfastModel

/// What the last records of a launch that ended without a word tell of memory, heat and the work in
/// hand: evidence beside the verdict, none of it decides.
struct LaunchSigns {
  private let log: LaunchLog
  private let last: LaunchTime

  /// - Parameter last: its last sign of life.
  init(_ log: LaunchLog, _ last: LaunchTime) {
    self.log = log
    self.last = last
  }

  /// To be put behind a sentence; empty when nothing is to be said.
  var text: String { (warning ?? "") + (beat ?? "") }

  private var warning: String? {
    let name = LaunchEventName.memoryWarning.rawValue
    guard let event = log.events.last(where: { $0.name == name }) else { return nil }
    let bytes = event.detail.split(separator: " ").first.flatMap { UInt64($0) } ?? 0
    let held = bytes > 0 ? ", with \(Self.megabytes(bytes)) in use" : ""
    return "; the system had asked for memory \(seconds(since: event.at)) s before\(held)"
  }

  private var beat: String? {
    guard let beat = log.heartbeat else { return nil }
    var words: [String] = []
    if beat.vitals.footprintBytes > 0 {
      words.append("\(Self.megabytes(beat.vitals.footprintBytes)) in use")
    }
    switch beat.vitals.thermal {
    case .unknown, .nominal: break
    case .fair: words.append("the device warm")
    case .serious: words.append("the device hot")
    case .critical: words.append("the device critically hot")
    }
    if beat.vitals.isLowPower { words.append("power being saved") }
    if let kind = beat.task.split(separator: " ").first {
      words.append("\(kind) in hand, unit \(beat.unit)")
    }
    guard !words.isEmpty else { return nil }
    return "; its last heartbeat, \(seconds(since: beat.at)) s earlier, told: "
      + words.joined(separator: ", ")
  }

  private func seconds(since time: LaunchTime) -> String {
    LaunchVerdict.text(time.seconds(to: last))
  }

  private static func megabytes(_ bytes: UInt64) -> String {
    "\((bytes + 500_000) / 1_000_000) MB"
  }
}
