import HoldfastModel
import HoldfastPlatform
import HoldfastStore

/// One attempt at a unit.
struct UnitRun: Sendable {
  var order: WorkOrder
  var body: WorkHandlerBody
  var unit: PlannedUnit
  /// By the monotonic clock, nanoseconds.
  var deadline: Int64?

  /// How far the task is when so much of the unit is done, 0…1; all of it is only what is
  /// committed.
  func progress(at share: Double) -> Double {
    let before = order.task.progress.fraction
    return min(before + min(max(share, 0), 1) * max(unit.fraction - before, 0), 0.9999)
  }
}

/// Counts a unit's progress and tells it (T5): it never goes back.
final class UnitMeter: Sendable {
  private let run: UnitRun
  private let tell: @Sendable (WorkProgress) -> Void
  private let store: any WorkStore
  private let reached: Locked<TaskProgress>

  init(
    _ run: UnitRun, progress: @escaping @Sendable (WorkProgress) -> Void, store: any WorkStore
  ) {
    self.run = run
    self.store = store
    tell = progress
    reached = Locked(run.order.task.progress)
  }

  func begin() { say(.began) }
  func end() {
    store.rest(name)
    say(.ended)
  }

  /// The task as heartbeats name it.
  private var name: String { "\(run.order.task.kind.rawValue) \(run.order.task.recording)" }

  /// Takes a fraction of the unit.
  func report(_ fraction: Double) {
    guard fraction.isFinite else { return }
    let moved = reached.withLock { progress -> Bool in
      let old = progress
      progress.advance(to: run.progress(at: fraction))
      return old < progress
    }
    if moved { say(.goesOn) }
  }

  /// Notes in the launch file what is in hand.
  func beat() {
    let progress = reached.withLock { $0 }
    store.beat(
      LaunchHeartbeat(
        task: name, unit: run.order.task.unit, progress: UInt64(progress.units)))
    say(.goesOn)
  }

  private func say(_ step: WorkProgress.Step) {
    let task = run.order.task
    tell(
      WorkProgress(
        step: step, task: task.id, kind: task.kind, recording: task.recording, unit: task.unit,
        progress: reached.withLock { $0 }))
  }
}

/// The parts of a unit that were saved before its end (T3).
///
/// Invariant: after a part that could not be saved none is, whatever the handler makes of the
/// error: no hole comes into what was said.
final class UnitSaves: Sendable {
  private let run: UnitRun
  private let store: any WorkStore
  private let race: UnitRace
  private let saved = Locked(Saved())

  private struct Saved: Sendable {
    var through: Int64?
    var error: String?
    /// The store could not take a part: no fault of the handler (T4).
    var fault: HoldfastError?
  }

  init(_ run: UnitRun, store: any WorkStore, race: UnitRace) {
    self.run = run
    self.store = store
    self.race = race
  }

  /// Commits a part. One at a time: the handler waits for the answer.
  func save(_ part: WorkPart) async throws(HoldfastError) {
    guard !race.isOver else { throw Self.over }
    if let fault = saved.withLock({ $0.fault }) { throw fault }
    if let stray = run.unit.stray(among: part.segments, isStream: run.body.isStream) {
      saved.withLock { $0.error = stray }
      throw HoldfastError(.invalidArgument, stray)
    }
    let from = saved.withLock { $0.through } ?? run.unit.range.lowerBound
    let named = part.throughSeconds ?? part.segments.filter(\.isFinal).map(\.endSeconds).max()
    let through = min(
      max(named.map { PlannedUnit.nanoseconds($0) } ?? from, from),
      run.body.isStream ? .max : run.unit.range.upperBound)
    let length = Double(run.unit.range.upperBound - run.unit.range.lowerBound)
    let share = length > 0 ? Double(through - run.unit.range.lowerBound) / length : 0
    let output = UnitOutput(
      track: run.unit.track, covered: from..<through,
      segments: run.unit.cut(part.segments.filter(\.isFinal)),
      makesPass: run.body.makesPass, checkpoint: part.checkpoint,
      fraction: run.progress(at: share), handler: run.body.stamp)
    switch try await commit(output) {
    case .taken, .none: saved.withLock { $0.through = through }
    case .stale: throw Self.over
    case .refused(let why):
      saved.withLock { $0.error = why }
      throw HoldfastError(.invalidArgument, why)
    }
  }

  private func commit(_ output: UnitOutput) async throws(HoldfastError) -> WorkFate {
    do throws(HoldfastError) {
      return try await store.workTurn((run.order.claim, .part(output)), next: nil).fate
    } catch {
      saved.withLock { $0.fault = error }
      throw error
    }
  }

  /// What is left of the answer: segments that come after what was saved. An answer after a part
  /// that was refused is a failure.
  func rest(_ answer: WorkAnswer) -> WorkAnswer {
    let (through, error, fault) = saved.withLock { ($0.through, $0.error, $0.fault) }
    if let fault {
      return .failed(.transient, cause: fault.message, afterMilliseconds: nil)
    }
    if let error { return .failed(.crashed, cause: error, afterMilliseconds: nil) }
    guard case .output(let segments, let checkpoint, let artefacts) = answer,
      let through
    else { return answer }
    let left = segments.filter { PlannedUnit.nanoseconds($0.startSeconds) >= through }
    return .output(segments: left, checkpoint: checkpoint, artefacts: artefacts)
  }

  private static let over = HoldfastError(
    .interrupted, "The unit is over: its time has passed, or the work was ended.")
}

extension WorkAnswer {
  /// Nothing more is to be said.
  static var nothing: WorkAnswer { .output(segments: [], checkpoint: nil, artefacts: []) }
}

extension PlannedUnit {
  /// What segments may lie beside the unit, seconds: engines round, and words reach over its edge.
  static let slack: Double = 1.5

  /// Seconds as nanoseconds, held to what can be.
  static func nanoseconds(_ seconds: Double) -> Int64 {
    seconds.isFinite ? Int64(min(max((seconds * 1e9).rounded(), 0), 9e17)) : 0
  }

  /// A unit of a recording in which nothing is left.
  static func nothing(_ takes: [TakeSpan]) -> PlannedUnit {
    let end = max(takes.map(\.endNanoseconds).max() ?? 0, 0)
    return PlannedUnit(track: nil, range: end..<end, isLast: true, fraction: 1)
  }

  /// What an end may lie after a unit and still be cut to it, seconds: engines that work in
  /// windows of 30 s (whisper) end the last segment with the window.
  static let longestEnd: Double = 30

  /// Segments with their ends cut to the unit's, where it is one of sound.
  func cut(_ segments: [SpokenSegment]) -> [SpokenSegment] {
    guard track != nil else { return segments }
    return segments.map {
      var segment = $0
      segment.endSeconds = max(
        min(segment.endSeconds, seconds.upperBound + Self.slack), segment.startSeconds)
      return segment
    }
  }

  /// What is wrong with the first segment that does not lie in the unit; nil when all do. Where a
  /// stream, or work on the whole, may speak of is looked at by the store.
  func stray(among segments: [SpokenSegment], isStream: Bool) -> String? {
    let isBounded = track != nil && !isStream
    let (low, high) = (seconds.lowerBound - Self.slack, seconds.upperBound + Self.slack)
    for (index, segment) in segments.enumerated() {
      let (start, end) = (segment.startSeconds, segment.endSeconds)
      if !start.isFinite || !end.isFinite || start > end {
        return "segment \(index) has no time range (\(start) s to \(end) s)"
      }
      if isBounded, start < low || start > high || end > high + Self.longestEnd {
        return "segment \(index) (\(start) s to \(end) s) lies outside the unit, \(text)"
      }
    }
    return nil
  }

  private var text: String { "\(seconds.lowerBound) s to \(seconds.upperBound) s" }
}

extension TakeSpan {
  /// The track with most audio; the smallest id of equals.
  static func longestTrack(_ takes: [TakeSpan]) -> TrackID? {
    Dictionary(grouping: takes, by: \.track).map { track, takes in
      (track, takes.reduce(0.0) { $0 + $1.seconds })
    }.max { ($0.1, $1.0) < ($1.1, $0.0) }?.0
  }
}

extension DeviceState {
  /// The conditions as they are stored beside an interruption.
  package var spelled: String {
    let compute = allowedCompute.map(\.rawValue).sorted().joined(separator: ",")
    return "holds=\(holds.rawValue) hot=\(thermal >= .serious) compute=\(compute) "
      + "pace=\(pace.rawValue)"
  }
}
