/// Sample frames of one take.
package struct TakeRange: Hashable, Sendable, Comparable {
  package var take: TakeID
  /// The first sample frame, counted from the take's start.
  package var firstFrame: UInt64
  /// The sample frame after the last one.
  package var endFrame: UInt64

  package init(take: TakeID, firstFrame: UInt64, endFrame: UInt64) {
    self.take = take
    self.firstFrame = firstFrame
    self.endFrame = max(endFrame, firstFrame)
  }

  /// How many frames it has.
  package var frames: UInt64 { endFrame - firstFrame }

  /// How many frames both have.
  package func overlap(_ other: TakeRange) -> UInt64 {
    guard take == other.take else { return 0 }
    let (first, end) = (max(firstFrame, other.firstFrame), min(endFrame, other.endFrame))
    return end > first ? end - first : 0
  }

  package static func < (left: TakeRange, right: TakeRange) -> Bool {
    (left.take, left.firstFrame, left.endFrame) < (right.take, right.firstFrame, right.endFrame)
  }
}

/// A set of sample frames: ranges in order, none of which touches the next.
package struct FrameSet: Hashable, Sendable {
  package private(set) var ranges: [TakeRange] = []

  /// The union of ranges in any order.
  package init(_ ranges: some Sequence<TakeRange>) {
    for range in ranges.sorted() {
      if let last = self.ranges.last, last.take == range.take, range.firstFrame <= last.endFrame {
        self.ranges[self.ranges.count - 1].endFrame = max(last.endFrame, range.endFrame)
      } else {
        self.ranges.append(range)
      }
    }
  }

  /// How many frames both sets have.
  package func overlap(_ other: FrameSet) -> UInt64 {
    var (mine, theirs) = (ranges[...], other.ranges[...])
    var frames: UInt64 = 0
    while let left = mine.first, let right = theirs.first {
      frames += left.overlap(right)
      if (left.take, left.endFrame) < (right.take, right.endFrame) {
        mine.removeFirst()
      } else {
        theirs.removeFirst()
      }
    }
    return frames
  }

  /// The set with at most so many ranges: the narrowest spaces between two ranges of one take are
  /// taken in first; then the shortest ranges are left out.
  package func simplified(to count: UInt64) -> FrameSet {
    var kept = ranges
    let excess = kept.count - Int(clamping: count)
    guard excess > 0 else { return self }
    let spaces = (1..<kept.count).filter { kept[$0].take == kept[$0 - 1].take }
      .sorted {
        (kept[$0].firstFrame - kept[$0 - 1].endFrame, $0)
          < (kept[$1].firstFrame - kept[$1 - 1].endFrame, $1)
      }
    for index in spaces.prefix(excess).sorted(by: >) {
      kept[index - 1].endFrame = kept[index].endFrame
      kept.remove(at: index)
    }
    let longest = kept.sorted { ($0.frames, $1) > ($1.frames, $0) }
    return FrameSet(longest.prefix(Int(clamping: count)))
  }
}
