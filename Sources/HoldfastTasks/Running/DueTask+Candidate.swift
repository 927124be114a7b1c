import HoldfastModel
import HoldfastStore

extension DueTask {
  /// A task of the store as the scheduler sees it, with as much sound as its handler's next unit
  /// would find.
  init(_ candidate: WorkCandidate, _ body: WorkHandlerBody?) {
    let task = candidate.task
    self.init(id: task.id, kind: task.kind, recording: task.recording, lastTurn: task.turn)
    counters = task.counters
    if let unit = body?.traits.unitMilliseconds,
      UnitPlanner.next(
        candidate.takes, cursor: task.cursor, unit: unit.nanoseconds, isOver: false) != nil
    {
      availableMilliseconds = unit
    }
    // A stream follows its recording from the first take on.
    if body?.isStream == true, !candidate.takes.isEmpty { availableMilliseconds = .max }
  }
}
