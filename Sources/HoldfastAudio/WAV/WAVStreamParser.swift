package import HoldfastModel

/// Reads WAVE from a pipe, where nothing can be seeked: bytes in, whole sample frames out.
///
/// Until ``format`` is known it needs more; a refusal is thrown. It finds the same audio as
/// ``AudioFile/probe(_:name:)`` finds in a file of the same bytes, except that a format chunk must
/// come before the audio, and of what follows the audio only the first ``heldTail`` bytes are
/// looked at. After a throw the parser is spent.
package struct WAVStreamParser: Sendable {
  /// Bytes behind the declared audio that are held back until it is clear what they are.
  package static let heldTail: UInt64 = 65_536

  /// What the samples are; nil while the header is not yet whole.
  package private(set) var format: AudioFormat?
  /// What is not as the format says; complete after ``finish()``.
  package private(set) var oddities: [AudioOddity] = []
  /// Bytes of an unfinished frame at the end, not given out; known after ``finish()``.
  package private(set) var unusedTail: UInt64 = 0

  private enum State {
    case identifying
    case header(WAVHeaderWalk, WAVHeaderWalk.Step)
    /// In the audio: bytes to come as declared, nil when they go to the end.
    case audio(left: UInt64?)
    /// Behind the declared audio, and not sure what stands there.
    case deciding
    case tags
  }

  private var state = State.identifying
  private var chunk = WAVDataChunk(offset: 0, declared: nil)
  private var held: [UInt8] = []
  /// Where the first of `held` lies in the stream.
  private var position: UInt64 = 0
  private var audioBytes: UInt64 = 0
  private var carry: [UInt8] = []

  /// A parser at the first byte.
  package init() {}

  /// Takes the next bytes of the stream; the answer is the audio in them, in whole frames.
  ///
  /// Throws what a file of these bytes would be refused for, naming what they are.
  package mutating func push(_ bytes: [UInt8]) throws(AudioError) -> [UInt8] {
    if case .audio(nil) = state, held.isEmpty {
      audioBytes += UInt64(bytes.count)
      return wholeFrames(bytes)
    }
    held += bytes
    var audio: [UInt8] = []
    while try advance(&audio, atEnd: false) {}
    return wholeFrames(audio)
  }

  /// Says that the stream has ended; the answer is audio that was held back, in whole frames.
  ///
  /// Throws when the stream ended before its audio began.
  package mutating func finish() throws(AudioError) -> [UInt8] {
    var audio: [UInt8] = []
    while try advance(&audio, atEnd: true) {}
    let rest = wholeFrames(audio)
    noteLength()
    unusedTail = UInt64(carry.count)
    if let format, unusedTail > 0 {
      oddities.append(.partialFrame(bytes: unusedTail, of: UInt64(format.bytesPerFrame)))
    }
    return rest
  }

  /// One step; false when nothing more can be done with the bytes that are held.
  private mutating func advance(
    _ audio: inout [UInt8], atEnd: Bool
  ) throws(AudioError) -> Bool {
    switch state {
    case .identifying: return try identify(atEnd: atEnd)
    case .header(let walk, let step): return try readHeader(walk, step, atEnd: atEnd)
    case .audio(let left): return passAudio(left, &audio)
    case .deciding: return try decide(&audio, atEnd: atEnd)
    case .tags:
      held = []
      return false
    }
  }

  private mutating func identify(atEnd: Bool) throws(AudioError) -> Bool {
    if atEnd && held.isEmpty { throw .emptyFile }
    let isShort = UInt64(held.count) < FileKind.prefixLength
    if held.count >= 12, case .wave(let container) = FileKind.identify(Array(held.prefix(12))) {
      let walk = WAVHeaderWalk(container: container, head: Array(held.prefix(12)))
      state = .header(walk, walk.first)
      return true
    }
    guard atEnd || !isShort else { return false }
    let kind = FileKind.identify(Array(held.prefix(Int(FileKind.prefixLength))))
    if kind == .caf {
      throw AudioError(.unsupportedContainer, "CAF cannot be read from a pipe. Give it as a file.")
    }
    throw .refusing(kind)
  }

  private mutating func readHeader(
    _ walk: WAVHeaderWalk, _ step: WAVHeaderWalk.Step, atEnd: Bool
  ) throws(AudioError) -> Bool {
    var walk = walk
    switch step {
    case .read(let offset, let count):
      drop(min(UInt64(held.count), offset - position))
      let isThere = position == offset && UInt64(held.count) >= count
      guard isThere || atEnd else { return false }
      let bytes = position == offset ? Array(held.prefix(Int(count))) : []
      let next = try walk.take(bytes)
      state = .header(walk, next)
    case .audio(let found):
      guard let format = walk.format else {
        throw AudioError(
          .damagedHeader,
          "The WAV stream has no format chunk before its audio. Give it as a file.")
      }
      drop(min(UInt64(held.count), found.offset - position))
      self.format = format
      oddities = walk.oddities
      chunk = found
      state = .audio(left: found.declared)
    }
    return true
  }

  private mutating func drop(_ count: UInt64) {
    held.removeFirst(Int(count))
    position += count
  }

  private mutating func passAudio(
    _ left: UInt64?, _ audio: inout [UInt8]
  ) -> Bool {
    if left == 0 {
      state = .deciding
      return true
    }
    let count = min(left ?? .max, UInt64(held.count))
    audio += held.prefix(Int(count))
    audioBytes += count
    drop(count)
    state = .audio(left: left.map { $0 - count })
    return left == count
  }

  private mutating func decide(_ audio: inout [UInt8], atEnd: Bool) throws(AudioError) -> Bool {
    let odd = (chunk.declared ?? 0) % 2 == 1
    switch try WAVStreamTail(held, odd: odd, atEnd: atEnd) {
    case .unsure:
      return false
    case .audio:
      state = .audio(left: nil)
    case .tags(let found):
      oddities += found
      state = .tags
    }
    return true
  }

  /// Compares what came with what was declared.
  private mutating func noteLength() {
    guard case .audio(let left) = state else { return }
    switch (chunk.declared, left) {
    case (nil, _): oddities.append(.streamedHeader(audioBytes))
    case (let declared?, nil):
      oddities.append(.lengthFromBytes(declared: declared, there: audioBytes))
    case (let declared?, _?):
      oddities.append(.short(declared: declared, there: audioBytes))
    }
  }

  private mutating func wholeFrames(_ audio: [UInt8]) -> [UInt8] {
    guard let format else { return [] }
    let frame = Int(format.bytesPerFrame)
    if carry.isEmpty && audio.count % frame == 0 { return audio }
    let all = carry + audio
    let whole = all.count - all.count % frame
    carry = Array(all[whole...])
    return Array(all[..<whole])
  }
}
