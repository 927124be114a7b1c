/// How far the units of a task have come on each track, in recording time.
///
/// Invariant (T3): it moves in the commit that holds what the units gave, and never back.
package struct WorkCursor: Hashable, Sendable {
  /// Nanoseconds of recording time through which a track is done.
  package private(set) var through: [TrackID: Int64] = [:]

  /// Nothing is done.
  package init() {}

  /// Through where a track is done; 0 when nothing of it is.
  package subscript(track: TrackID) -> Int64 { through[track] ?? 0 }

  /// Moves on; what is no further changes nothing.
  package mutating func advance(_ track: TrackID, to nanoseconds: Int64) {
    through[track] = max(self[track], nanoseconds)
  }

  /// As it is stored.
  package var bytes: [UInt8] {
    let pairs = through.sorted { $0.key < $1.key }
    return pairs.isEmpty
      ? []
      : CanonicalEncoder.encode(
        .array(pairs.map { .array([.bytes($0.key.bytes), .integer($0.value)]) }))
  }

  /// From what was stored; nil when it is none.
  package init?(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    guard let pairs = try? CanonicalDecoder.decode(bytes).array else { return nil }
    for pair in pairs {
      guard let parts = pair.array, parts.count == 2,
        let track = parts[0].bytes.flatMap({ TrackID($0) }), let at = parts[1].integer
      else { return nil }
      through[track] = at
    }
  }
}
