import HoldfastModel

/// Walks the chunks of a WAVE file up to its audio: a pure machine that asks for bytes.
///
/// It asks only forward, so the same walk serves a file and a pipe. Nothing of a size that the file
/// declares is held: of a chunk's body at most ``WAVFormatChunk/usedLength`` bytes are asked for.
struct WAVHeaderWalk: Sendable {
  /// What is to be done next.
  enum Step: Hashable, Sendable {
    /// Give the bytes at this place; fewer only when the file ends there.
    case read(at: UInt64, count: UInt64)
    /// The audio begins here.
    case audio(WAVDataChunk)
  }

  private enum Expected {
    case chunk
    case body(FourCharacters, size: UInt64)
  }

  /// RIFF, RF64 or BW64.
  let container: AudioContainer
  /// The sample format, once its chunk was seen.
  private(set) var format: AudioFormat?
  /// 64-bit sizes, once their chunk was seen.
  private(set) var sizes: WAVSizes?
  /// What is not as it should be so far.
  private(set) var oddities: [AudioOddity] = []

  private let riffSize: UInt64
  private var expected = Expected.chunk
  private var position: UInt64 = 12
  /// Whether the chunk before `position` had an odd size, so that a pad byte may stand there.
  private var afterOdd = false
  private var seen = 0
  private var passedAudio = false

  /// Begins after the first twelve bytes, which said RIFF, RF64 or BW64 and WAVE.
  init(container: AudioContainer, head: [UInt8]) {
    self.container = container
    riffSize = head.little(4, 4)
  }

  /// The size of the file without its first eight bytes, as the header declares it.
  var declaredFileSize: UInt64 {
    riffSize == WAVChunks.noSize ? sizes?.riff ?? riffSize : riffSize
  }

  /// The first thing to do.
  var first: Step { .read(at: position, count: WAVChunks.headerLength) }

  /// Takes the bytes asked for and says what to do next.
  ///
  /// Throws ``AudioError/Code/truncatedHeader`` when the file ends before the audio, and what
  /// ``WAVFormatChunk`` throws.
  mutating func take(_ bytes: [UInt8]) throws(AudioError) -> Step {
    switch expected {
    case .chunk: return try takeChunk(bytes)
    case .body(let id, let size): return try takeBody(bytes, id, size)
    }
  }

  /// Goes on behind the audio, to find a format that stands there.
  mutating func skip(_ chunk: WAVDataChunk, size: UInt64) -> Step {
    passedAudio = true
    oddities.append(
      AudioOddity(.dataBeforeFormat, "The audio stands before the chunk that says its format."))
    return move(to: chunk.offset.clampedSum(size), odd: size % 2 == 1)
  }

  private mutating func takeChunk(_ bytes: [UInt8]) throws(AudioError) -> Step {
    let padding = afterOdd ? WAVChunks.padding(before: bytes) : 0
    let start = Int(padding)
    guard bytes.count >= start + Int(WAVChunks.headerLength) else { throw endsEarly() }
    if afterOdd && padding == 0 {
      oddities.append(
        AudioOddity(
          .missingPad, "A chunk of odd size before byte \(position) lacks its pad byte."))
    }
    seen += 1
    guard seen <= AudioLimits.maximumChunks else {
      throw AudioError(
        .damagedHeader, "More than \(AudioLimits.maximumChunks) chunks stand before the audio.")
    }
    let id = FourCharacters(bytes, at: start)
    let declared = bytes.little(start + 4, 4)
    position = position.clampedSum(padding + WAVChunks.headerLength)
    return chunk(id, declared: declared)
  }

  private mutating func chunk(_ id: FourCharacters, declared: UInt64) -> Step {
    switch id {
    case "data" where passedAudio:
      return move(to: position.clampedSum(declared), odd: declared % 2 == 1)
    case "data":
      return .audio(
        WAVDataChunk(offset: position, declared: dataSize(declared)))
    case "fmt ", "ds64":
      expected = .body(id, size: declared)
      return .read(at: position, count: min(declared, WAVFormatChunk.usedLength))
    default:
      let size = declared == WAVChunks.noSize ? sizes?.others[id] ?? declared : declared
      return move(to: position.clampedSum(size), odd: size % 2 == 1)
    }
  }

  private mutating func takeBody(
    _ bytes: [UInt8], _ id: FourCharacters, _ size: UInt64
  ) throws(AudioError) -> Step {
    guard UInt64(bytes.count) >= min(size, WAVFormatChunk.usedLength) else { throw endsEarly() }
    if id == "ds64" {
      sizes = sizes ?? WAVSizes(bytes)
    } else if format != nil {
      oddities.append(
        AudioOddity(.repeatedFormat, "The format is described more than once; the first is used."))
    } else {
      let chunk = try WAVFormatChunk(bytes)
      format = chunk.format
      oddities += chunk.oddities
    }
    return move(to: position.clampedSum(size), odd: size % 2 == 1)
  }

  private mutating func move(to next: UInt64, odd: Bool) -> Step {
    expected = .chunk
    position = next
    afterOdd = odd
    return .read(at: position, count: odd ? WAVChunks.peekLength : WAVChunks.headerLength)
  }

  /// The declared size of the audio: 64 bits where the 32 point there, nil when it is not known.
  private mutating func dataSize(_ declared: UInt64) -> UInt64? {
    let isLong = container != .wav
    guard declared == WAVChunks.noSize || (isLong && declared == 0) else { return declared }
    if let size = sizes?.data, size < UInt64.max { return size }
    if isLong {
      oddities.append(
        AudioOddity(.missingSizes, "The 64-bit size of the audio is missing."))
    }
    return declared == 0 ? 0 : nil
  }

  private func endsEarly() -> AudioError {
    guard passedAudio else {
      return AudioError(
        .truncatedHeader, "The WAV file ends before its audio begins. There is nothing to take.")
    }
    return AudioError(
      .damagedHeader,
      "The WAV file has no format chunk, so nobody can say what its samples are."
        + " If you know, give them as raw PCM with an encoding.")
  }
}

/// The chunk of a WAVE file that holds the audio.
struct WAVDataChunk: Hashable, Sendable {
  /// Where the first byte of audio lies.
  var offset: UInt64
  /// Bytes that the header declares; nil when it says that they are not known.
  var declared: UInt64?
}

/// The `ds64` chunk: sizes in 64 bits (EBU Tech 3306, ITU-R BS.2088).
struct WAVSizes: Hashable, Sendable {
  /// The size of the file without eight bytes, and of the audio.
  var riff, data: UInt64
  /// Sizes of other chunks that do not fit in 32 bits, as far as the first bytes have them.
  var others: [FourCharacters: UInt64] = [:]

  /// Reads the first bytes of the chunk's body; nil when they are too few.
  init?(_ body: [UInt8]) {
    guard body.count >= 16 else { return nil }
    riff = body.little(0, 8)
    data = body.little(8, 8)
    var offset = 28
    while body.count >= offset + 12 {
      others[FourCharacters(body, at: offset)] = body.little(offset + 4, 8)
      offset += 12
    }
  }
}
