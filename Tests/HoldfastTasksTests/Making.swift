import HoldfastModel
import HoldfastTasks

/// A task on a recording of its own; equal numbers give equal tasks.
func made(
  _ number: Int, kind: TaskKind = .transcribe, turn: UInt64 = 0, available: Int64 = 0
) -> DueTask {
  DueTask(
    id: TaskID(digest: Digest(words: UInt64(number), 0, 0, 0)), kind: kind,
    recording: RecordingID(high: 7, low: UInt64(number)), lastTurn: turn,
    availableMilliseconds: available)
}

/// Random bytes that a seed gives.
final class Source: RandomSource, @unchecked Sendable {
  private var dice: Dice

  init(seed: UInt64) { dice = Dice(seed: seed) }

  func bytes(_ count: Int64) -> [UInt8] {
    (0..<count).map { _ in UInt8(truncatingIfNeeded: dice.next()) }
  }
}
