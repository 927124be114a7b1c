public import Foundation
import HoldfastModel
import HoldfastPlatform
import HoldfastStore
import HoldfastTasks

/// A task by which the system lets an app go on in the background: `BGContinuedProcessingTask` has
/// this shape.
public protocol ContinuedTask: AnyObject, SendableMetatype {
  /// As it was registered and submitted.
  var identifier: String { get }
  /// What the system shows, and looks at: a task that does not move for about 30 s is ended.
  var progress: Progress { get }
  /// Called when the system ends the task, or the user stops it.
  var expirationHandler: (() -> Void)? { get set }
  /// Ends it.
  func setTaskCompleted(success: Bool)
  /// Changes what the system shows.
  func updateTitle(_ title: String, subtitle: String)
}

/// What runs now, for those who show it.
package final class WorkMeter: Sendable {
  private let state = Locked(State())

  private struct State: Sendable {
    var current: WorkProgress?
    var done: UInt64 = 0
    var watchers: [UInt64: @Sendable (WorkProgress?) -> Void] = [:]
    var nextKey: UInt64 = 0
  }

  package init() {}

  func take(_ progress: WorkProgress) {
    let watchers = state.withLock { state in
      state.current = progress
      return Array(state.watchers.values)
    }
    for watcher in watchers { watcher(progress) }
  }

  /// Nothing is left that can run.
  func rest() {
    let watchers = state.withLock { state in
      state.current = nil
      return Array(state.watchers.values)
    }
    for watcher in watchers { watcher(nil) }
  }

  /// Has a body told of every step, nil when nothing is left.
  func watch(_ body: @escaping @Sendable (WorkProgress?) -> Void) -> UInt64 {
    state.withLock { state in
      state.nextKey += 1
      state.watchers[state.nextKey] = body
      return state.nextKey
    }
  }

  func forget(_ key: UInt64) { state.withLock { _ = $0.watchers.removeValue(forKey: key) } }
}

/// Progress of several tasks as one that never goes back and always moves (T5): each task that is
/// done, and each unit, takes its share of what is left; a tick moves one of 10,000 as long as that
/// does not pass the work.
struct CombinedProgress: Hashable, Sendable {
  /// 0…10,000.
  private(set) var units: Int64 = 0
  /// The share of what is left that one task takes.
  private static let share = 0.5
  private var base: Double = 0
  private var current: TaskID?

  /// Takes where a task is.
  mutating func take(_ task: TaskID, _ fraction: Double) {
    if task != current {
      base = Double(units)
      current = task
    }
    let room = (Double(TaskProgress.whole) - base) * Self.share
    move(to: Int64(base + room * min(max(fraction, 0), 1)))
  }

  /// A sign of life.
  mutating func tick() { move(to: units + 1) }

  /// All is done.
  mutating func finish() { units = Int64(TaskProgress.whole) }

  private mutating func move(to new: Int64) {
    units = min(max(units, new), Int64(TaskProgress.whole) - 1)
  }
}

/// A continued task in our hands, until its end.
final class HeldTask: Sendable {
  private let task: Locked<(any ContinuedTask)?>
  private let state = Locked(State())
  private let store: RecordingStore
  private let runner: WorkRunner
  private let identifier: String

  private struct State {
    var combined = CombinedProgress()
    var watch: UInt64 = 0
  }

  init(
    _ task: sending any ContinuedTask, named identifier: String, _ store: RecordingStore,
    _ runner: WorkRunner
  ) {
    self.task = Locked(task)
    self.store = store
    self.runner = runner
    self.identifier = identifier
  }

  func begin() {
    store.note(.taskStarted(identifier))
    task.withLock { task in
      task?.progress.totalUnitCount = Int64(TaskProgress.whole)
      task?.expirationHandler = { [self] in expire() }
    }
    let watch = runner.progress.watch { [self] in take($0) }
    state.withLock { $0.watch = watch }
    tick()
  }

  /// A sign of life from the alarm's thread, as often as the engine's own.
  private func tick() {
    guard show({ $0.tick() }) else { return }
    store.host.alarm.ring(afterNanoseconds: WorkEngine.beatNanoseconds) { [self] in tick() }
  }

  private func take(_ progress: WorkProgress?) {
    guard let progress else { return end(success: true, .taskFinished(identifier)) }
    show { $0.take(progress.task, progress.progress.fraction) }
  }

  /// Moves the progress on and shows it.
  ///
  /// - Returns: whether the task is still ours.
  @discardableResult
  private func show(_ change: (inout CombinedProgress) -> Void) -> Bool {
    let units = state.withLock { state in
      change(&state.combined)
      return state.combined.units
    }
    return task.withLock { task in
      task?.progress.completedUnitCount = units
      return task != nil
    }
  }

  private func expire() {
    runner.expire()
    end(success: false, .taskExpired(identifier))
  }

  private func end(success: Bool, _ event: LaunchEvent) {
    if success { show { $0.finish() } }
    let isOurs = task.withLock { held -> Bool in
      guard let task = held else { return false }
      held = nil
      task.expirationHandler = nil
      task.setTaskCompleted(success: success)
      return true
    }
    guard isOurs else { return }
    store.note(event)
    runner.progress.forget(state.withLock { $0.watch })
    runner.letGo()
  }
}
