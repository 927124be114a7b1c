/// Which name each speaker of a pass has: a pure function of the pass's segments and the overlays
/// (X2).
///
/// A name that was given on this very pass holds for its cluster. Any other one was given to a
/// stretch of speech: each cluster takes the name whose stretch has most frames of it, if that is
/// at least half of all frames of it that any name speaks of. So an engine that counts its speakers
/// in another order changes nothing.
struct SpeakerNames: Hashable, Sendable {
  /// The overlay that names a cluster.
  private(set) var byCluster: [SpeakerCluster: Overlay] = [:]
  /// Overlays that name nothing here.
  private(set) var unplaced: [Overlay] = []

  /// - Parameter overlays: those of kind name, none of them taken back.
  init(_ pass: PassID, _ segments: [PassSegment], _ overlays: [Overlay]) {
    var here: [SpeakerCluster: [TakeRange]] = [:]
    for segment in segments { here[segment.speaker, default: []].append(segment.range) }
    let clusters = here.mapValues { FrameSet($0) }
    var elsewhere: [Overlay] = []
    for overlay in overlays.sorted() {
      if overlay.fact.pass == pass, clusters[overlay.fact.speaker] != nil {
        byCluster[overlay.fact.speaker] = overlay
      } else {
        elsewhere.append(overlay)
      }
    }
    for (cluster, frames) in clusters where byCluster[cluster] == nil {
      let onTrack = elsewhere.filter { $0.fact.speaker.track == cluster.track }
      byCluster[cluster] = Self.best(for: frames, among: onTrack)
    }
    let placed = Set(byCluster.values.map(\.name))
    unplaced = overlays.sorted().filter { overlay in
      !placed.contains(overlay.name)
        && !clusters.contains { cluster, frames in
          byCluster[cluster]?.fact.value == overlay.fact.value
            && cluster.track == overlay.fact.speaker.track
            && frames.overlap(overlay.fact.frames) > 0
        }
    }
  }

  private static func best(for frames: FrameSet, among overlays: [Overlay]) -> Overlay? {
    let candidates = overlays.map { ($0, frames.overlap($0.fact.frames)) }.filter { $0.1 > 0 }
    guard let best = candidates.max(by: { ($0.1, $0.0) < ($1.1, $1.0) }) else { return nil }
    let named = FrameSet(candidates.flatMap { $0.0.fact.frames.ranges })
    // At least half, written so that it can neither round nor overflow.
    let all = frames.overlap(named)
    return best.1 >= all - min(best.1, all) ? best.0 : nil
  }
}
