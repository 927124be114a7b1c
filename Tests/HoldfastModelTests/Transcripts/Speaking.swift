import HoldfastModel
import HoldfastPlatform

/// Makes the changes of transcripts for tests.
struct Speaking {
  static let recording = RecordingID(high: 1, low: 1)
  static let take = TakeID(high: 2, low: 1)
  static let track = TrackID(high: 3, low: 1)
  static let hashing = SystemHashing()

  var changes: [Change] = []
  private var sequence: UInt64 = 0
  let origin: OriginID

  init(origin: UInt64 = 9) { self.origin = OriginID(high: origin, low: 0) }

  static func pass(_ name: UInt64) -> PassID { PassID(digest: Digest(words: name, 0, 0, 0)) }

  static func segment(
    _ frames: Range<UInt64>, _ text: String, cluster: String = "", take: TakeID = take,
    track: TrackID = track
  ) -> PassSegment {
    PassSegment(
      take: take, track: track, firstFrame: frames.lowerBound, endFrame: frames.upperBound,
      text: text, cluster: cluster)
  }

  @discardableResult
  mutating func say(
    _ kind: ChangeKind, _ body: [String: CanonicalValue], replaces: [ChangeName] = [],
    at milliseconds: Int64? = nil
  ) -> ChangeName {
    sequence += 1
    let change = Change(
      name: ChangeName(origin: origin, sequence: sequence),
      stamp: Stamp(milliseconds: milliseconds ?? Int64(sequence) * 10, counter: 0), kind: kind,
      recording: Self.recording, body: body, replaces: replaces)
    changes.append(change)
    return change.name
  }

  /// A pass whose units have the given segments.
  mutating func pass(
    _ name: UInt64, quality: Int32 = 0, live: Bool = false, closed: Bool = true,
    units: [[PassSegment]]
  ) {
    let id = Self.pass(name)
    say(
      .passOpened,
      PassFact(pass: id, draft: PassDraft(engine: "e", quality: quality, isLive: live)).body)
    for (number, segments) in units.enumerated() {
      unit(name, UInt64(number), segments)
    }
    if closed { say(.passClosed, PassClosedFact(pass: id).body) }
  }

  @discardableResult
  mutating func unit(_ pass: UInt64, _ number: UInt64, _ segments: [PassSegment]) -> [ChangeName] {
    let from = Int64(number) * 1_000_000_000
    let unit = TranscriptUnit(
      number: number, coveredNanoseconds: from..<from + 1_000_000_000, segments: segments)
    return UnitSplitting.facts(unit, of: Self.pass(pass), hashing: Self.hashing).map {
      say(.passSegments, $0.body)
    }
  }

  @discardableResult
  mutating func lay(
    _ kind: OverlayFact.Kind, on pass: UInt64, cluster: String = "",
    _ frames: [Range<UInt64>], _ value: String, replaces: [ChangeName] = [],
    at milliseconds: Int64? = nil
  ) -> ChangeName {
    let ranges = frames.map {
      TakeRange(take: Self.take, firstFrame: $0.lowerBound, endFrame: $0.upperBound)
    }
    let fact = OverlayFact(
      kind, on: Self.pass(pass), SpeakerCluster(track: Self.track, label: cluster),
      FrameSet(ranges), value: value)
    return say(.overlay, fact.body, replaces: replaces, at: milliseconds)
  }

  var state: TranscriptState { TranscriptState(Self.recording, changes: changes) }

  /// What is shown, and what is not placed, of the current pass.
  static func shown(_ state: TranscriptState, chosen: UInt64? = nil) -> PassProjection? {
    state.current(chosen: chosen.map { pass($0) }).map {
      PassProjection($0.id, $0.segments, state.overlays)
    }
  }

  static func words(_ count: UInt64) -> String {
    (0..<count).map { "w\($0)" }.joined(separator: " ")
  }
}
