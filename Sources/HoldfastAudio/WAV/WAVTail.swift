/// What stands behind the audio that a WAVE header declares.
///
/// Audio is never lost to a stale header: what does not read as chunks or as a tag is audio. A
/// killed writer leaves a size that it wrote minutes ago; a tagger leaves chunks.
struct WAVTail {
  /// What the bytes are.
  enum Kind: Hashable {
    /// Nothing, or a pad byte.
    case nothing
    /// Chunks or a tag: not audio.
    case tags
    /// More audio: the declared size is not the true one.
    case audio
  }

  /// What the bytes are.
  private(set) var kind: Kind
  private var oddities: [AudioOddity] = []
  private var audioChunks: UInt64 = 0, audioBytes: UInt64 = 0
  private var formatChunks: UInt64 = 0
  /// Further chunks of audio, each with the format chunk that stands before it, if any does.
  private(set) var pieces: [WAVPiece] = []

  /// Reads on from where the declared audio ends; `odd` when its size is an odd number.
  init(_ window: inout SourceWindow, from start: UInt64, odd: Bool) throws(AudioError) {
    let remaining = window.byteCount - start
    guard remaining > (odd ? 1 : 0) else {
      kind = .nothing
      if odd && remaining == 0 { noteMissingPad(start) }
      return
    }
    kind = .audio
    // As the format says first, then as a writer that forgot the pad byte leaves it.
    for begin in odd ? [start + 1, start] : [start] {
      let chain = try Chain(&window, from: begin)
      guard chain.isTail else { continue }
      take(chain)
      if odd && begin == start { noteMissingPad(start) }
      return
    }
  }

  /// Everything odd, further formats and audio included; with `formatIsBehind` one format is due.
  /// Of a pipe the further audio is left out, and that is said.
  func allOddities(formatIsBehind: Bool, isLeftOut: Bool) -> [AudioOddity] {
    var all = oddities
    if formatChunks > (formatIsBehind ? 1 : 0) { all.append(.repeatedFormat) }
    if isLeftOut && audioChunks > 0 {
      all.append(.severalDataChunks(audioChunks, bytes: audioBytes))
    }
    return all
  }

  private mutating func noteMissingPad(_ offset: UInt64) {
    oddities.append(
      AudioOddity(.missingPad, "The audio has an odd size and lacks its pad byte at \(offset)."))
  }

  private mutating func take(_ chain: Chain) {
    kind = .tags
    oddities += chain.oddities
    audioChunks = chain.audioChunks
    audioBytes = chain.audioBytes
    formatChunks = chain.formatChunks
    pieces = chain.pieces
  }
}

/// A further chunk of audio: where its bytes lie, and the format chunk in force, if it is another.
struct WAVPiece {
  var offset, length: UInt64
  var format: (offset: UInt64, length: UInt64)?
}

/// A run of chunks behind the audio, up to the end of the file or to where it breaks.
private struct Chain {
  var oddities: [AudioOddity] = []
  var audioChunks: UInt64 = 0, audioBytes: UInt64 = 0, formatChunks: UInt64 = 0
  var pieces: [WAVPiece] = []

  /// Whether the first chunk is one that is known by name, or the first bytes are a bare tag.
  private var beginsKnown = false
  /// Whether every chunk had a printable name and the last one ended with the file.
  private var isWhole = false
  private var position: UInt64
  private var seen = 0
  private var format: (offset: UInt64, length: UInt64)?

  /// Whether the bytes are chunks and not audio: whole to the end, or begun by a name that sound
  /// does not spell by chance.
  var isTail: Bool { isWhole || beginsKnown }

  init(_ window: inout SourceWindow, from start: UInt64) throws(AudioError) {
    position = start
    var afterOdd = false
    while position < window.byteCount {
      let peek = try window.bytes(at: position, count: WAVChunks.peekLength + 1)
      let remaining = window.byteCount - position
      if let tag = WAVChunks.bareTag(peek, at: 0, remaining: remaining) {
        if position == start { beginsKnown = true }
        oddities.append(
          AudioOddity(
            .bareTag, "A tag outside of any chunk (\(tag)), bytes to the end: \(remaining)."))
        return
      }
      var padding: UInt64 = 0
      if afterOdd {
        padding = WAVChunks.padding(before: peek)
        if padding == 1 && remaining == 1 { break }
        if padding == 0 { noteMissingPad() }
      }
      let likeness = WAVChunks.likeness(peek, at: Int(padding))
      seen += 1
      guard likeness != .none, seen <= AudioLimits.maximumChunks else {
        oddities.append(
          AudioOddity(.trailingBytes, "Bytes at the end that belong to no chunk: \(remaining)."))
        return
      }
      if position == start { beginsKnown = likeness == .known }
      position += padding
      guard let size = takeChunk(peek, at: Int(padding), end: window.byteCount) else { return }
      afterOdd = size % 2 == 1
    }
    if afterOdd && position == window.byteCount { noteMissingPad() }
    isWhole = true
  }

  /// Takes one chunk; nil when it is longer than the file.
  private mutating func takeChunk(_ peek: [UInt8], at offset: Int, end: UInt64) -> UInt64? {
    let id = FourCharacters(peek, at: offset)
    let size = peek.little(offset + 4, 4)
    let room = end - position - WAVChunks.headerLength
    if id == "data" {
      audioChunks += 1
      audioBytes += min(size, room)
      pieces.append(
        WAVPiece(
          offset: position + WAVChunks.headerLength, length: min(size, room), format: format))
    }
    if id == "fmt " {
      formatChunks += 1
      format = (position + WAVChunks.headerLength, min(size, room))
    }
    if id == "RIFF" {
      oddities.append(
        AudioOddity(.severalDataChunks, "Another RIFF file follows; only the first is used."))
    }
    guard size <= room else {
      oddities.append(
        AudioOddity(.cutChunk, "The chunk '\(id.text)' says \(size) bytes; \(room) are there."))
      return nil
    }
    position += WAVChunks.headerLength + size
    return size
  }

  private mutating func noteMissingPad() {
    oddities.append(
      AudioOddity(.missingPad, "A chunk of odd size before byte \(position) lacks its pad byte."))
  }
}
