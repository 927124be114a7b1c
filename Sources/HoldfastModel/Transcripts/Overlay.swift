/// What a user laid over a pass: a speaker's name, or an edited text (X2).
package struct OverlayFact: Hashable, Sendable {
  /// What it changes. Open: overlays of unknown kinds are kept, and shown as unplaced.
  package struct Kind: RawRepresentable, Hashable, Sendable {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }

    /// The name of a speaker.
    package static let name = Kind(rawValue: "name")
    /// The text of a stretch.
    package static let text = Kind(rawValue: "text")
  }

  package var kind: Kind
  /// The pass that was shown when it was made.
  package var pass: PassID
  /// Whose speech it is about.
  package var speaker: SpeakerCluster
  /// Where that speech lies.
  package var frames: FrameSet
  /// The name or the text; "" takes back what this replaces.
  package var value: String

  /// The most ranges that a change names (S6: the volume of changes is bounded).
  package static let maximumRanges: UInt64 = 256

  package init(
    _ kind: Kind, on pass: PassID, _ speaker: SpeakerCluster, _ frames: FrameSet, value: String
  ) {
    self.kind = kind
    self.pass = pass
    self.speaker = speaker
    self.frames = frames.simplified(to: Self.maximumRanges)
    self.value =
      kind == .name ? TranscriptText.label(value) : TranscriptText.cleaned(value)
  }

  package var body: [String: CanonicalValue] {
    [
      "kind": .text(kind.rawValue), "pass": .bytes(pass.bytes),
      "track": .bytes(speaker.track.bytes), "cluster": .text(speaker.label),
      "ranges": .array(
        frames.ranges.map {
          .array([.bytes($0.take.bytes), .unsigned($0.firstFrame), .unsigned($0.frames)])
        }),
      "value": .text(value),
    ]
  }

  package init?(_ body: [String: CanonicalValue]) {
    guard let kind = body["kind"]?.text, let pass = body["pass"]?.bytes.flatMap({ PassID($0) }),
      let track = body["track"]?.bytes.flatMap({ TrackID($0) }),
      let cluster = body["cluster"]?.text, let ranges = body["ranges"]?.array,
      let value = body["value"]?.text
    else { return nil }
    self.kind = Kind(rawValue: kind)
    self.pass = pass
    speaker = SpeakerCluster(track: track, label: cluster)
    self.value = value
    frames = FrameSet(
      ranges.compactMap { range in
        guard let fields = range.array, fields.count >= 3,
          let take = fields[0].bytes.flatMap({ TakeID($0) }), let first = fields[1].unsigned,
          let frames = fields[2].unsigned, first <= UInt64(Int64.max),
          frames <= UInt64(Int64.max) - first
        else { return nil }
        return TakeRange(take: take, firstFrame: first, endFrame: first + frames)
      })
  }
}

/// An overlay with the change that made it.
package struct Overlay: Hashable, Sendable, Comparable {
  package var name: ChangeName
  package var stamp: Stamp
  package var fact: OverlayFact

  package init(name: ChangeName, stamp: Stamp, fact: OverlayFact) {
    self.name = name
    self.stamp = stamp
    self.fact = fact
  }

  /// The later one by (stamp, name) is the larger, and is the one that is shown (S5).
  package static func < (left: Overlay, right: Overlay) -> Bool {
    (left.stamp, left.name) < (right.stamp, right.name)
  }
}
