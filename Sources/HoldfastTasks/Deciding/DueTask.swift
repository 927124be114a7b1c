package import HoldfastModel

/// An unsettled task as the scheduler sees it: what is stored, and what was looked up for it.
package struct DueTask: Hashable, Sendable {
  package var id: TaskID
  package var kind: TaskKind
  package var recording: RecordingID
  package var counters = TaskCounters()
  /// The number of the turn in which it last ran or, before that, came to be. Turns are counted,
  /// not timed, so that no clock can put one task before another.
  package var lastTurn: UInt64
  /// When it may run again after a failure.
  package var retry: RetryTime?
  /// The conditions under which it was last interrupted.
  package var interruptedUnder: DeviceState.Conditions?
  /// Kinds of its recording that must be done before.
  package var unmetDependencies: Set<TaskKind> = []
  /// Whether sound that it needs is not on this device.
  package var lacksInput = false
  /// Milliseconds of sound that lie beyond its checkpoint.
  package var availableMilliseconds: Int64

  package init(
    id: TaskID, kind: TaskKind, recording: RecordingID, lastTurn: UInt64,
    availableMilliseconds: Int64 = 0
  ) {
    self.id = id
    self.kind = kind
    self.recording = recording
    self.lastTurn = lastTurn
    self.availableMilliseconds = availableMilliseconds
  }
}

/// What a registered handler declares.
package struct HandlerTraits: Hashable, Sendable {
  package var kind: TaskKind
  /// Kept on results; a new one re-runs nothing by itself (T7).
  package var version: Int32
  /// The quality of its results, more is better.
  package var quality: Int32
  /// Milliseconds of sound in one unit; nil when the whole task is one unit.
  package var unitMilliseconds: Int64?
  /// Kinds that must be done before on the same recording.
  package var dependencies: Set<TaskKind> = []
  package var conditions: TaskConditions = []
  package var compute: ComputeUnit = .any
  /// Whether it works while its recording runs, a unit at a time.
  package var follows = false

  package init(
    _ kind: TaskKind, version: Int32, quality: Int32 = 0, unitMilliseconds: Int64? = nil
  ) {
    self.kind = kind
    self.version = version
    self.quality = quality
    self.unitMilliseconds = unitMilliseconds
  }
}
