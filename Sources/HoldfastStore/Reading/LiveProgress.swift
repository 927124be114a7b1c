import HoldfastModel
import HoldfastSQLite

/// What living launches have written and not indexed yet: rows follow after ten chunks or ten
/// seconds (DESIGN section 5), and a reader shows what is there, not what has a row.
///
/// Invariant: only takes that are open, of launches that hold their lock, are brought up to date,
/// and never back. Chunks without a row stay uncounted.
struct LiveProgress {
  private let logs: [LaunchID: LaunchLog]

  /// Of the launches that live.
  init(_ logs: [LaunchLog]) {
    self.logs = Dictionary(logs.filter(\.isAlive).map { ($0.header.launch, $0) }) { _, last in last
    }
  }

  /// Whether there is none.
  var isEmpty: Bool { logs.isEmpty }

  /// A recording as its living launch last told of it.
  func applied(
    to rows: [TakeRow], of summary: inout RecordingSummary, _ db: borrowing Connection
  ) throws -> [TakeRow] {
    var takes = rows
    var last: (launch: LaunchLog, sign: LaunchTime)?
    for index in takes.indices where takes[index].isOpen {
      guard let log = takes[index].launch.flatMap({ logs[$0] }) else { continue }
      if last.map({ $0.sign < log.lastSign }) ?? true { last = (log, log.lastSign) }
      guard let progress = log.progress.first(where: { $0.take == takes[index].id }) else {
        continue
      }
      let end = takes[index].span.endFrame
      guard progress.writtenFrames > end else { continue }
      let gained = progress.writtenFrames - end
      takes[index].span.endFrame = progress.writtenFrames
      takes[index].span.frames += gained
      if takes[index].format.isPCM {
        takes[index].bytes += gained * UInt64(takes[index].format.bytesPerFrame)
      }
    }
    guard let last else { return takes }
    summary.asOfMilliseconds = last.sign.wallMilliseconds
    // An import takes in a file at full speed: its own time is not that of the clock.
    if summary.phase.phase == .recording, summary.sourceBytes == nil,
      let anchor = try Anchor.of(summary.id, db)
    {
      let sign = Moment(
        monotonicNanoseconds: last.sign.monotonicNanoseconds,
        wallMilliseconds: last.sign.wallMilliseconds, boot: last.launch.header.boot)
      let place = RecordingClock(start: anchor.start).place(sign)
      summary.ranSeconds = Double(place.nanoseconds) / 1e9
    }
    return takes
  }
}
