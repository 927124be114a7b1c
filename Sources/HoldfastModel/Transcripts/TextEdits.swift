/// Which segments an edited text stands for: a pure function of the pass's segments and the
/// overlays (X2).
///
/// An edit that was made on this pass, of exactly one of its segments, replaces that segment's
/// text. Any other one replaces, as one segment, those that it overlaps, if each of them lies at
/// least half inside it. A segment of which less than a tenth is overlapped is a neighbour: two
/// engines never agree to the frame where one sentence ends and the next begins.
struct TextEdits: Hashable, Sendable {
  /// The segments with the edits in their place, each with the overlay that it comes from.
  private(set) var lines: [Line] = []
  /// Overlays that replace nothing here.
  private(set) var unplaced: [Overlay] = []

  struct Line: Hashable, Sendable {
    var segment: PassSegment
    var edit: Overlay?
  }

  /// - Parameter overlays: those of kind text, none of them taken back.
  init(_ pass: PassID, _ segments: [PassSegment], _ overlays: [Overlay]) {
    var claimed: [Int: Overlay] = [:]
    var merged: [Int: PassSegment] = [:]
    // The latest first: of two that speak of one segment it is the one that is shown (S5).
    let latestFirst = overlays.sorted().reversed()
    var rest: [Overlay] = []
    for overlay in latestFirst {
      let exact = overlay.fact.pass == pass ? Self.exact(overlay, segments) : nil
      if let exact, claimed[exact] == nil { claimed[exact] = overlay } else { rest.append(overlay) }
    }
    for overlay in rest {
      let covered = Self.covered(by: overlay, segments)
      guard let first = covered.first, let range = overlay.fact.frames.ranges.first,
        covered.allSatisfy({ claimed[$0] == nil })
      else {
        unplaced.append(overlay)
        continue
      }
      for index in covered { claimed[index] = overlay }
      merged[first] = Self.merged(covered.map { segments[$0] }, range)
    }
    for (index, segment) in segments.enumerated() {
      guard let overlay = claimed[index] else {
        lines.append(Line(segment: segment))
        continue
      }
      let isExact = overlay.fact.pass == pass && Self.exact(overlay, segments) == index
      guard var shown = merged[index] ?? (isExact ? segment : nil) else { continue }
      shown.text = overlay.fact.value
      shown.words = []
      shown.confidence = nil
      lines.append(Line(segment: shown, edit: overlay))
    }
    unplaced.sort()
  }

  /// The segment that an overlay names by its exact range and speaker.
  private static func exact(_ overlay: Overlay, _ segments: [PassSegment]) -> Int? {
    guard overlay.fact.frames.ranges.count == 1 else { return nil }
    return segments.firstIndex {
      $0.speaker == overlay.fact.speaker && $0.range == overlay.fact.frames.ranges[0]
    }
  }

  /// The segments that an overlay stands for; none when one of them lies mostly outside of it.
  private static func covered(by overlay: Overlay, _ segments: [PassSegment]) -> [Int] {
    guard overlay.fact.frames.ranges.count == 1 else { return [] }
    let range = overlay.fact.frames.ranges[0]
    let touched = segments.indices.filter { index in
      let overlap = segments[index].range.overlap(range)
      return overlap > 0 && overlap >= segments[index].range.frames / 10
    }
    let isInside = touched.allSatisfy { index in
      let overlap = segments[index].range.overlap(range)
      return overlap >= segments[index].range.frames - overlap
    }
    return isInside ? touched : []
  }

  /// One segment at the edit's range, by the speaker who has most of it.
  private static func merged(_ segments: [PassSegment], _ range: TakeRange) -> PassSegment? {
    var shares: [SpeakerCluster: UInt64] = [:]
    for segment in segments { shares[segment.speaker, default: 0] += segment.range.overlap(range) }
    let main = segments.map(\.speaker).max {
      (shares[$0] ?? 0, $1.label) < (shares[$1] ?? 0, $0.label)
    }
    guard let main else { return nil }
    return PassSegment(
      take: range.take, track: main.track, firstFrame: range.firstFrame,
      endFrame: range.endFrame, text: "", cluster: main.label)
  }
}
