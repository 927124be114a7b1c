/// Where a take lies on its recording's time line, from its facts and what was counted of it.
package struct TakeSpan: Hashable, Sendable {
  package var take: TakeID
  package var track: TrackID
  /// Which take of its track, from 0.
  package var index: UInt32
  package var sampleRate: Double
  /// Start in recording time, nanoseconds.
  package var startNanoseconds: Int64
  package var known: GapKnowledge
  /// Sample frame after the last one, dropped ones counted.
  package var endFrame: UInt64
  /// Sample frames kept.
  package var frames: UInt64
  /// Why it was closed; nil while it is open.
  package var closedReason: GapReason?
  /// When it was closed, milliseconds since 1970.
  package var closedMilliseconds: Int64
  /// The most that is missing after the last frame, nanoseconds.
  package var lostAtMostNanoseconds: Int64
  package var openedMilliseconds: Int64
  package var jumps: [ClosedFact.Jump]

  package init(
    take: TakeID, track: TrackID, index: UInt32, sampleRate: Double, startNanoseconds: Int64,
    known: GapKnowledge, endFrame: UInt64, frames: UInt64, closedReason: GapReason?,
    closedMilliseconds: Int64, lostAtMostNanoseconds: Int64, openedMilliseconds: Int64,
    jumps: [ClosedFact.Jump]
  ) {
    self.take = take
    self.track = track
    self.index = index
    self.sampleRate = sampleRate
    self.startNanoseconds = startNanoseconds
    self.known = known
    self.endFrame = endFrame
    self.frames = frames
    self.closedReason = closedReason
    self.closedMilliseconds = closedMilliseconds
    self.lostAtMostNanoseconds = lostAtMostNanoseconds
    self.openedMilliseconds = openedMilliseconds
    self.jumps = jumps
  }

  /// Seconds from the take's start to its end, dropped frames counted.
  package var seconds: Double { Double(endFrame) / sampleRate }
  /// Where it ends in recording time, seconds.
  package var endSeconds: Double { Double(startNanoseconds) / 1e9 + seconds }

  /// Whether it was over before any audio came, and nothing of it is missing: an interruption right
  /// after a resume leaves such a take.
  package var isVoid: Bool {
    closedReason != nil && endFrame == 0 && frames == 0 && jumps.isEmpty
      && lostAtMostNanoseconds == 0
  }

  /// The takes that say something, by track and index: void ones that follow another of their track
  /// are left out, so that what lies around them is one gap.
  package static func telling(_ takes: [TakeSpan]) -> [TakeSpan] {
    let ordered = takes.sorted { ($0.track, $0.index, $0.take) < ($1.track, $1.index, $1.take) }
    var kept: [TakeSpan] = []
    for take in ordered where !take.isVoid || kept.last?.track != take.track { kept.append(take) }
    return kept
  }
}

/// A stretch of a recording without audio.
package struct Gap: Hashable, Sendable {
  package var track: TrackID
  package var take: TakeID
  /// Index of the take after whose ``atFrame`` the gap begins.
  package var takeIndex: UInt32
  package var reason: GapReason
  /// Sample frame within the take at which it begins.
  package var atFrame: UInt64
  /// Its length; nil while it goes on.
  package var seconds: Double?
  package var known: GapKnowledge
  /// When it began by the wall clock, milliseconds since 1970.
  package var startedMilliseconds: Int64
}

/// Gaps, captured and elapsed time of a recording: a pure function of its takes and phase.
package struct Timeline: Hashable, Sendable {
  /// All gaps, by track, then by time.
  package private(set) var gaps: [Gap] = []
  /// Seconds of audio kept, of the track that has most.
  package private(set) var capturedSeconds: Double = 0
  /// Seconds from the recording's start to its end, gaps included.
  package private(set) var elapsedSeconds: Double = 0
  /// Seconds of audio kept by track.
  package private(set) var capturedByTrack: [TrackID: Double] = [:]

  /// - Parameters:
  ///   - takes: the recording's takes in any order.
  ///   - phase: the recording's phase; an ended one closes an interruption's gap.
  package init(_ takes: [TakeSpan], phase: PhaseValue) {
    let ordered = TakeSpan.telling(takes)
    for (position, take) in ordered.enumerated() {
      capturedByTrack[take.track, default: 0] += Double(take.frames) / take.sampleRate
      elapsedSeconds = max(elapsedSeconds, take.endSeconds)
      gaps += take.jumps.map { Self.gap(in: take, $0) }
      let next = position + 1 < ordered.count ? ordered[position + 1] : nil
      if let next, next.track == take.track {
        if let gap = Self.gap(after: take, until: next) { gaps.append(gap) }
      } else if !Self.isComplete(take, takes), let gap = Self.gap(after: take, phase) {
        gaps.append(gap)
        if gap.known == .wall {
          elapsedSeconds = max(elapsedSeconds, take.endSeconds + (gap.seconds ?? 0))
        }
      }
    }
    capturedSeconds = capturedByTrack.values.max() ?? 0
  }

  /// Whether a void take that follows without a seam was stopped: somebody looked for more (as a
  /// killed import that goes on does), and there was none.
  private static func isComplete(_ take: TakeSpan, _ all: [TakeSpan]) -> Bool {
    all.contains { next in
      next.isVoid && next.closedReason == .stop && next.track == take.track
        && next.index > take.index
        && abs(Double(next.startNanoseconds) / 1e9 - take.endSeconds) < seam
    }
  }

  /// Seconds between takes that are no gap.
  private static let seam = 0.000_5

  private static func gap(in take: TakeSpan, _ jump: ClosedFact.Jump) -> Gap {
    Gap(
      track: take.track, take: take.take, takeIndex: take.index, reason: jump.reason,
      atFrame: jump.atFrame, seconds: Double(jump.frames) / take.sampleRate,
      // Of what was lost it is not known what it was, nor whether some of it was never captured.
      known: jump.reason == .missing ? .unknown : .monotonic,
      startedMilliseconds: take.openedMilliseconds
        + Int64(Double(jump.atFrame) / take.sampleRate * 1000))
  }

  private static func gap(after take: TakeSpan, until next: TakeSpan) -> Gap? {
    let seconds = max(Double(next.startNanoseconds) / 1e9 - take.endSeconds, 0)
    // A killed import goes on without a seam: nothing is missing between the two takes.
    guard seconds >= seam else { return nil }
    return trailing(take, seconds: seconds, known: next.known)
  }

  /// The gap after a track's last take: none after a clean stop; a bound after a death; open while
  /// capture may go on; until the stop when it did not, with what came in before the take was
  /// closed and could not be kept.
  private static func gap(after take: TakeSpan, _ phase: PhaseValue) -> Gap? {
    guard let reason = take.closedReason, reason != .stop else { return nil }
    if reason == .termination && phase.phase == .stopped {
      return trailing(take, seconds: Double(take.lostAtMostNanoseconds) / 1e9, known: .unknown)
    }
    guard phase.phase == .stopped else { return trailing(take, seconds: nil, known: .unknown) }
    let seconds = max(Double(phase.atMilliseconds - take.closedMilliseconds) / 1000, 0)
    let lost = Double(take.lostAtMostNanoseconds) / 1e9
    return trailing(take, seconds: seconds + lost, known: .wall)
  }

  private static func trailing(_ take: TakeSpan, seconds: Double?, known: GapKnowledge) -> Gap {
    Gap(
      track: take.track, take: take.take, takeIndex: take.index,
      reason: take.closedReason ?? .termination, atFrame: take.endFrame, seconds: seconds,
      known: known, startedMilliseconds: take.closedMilliseconds)
  }
}
