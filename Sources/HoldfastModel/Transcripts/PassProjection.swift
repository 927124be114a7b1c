/// A line of a transcript as it is shown: a segment with the names and edits of the user.
package struct ShownLine: Hashable, Sendable {
  /// The segment; its text is the edited one.
  package var segment: PassSegment
  /// Who speaks: the name that the user gave, else the engine's label; nil where there is neither.
  package var speaker: String?
  /// The overlay that names the speaker.
  package var named: ChangeName?
  /// The overlay that its text comes from.
  package var edited: ChangeName?
  /// False for one that the engine may still change.
  package var isFinal: Bool

  package init(
    segment: PassSegment, speaker: String?, named: ChangeName? = nil, edited: ChangeName? = nil,
    isFinal: Bool = true
  ) {
    self.segment = segment
    self.speaker = speaker
    self.named = named
    self.edited = edited
    self.isFinal = isFinal
  }
}

/// A pass with the overlays on it: a pure function (X2).
///
/// Invariants: the same segments and overlays, in whatever order they came, give the same lines;
/// an overlay that says something is in a line or in ``unplaced``, so that nothing that a user
/// wrote is lost from sight.
package struct PassProjection: Hashable, Sendable {
  /// In the order of the segments that were given, final ones first.
  package private(set) var lines: [ShownLine] = []
  /// Overlays that fit nowhere on this pass.
  package private(set) var unplaced: [Overlay] = []

  /// - Parameters:
  ///   - pass: the pass that is shown.
  ///   - segments: its final segments.
  ///   - volatile: segments that may still change; they get names, and no edits.
  ///   - overlays: all unreplaced overlays of the recording.
  package init(
    _ pass: PassID, _ segments: [PassSegment], volatile: [PassSegment] = [], _ overlays: [Overlay]
  ) {
    // One that takes back says nothing itself: what it took back is replaced.
    let telling = overlays.filter { !$0.fact.value.isEmpty }
    let names = SpeakerNames(pass, segments, telling.filter { $0.fact.kind == .name })
    let edits = TextEdits(pass, segments, telling.filter { $0.fact.kind == .text })
    lines = edits.lines.map { line in
      Self.line(line.segment, names, edited: line.edit?.name, isFinal: true)
    }
    lines += volatile.map { Self.line($0, names, edited: nil, isFinal: false) }
    // Who is named and has no line left, since an edit stands for all of them, is not in sight.
    let shown = Set(lines.compactMap(\.speaker))
    let hidden = telling.filter { overlay in
      overlay.fact.kind == .name && !names.unplaced.contains(overlay)
        && !shown.contains(overlay.fact.value)
    }
    let unknown = telling.filter { ![.name, .text].contains($0.fact.kind) }
    unplaced = (names.unplaced + hidden + edits.unplaced + unknown).sorted()
  }

  private static func line(
    _ segment: PassSegment, _ names: SpeakerNames, edited: ChangeName?, isFinal: Bool
  ) -> ShownLine {
    let overlay = names.byCluster[segment.speaker]
    let label = segment.cluster.isEmpty ? nil : segment.cluster
    return ShownLine(
      segment: segment, speaker: overlay?.fact.value ?? label, named: overlay?.name,
      edited: edited, isFinal: isFinal)
  }
}
