package import HoldfastModel

/// Decides which unit runs next. Pure: what it is told is all it knows.
package struct Scheduler: Sendable {
  /// Turns that a task which follows a running recording is put ahead. It then gets at most so
  /// many turns before each task that waits gets one: ahead, but nobody starves.
  package static let headStart: UInt64 = 4

  private let handlers: [TaskKind: HandlerTraits]
  /// What units were measured to need.
  package var times: UnitTimes

  /// A later handler of a kind replaces an earlier one.
  package init(handlers: [HandlerTraits], times: UnitTimes = UnitTimes()) {
    self.handlers = Dictionary(handlers.map { ($0.kind, $0) }, uniquingKeysWith: { $1 })
    self.times = times
  }

  /// What is asked at one moment.
  package struct Moment: Hashable, Sendable {
    package var device: DeviceState
    /// Milliseconds since 1970 by the wall clock; only delays after failures look at it.
    package var wallMilliseconds: Int64
    /// Milliseconds until the deadline by the monotonic clock; nil without one.
    package var leftMilliseconds: Int64?

    package init(device: DeviceState, wallMilliseconds: Int64, leftMilliseconds: Int64? = nil) {
      self.device = device
      self.wallMilliseconds = wallMilliseconds
      self.leftMilliseconds = leftMilliseconds
    }
  }

  /// What runs next, and why each other task does not.
  package struct Decision: Hashable, Sendable {
    /// The task whose next unit is to be claimed.
    package var run: TaskID?
    /// Every other task.
    package var obstacles: [TaskID: Obstacle]
    /// Milliseconds after which to ask again though nothing happened.
    package var wakeMilliseconds: Int64?
  }

  /// Chooses among tasks that no launch holds.
  package func decide(_ tasks: [DueTask], at moment: Moment) -> Decision {
    var decision = Decision(run: nil, obstacles: [:], wakeMilliseconds: nil)
    var first: (rank: Rank, id: TaskID)?
    for task in tasks {
      if let obstacle = obstacle(to: task, at: moment) {
        decision.obstacles[task.id] = obstacle
        if case .backoff(let left) = obstacle {
          decision.wakeMilliseconds = min(decision.wakeMilliseconds ?? left, left)
        }
        continue
      }
      let rank = rank(of: task, at: moment)
      if let known = first, known.rank <= rank {
        decision.obstacles[task.id] = .turn
      } else {
        if let known = first { decision.obstacles[known.id] = .turn }
        first = (rank, task.id)
      }
    }
    decision.run = first?.id
    return decision
  }

  /// Why the task cannot run, whatever the others do. The obstacle that takes longest to go is
  /// told first.
  package func obstacle(to task: DueTask, at moment: Moment) -> Obstacle? {
    guard let handler = handlers[task.kind] else { return .unknownKind }
    return standing(task) ?? input(task, handler, moment.device)
      ?? surroundings(task, handler, moment.device) ?? time(task, handler, moment)
  }

  /// Why no task of a kind runs on a device, whatever the task; nil when some may.
  ///
  /// - Parameter windowMilliseconds: all the time that work is given; nil without an end.
  package func obstacle(
    toKind kind: TaskKind, on device: DeviceState, windowMilliseconds: Int64?
  ) -> Obstacle? {
    guard let handler = handlers[kind] else { return .unknownKind }
    if let obstacle = surroundings(handler, device, follows: false) { return obstacle }
    guard let windowMilliseconds, let needed = expected(handler, device),
      needed > windowMilliseconds
    else { return nil }
    return .deadline(needed)
  }

  /// Fair ageing: who has waited for the most turns comes first; names break ties.
  private struct Rank: Comparable {
    var turn: UInt64
    var id: TaskID

    static func < (left: Rank, right: Rank) -> Bool {
      left.turn != right.turn ? left.turn < right.turn : left.id < right.id
    }
  }

  private func rank(of task: DueTask, at moment: Moment) -> Rank {
    let ahead = follows(task, moment.device) ? Self.headStart : 0
    return Rank(turn: task.lastTurn - min(task.lastTurn, ahead), id: task.id)
  }

  private func follows(_ task: DueTask, _ device: DeviceState) -> Bool {
    handlers[task.kind]?.follows == true && device.recording.contains(task.recording)
  }

  private func standing(_ task: DueTask) -> Obstacle? {
    if task.counters.isDeadly { return .quarantined }
    return task.counters.isSpent ? .failed : nil
  }

  private func input(
    _ task: DueTask, _ handler: HandlerTraits, _ device: DeviceState
  ) -> Obstacle? {
    if !task.unmetDependencies.isEmpty { return .dependencies(task.unmetDependencies) }
    if task.lacksInput { return .missingInput }
    guard device.recording.contains(task.recording) else { return nil }
    guard handler.follows, let unit = handler.unitMilliseconds else { return .recordingRuns }
    return task.availableMilliseconds < unit ? .recordingRuns : nil
  }

  private func surroundings(
    _ task: DueTask, _ handler: HandlerTraits, _ device: DeviceState
  ) -> Obstacle? {
    if let obstacle = surroundings(handler, device, follows: follows(task, device)) {
      return obstacle
    }
    let isSame = task.interruptedUnder == device.conditions
    return task.counters.needsChange && isSame ? .interruptions : nil
  }

  private func surroundings(
    _ handler: HandlerTraits, _ device: DeviceState, follows: Bool
  ) -> Obstacle? {
    let missing = handler.conditions.subtracting(device.holds)
    if !missing.isEmpty { return .conditions(missing) }
    if handler.compute != .any, !device.allowedCompute.contains(handler.compute) {
      return .compute(handler.compute)
    }
    // Words that are not written while they are spoken cost the user more than a warm device.
    let isTooHot = device.thermal == .critical || device.thermal == .serious && !follows
    return isTooHot ? .heat : nil
  }

  private func time(
    _ task: DueTask, _ handler: HandlerTraits, _ moment: Moment
  ) -> Obstacle? {
    let wait = task.retry?.remaining(now: moment.wallMilliseconds) ?? 0
    if wait > 0 { return .backoff(wait) }
    guard let left = moment.leftMilliseconds else { return nil }
    let needed = expected(handler, moment.device) ?? 0
    return left <= 0 || needed > left ? .deadline(needed) : nil
  }

  private func expected(_ handler: HandlerTraits, _ device: DeviceState) -> Int64? {
    times.expected(.init(kind: handler.kind, compute: handler.compute, pace: device.pace))
  }
}
