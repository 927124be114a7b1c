package import HoldfastModel

/// The next piece of a recording that a handler is given.
package struct PlannedUnit: Hashable, Sendable {
  /// The track that is heard; nil for work on the recording as a whole.
  package var track: TrackID?
  /// Recording time, nanoseconds.
  package var range: Range<Int64>
  /// Whether nothing is left after it, and the recording is over.
  package var isLast: Bool
  /// How far the task is when it is done, 0…1.
  package var fraction: Double

  /// Seconds from the recording's start.
  package var seconds: Range<Double> {
    Double(range.lowerBound) / 1e9..<Double(range.upperBound) / 1e9
  }
}

/// Cuts a recording into units. Pure.
///
/// Invariants:
/// - A unit lies within one take of one track, so that it has one format and no gap in it.
/// - Units of a track do not overlap and leave nothing out, whatever was there when each was cut.
/// - While a take runs its units are whole ones; what is left over at its end is a unit too, and a
///   short rest belongs to the unit before it.
package enum UnitPlanner {
  /// The part of a unit that a rest must have to be a unit of its own: a recognizer needs some
  /// sound around each word.
  private static let shortest: Double = 1.0 / 3

  /// The next unit; nil when there is none now.
  ///
  /// - Parameters:
  ///   - takes: of the recording, in any order.
  ///   - cursor: how far each track is done.
  ///   - unit: nanoseconds of sound in a unit; nil for work on the whole.
  ///   - isOver: whether no more sound will come.
  package static func next(
    _ takes: [TakeSpan], cursor: WorkCursor, unit: Int64?, isOver: Bool
  ) -> PlannedUnit? {
    guard let unit, unit > 0 else {
      guard isOver else { return nil }
      return PlannedUnit(
        track: nil, range: 0..<max(takes.map(\.endNanoseconds).max() ?? 0, 0), isLast: true,
        fraction: 1)
    }
    let open = Dictionary(grouping: takes, by: \.track).compactMap { track, takes in
      piece(takes, track, from: cursor[track], unit, isOver)
    }
    guard
      let first = open.min(by: { ($0.range.lowerBound, $0.track) < ($1.range.lowerBound, $1.track) }
      )
    else { return nil }
    var after = cursor
    after.advance(first.track, to: first.range.upperBound)
    let left = total(takes, beyond: after)
    let all = total(takes, beyond: WorkCursor())
    return PlannedUnit(
      track: first.track, range: first.range, isLast: isOver && left == 0,
      fraction: all > 0 ? 1 - Double(left) / Double(all) : 1)
  }

  private static func piece(
    _ takes: [TakeSpan], _ track: TrackID, from done: Int64, _ unit: Int64, _ isOver: Bool
  ) -> (track: TrackID, range: Range<Int64>)? {
    let ordered = takes.sorted {
      ($0.startNanoseconds, $0.index, $0.take) < ($1.startNanoseconds, $1.index, $1.take)
    }
    guard let take = ordered.first(where: { $0.endNanoseconds > max(done, $0.startNanoseconds) })
    else { return nil }
    let isWhole = isOver || take.closedReason != nil
    let from = max(done, take.startNanoseconds)
    let end = take.endNanoseconds
    let whole = from.addingReportingOverflow(unit).partialValue
    guard whole < end else { return isWhole || whole == end ? (track, from..<end) : nil }
    let rest = Double(end - whole)
    return (track, from..<(isWhole && rest < Double(unit) * shortest ? end : whole))
  }

  /// Nanoseconds of sound that are not done.
  private static func total(_ takes: [TakeSpan], beyond cursor: WorkCursor) -> Int64 {
    takes.reduce(0) { sum, take in
      sum + max(take.endNanoseconds - max(cursor[take.track], take.startNanoseconds), 0)
    }
  }
}

extension TakeSpan {
  /// Where it ends in recording time, nanoseconds.
  var endNanoseconds: Int64 {
    guard sampleRate > 0 else { return startNanoseconds }
    let length = (Double(endFrame) / sampleRate * 1e9).rounded()
    return startNanoseconds + Int64(min(max(length, 0), 9e17))
  }
}
