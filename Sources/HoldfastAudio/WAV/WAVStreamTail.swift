/// What the bytes held behind the declared audio of a pipe are, as far as can be said yet.
enum WAVStreamTail {
  /// Hold more of them.
  case unsure
  /// They are audio: the declared size was not the true one.
  case audio
  /// They are chunks or tags, and nothing after them is audio either.
  case tags([AudioOddity])

  /// Judges the bytes; with `atEnd` they are all there will be, and the answer is never `unsure`.
  init(_ held: [UInt8], odd: Bool, atEnd: Bool) throws(AudioError) {
    if atEnd {
      var window = try SourceWindow(ArrayByteSource(held), blockSize: SourceWindow.maximum)
      let tail = try WAVTail(&window, from: 0, odd: odd)
      self =
        tail.kind == .audio
        ? .audio : .tags(tail.allOddities(formatIsBehind: false, isLeftOut: true))
      return
    }
    guard held.count > Int(WAVChunks.peekLength) else {
      self = .unsure
      return
    }
    let isFull = UInt64(held.count) > WAVStreamParser.heldTail
    self = .audio
    for begin in odd ? [1, 0] : [0] {
      let likeness = WAVChunks.likeness(held, at: begin)
      if likeness == .known || WAVChunks.bareTag(held, at: begin, remaining: nil) != nil {
        self = isFull ? .tags(Self.longTail(held, at: begin)) : .unsure
        return
      }
      let fits = held.little(begin + 4, 4) < WAVStreamParser.heldTail
      let mayBeTag = held[begin...].starts(with: "TAG".utf8)
      if !isFull && (mayBeTag || (likeness == .printable && fits)) { self = .unsure }
    }
  }

  /// Chunks too long to be held: only the first is named, and only if audio is left out.
  private static func longTail(_ held: [UInt8], at offset: Int) -> [AudioOddity] {
    let id = FourCharacters(held, at: offset)
    guard id == "data" || id == "RIFF" else { return [] }
    return [.severalDataChunks(1, bytes: held.little(offset + 4, 4))]
  }
}
