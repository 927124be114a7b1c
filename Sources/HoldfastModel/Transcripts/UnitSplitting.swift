/// Makes the changes of a unit, each within ``Change/maximumBytes``.
///
/// Invariants: no text is lost, whatever its length; a unit without words still makes one change,
/// since it says that its range is covered. Only times of words are left out, of a segment whose
/// words alone are too long for a change.
package enum UnitSplitting {
  /// Bytes of segments in one change; the rest is room for its other fields.
  static let changeBytes: UInt64 = 200 * 1024
  /// Bytes of text in one segment; longer text is several segments, each with its share of the
  /// frames.
  package static let textBytes: UInt64 = 32 * 1024
  /// How far back from its end a piece of text is cut at a blank.
  private static let blankBytes: UInt64 = 1024
  /// A take's names in the change, at most once a segment.
  private static let takeBytes: UInt64 = 40

  /// The facts of a unit: one, or one a part. Segments get the form in which text is kept; those
  /// without any are left out.
  package static func facts(
    _ unit: TranscriptUnit, of pass: PassID, hashing: some Hashing
  ) -> [UnitFact] {
    var groups: [[PassSegment]] = [[]]
    var bytes: UInt64 = 0
    for segment in unit.segments.flatMap(pieces) {
      let size = self.bytes(of: segment)
      if bytes + size > changeBytes, groups.last?.isEmpty == false {
        groups.append([])
        bytes = 0
      }
      groups[groups.count - 1].append(segment)
      bytes += size
    }
    var delivery: [UInt8] = []
    if groups.count > 1 {
      let all = CanonicalValue.map(SegmentCoding.body(groups.flatMap(\.self)))
      delivery = Array(hashing.sha256(CanonicalEncoder.encode(all)).bytes.prefix(16))
    }
    return groups.enumerated().map { part, segments in
      UnitFact(
        pass: pass, number: unit.number, part: UInt32(part), delivery: delivery,
        coveredNanoseconds: unit.coveredNanoseconds,
        words: segments.reduce(0) { $0 + TranscriptText.wordCount($1.text) }, segments: segments)
    }
  }

  private static func bytes(of segment: PassSegment) -> UInt64 {
    UInt64(CanonicalEncoder.encode(SegmentCoding.value(segment, take: 0)).count) + takeBytes
  }

  /// The segment in the form in which it is kept: nothing for one without text, several for one
  /// with too much.
  package static func pieces(of segment: PassSegment) -> [PassSegment] {
    var segment = segment
    segment.text = TranscriptText.cleaned(segment.text)
    segment.cluster = TranscriptText.label(segment.cluster)
    if let confidence = segment.confidence, !confidence.isFinite { segment.confidence = nil }
    guard !segment.text.isEmpty else { return [] }
    let text = Array(segment.text.utf8)
    guard UInt64(text.count) > textBytes else { return [fitting(segment)] }
    var pieces: [PassSegment] = []
    var start = 0
    while start < text.count {
      let end = cut(text, from: start)
      var piece = segment
      piece.text = TranscriptText.cleaned(String(decoding: text[start..<end], as: UTF8.self))
      piece.firstFrame = frame(at: start, of: text.count, segment)
      piece.endFrame = frame(at: end, of: text.count, segment)
      piece.words = segment.words.compactMap { word in
        let at = segment.firstFrame + min(word.offsetFrames, segment.range.frames)
        guard at >= piece.firstFrame, at < piece.endFrame || end == text.count else { return nil }
        var word = word
        word.offsetFrames = at - piece.firstFrame
        return word
      }
      if !piece.text.isEmpty { pieces.append(fitting(piece)) }
      start = end
    }
    return pieces
  }

  private static func fitting(_ segment: PassSegment) -> PassSegment {
    guard !segment.words.isEmpty, bytes(of: segment) > changeBytes else { return segment }
    var bare = segment
    bare.words = []
    return bare
  }

  /// The frame that a place in the text falls on when the text is spread evenly.
  private static func frame(
    at place: Int, of count: Int, _ segment: PassSegment  // tidy: index
  ) -> UInt64 {
    guard place < count else { return segment.endFrame }
    let share = Double(place) / Double(count)
    return segment.firstFrame + UInt64(Double(segment.range.frames) * share)
  }

  /// Where a piece that begins at a byte ends: within the bound, not inside a character of UTF-8,
  /// and after a blank where there is one near.
  private static func cut(_ text: [UInt8], from start: Int) -> Int {
    let bound = start + Int(textBytes)
    guard bound < text.count else { return text.count }
    let blanks: Set<UInt8> = [0x20, 0x0A]
    let near = text[(bound - Int(blankBytes))..<bound]
    if let blank = near.lastIndex(where: blanks.contains) { return blank + 1 }
    var end = bound
    while text[end] & 0xC0 == 0x80 { end -= 1 }
    return end
  }
}
