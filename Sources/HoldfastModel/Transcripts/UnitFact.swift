/// What the change "segments" says: the final segments of one unit of a pass, or of a part of one
/// that is too long for one change.
package struct UnitFact: Hashable, Sendable {
  package var pass: PassID
  /// The unit's number within the pass.
  package var number: UInt64
  /// Which part of the unit, from 0.
  package var part: UInt32
  /// Tells the parts of one delivery from those of another of the same unit; empty for a unit of
  /// one part.
  package var delivery: [UInt8]
  /// The recording time that the whole unit covers.
  package var coveredNanoseconds: Range<Int64>
  /// Words of this part, counted by who made it.
  package var words: UInt64
  package var segments: [PassSegment]

  package init(
    pass: PassID, number: UInt64, part: UInt32 = 0, delivery: [UInt8] = [],
    coveredNanoseconds: Range<Int64>, words: UInt64, segments: [PassSegment]
  ) {
    self.pass = pass
    self.number = number
    self.part = part
    self.delivery = delivery
    self.coveredNanoseconds = coveredNanoseconds
    self.words = words
    self.segments = segments
  }

  package var body: [String: CanonicalValue] {
    var body: [String: CanonicalValue] = [
      "pass": .bytes(pass.bytes), "unit": .unsigned(number),
      "from": .integer(coveredNanoseconds.lowerBound),
      "to": .integer(coveredNanoseconds.upperBound), "words": .unsigned(words),
    ]
    body.merge(SegmentCoding.body(segments)) { first, _ in first }
    if !delivery.isEmpty {
      body["part"] = .unsigned(UInt64(part))
      body["delivery"] = .bytes(delivery)
    }
    return body
  }

  package init?(_ body: [String: CanonicalValue]) {
    guard let pass = body["pass"]?.bytes.flatMap({ PassID($0) }),
      let number = body["unit"]?.unsigned, number <= UInt64(Int64.max),
      let from = body["from"]?.integer, let to = body["to"]?.integer, from <= to,
      let words = body["words"]?.unsigned, words <= UInt64(UInt32.max),
      let segments = SegmentCoding.segments(body)
    else { return nil }
    self.init(
      pass: pass, number: number,
      part: UInt32(clamping: body["part"]?.unsigned ?? 0),
      delivery: body["delivery"]?.bytes ?? [], coveredNanoseconds: from..<to, words: words,
      segments: segments)
  }
}

/// Segments as canonical values: takes are named once, the rest are short lists. A list may be
/// longer than this version knows; what it lacks at the end is absent.
package enum SegmentCoding {
  /// The fields "takes" and "segments".
  package static func body(_ segments: [PassSegment]) -> [String: CanonicalValue] {
    var takes: [CanonicalValue] = []
    var indexes: [TakeID: UInt64] = [:]
    var items: [CanonicalValue] = []
    for segment in segments {
      let index = indexes[segment.take] ?? UInt64(takes.count)
      if indexes.updateValue(index, forKey: segment.take) == nil {
        takes.append(.array([.bytes(segment.take.bytes), .bytes(segment.track.bytes)]))
      }
      items.append(value(segment, take: index))
    }
    return ["takes": .array(takes), "segments": .array(items)]
  }

  /// One segment: take, first frame, frames, text, cluster, confidence, words.
  static func value(_ segment: PassSegment, take: UInt64) -> CanonicalValue {
    .array([
      .unsigned(take), .unsigned(segment.firstFrame),
      .unsigned(segment.endFrame - segment.firstFrame), .text(segment.text),
      .text(segment.cluster), segment.confidence.map { .double($0) } ?? .null,
      .array(
        segment.words.map { word in
          .array(
            [.unsigned(word.offsetFrames), .unsigned(word.frames), .text(word.text)]
              + (word.confidence.map { [.double($0)] } ?? []))
        }),
    ])
  }

  /// The segments that the two fields spell; nil when they spell none.
  package static func segments(_ body: [String: CanonicalValue]) -> [PassSegment]? {
    guard let takes = body["takes"]?.array, let items = body["segments"]?.array else { return nil }
    var places: [(TakeID, TrackID)] = []
    for take in takes {
      guard let pair = take.array, pair.count >= 2,
        let id = pair[0].bytes.flatMap({ TakeID($0) }),
        let track = pair[1].bytes.flatMap({ TrackID($0) })
      else { return nil }
      places.append((id, track))
    }
    var segments: [PassSegment] = []
    for item in items {
      guard let segment = segment(item, places) else { return nil }
      segments.append(segment)
    }
    return segments
  }

  private static func segment(
    _ item: CanonicalValue, _ places: [(TakeID, TrackID)]
  ) -> PassSegment? {
    guard let fields = item.array, fields.count >= 7,
      let index = fields[0].unsigned, index < UInt64(places.count),
      let first = fields[1].unsigned, let frames = fields[2].unsigned,
      first <= UInt64(Int64.max), frames <= UInt64(Int64.max) - first,
      let text = fields[3].text, let cluster = fields[4].text, let words = fields[6].array
    else { return nil }
    let place = places[Int(index)]
    return PassSegment(
      take: place.0, track: place.1, firstFrame: first, endFrame: first + frames, text: text,
      cluster: cluster, confidence: fields[5].double, words: words.compactMap(word))
  }

  private static func word(_ value: CanonicalValue) -> PassWord? {
    guard let fields = value.array, fields.count >= 3, let offset = fields[0].unsigned,
      let frames = fields[1].unsigned, offset <= UInt64(Int64.max), frames <= UInt64(Int64.max),
      let text = fields[2].text
    else { return nil }
    return PassWord(
      offsetFrames: offset, frames: frames, text: text,
      confidence: fields.count > 3 ? fields[3].double : nil)
  }
}
