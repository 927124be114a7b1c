package import HoldfastModel

/// How work goes, as it is told while it runs.
package struct WorkProgress: Hashable, Sendable {
  package enum Step: Hashable, Sendable { case began, goesOn, ended }
  package var step: Step
  package var task: TaskID
  package var kind: TaskKind
  package var recording: RecordingID
  /// Units of the task that were committed before this one.
  package var unit: UInt64
  /// How far the task is.
  package var progress: TaskProgress
}
