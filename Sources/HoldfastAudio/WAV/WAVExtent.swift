/// How many bytes of audio a WAVE file has: what the header declares against what is there.
struct WAVExtent {
  /// Bytes of audio, an unfinished frame at the end included.
  private(set) var length: UInt64
  /// What is not as it should be.
  private(set) var oddities: [AudioOddity] = []

  /// Further chunks of audio behind it.
  private(set) var pieces: [WAVPiece] = []

  private let chunk: WAVDataChunk
  private let fileSize: UInt64

  /// Begins with all bytes to the end of the file.
  init(_ chunk: WAVDataChunk, fileSize: UInt64) {
    self.chunk = chunk
    self.fileSize = fileSize
    // A chunk's header was read, so its body begins inside the file or at its end.
    length = fileSize - chunk.offset
  }

  /// Decides, with the bytes behind the declared audio as witnesses.
  mutating func settle(
    _ window: inout SourceWindow, walk: WAVHeaderWalk
  ) throws(AudioError) {
    guard let declared = chunk.declared else {
      oddities.append(.streamedHeader(length))
      return
    }
    guard declared <= length else {
      oddities.append(.short(declared: declared, there: length))
      return
    }
    let tail = try WAVTail(&window, from: chunk.offset + declared, odd: declared % 2 == 1)
    guard tail.kind != .audio else {
      oddities.append(.lengthFromBytes(declared: declared, there: length))
      return
    }
    length = declared
    oddities += tail.allOddities(
      formatIsBehind: walk.oddities.contains { $0.code == .dataBeforeFormat }, isLeftOut: false)
    pieces = tail.pieces
    noteFileSize(walk.declaredFileSize)
  }

  /// A last pad byte may be counted or not.
  private mutating func noteFileSize(_ riffSize: UInt64) {
    let there = fileSize - 8
    guard riffSize != there, riffSize.clampedSum(1) != there, riffSize != there + 1 else { return }
    oddities.append(
      AudioOddity(.fileSize, "The header says \(riffSize) bytes follow; there are \(there)."))
  }
}

extension AudioOddity {
  /// The header was written before anybody knew the length.
  static func streamedHeader(_ there: UInt64) -> AudioOddity {
    AudioOddity(
      .streamedHeader,
      "The header was written before the length was known; \(there) bytes of audio are there.")
  }

  /// The header declares more than there is.
  static func short(declared: UInt64, there: UInt64) -> AudioOddity {
    if (AudioLimits.smallestPlaceholder...WAVChunks.noSize).contains(declared) {
      return streamedHeader(there)
    }
    return AudioOddity(
      .truncated, "The header says \(declared) bytes of audio; \(there) are there.")
  }

  /// The header declares less than there is.
  static func lengthFromBytes(declared: UInt64, there: UInt64) -> AudioOddity {
    AudioOddity(
      .lengthFromBytes,
      "The header says \(declared) bytes of audio and was never finished; \(there) are there.")
  }

  /// The format is described once more behind the audio.
  static var repeatedFormat: AudioOddity {
    AudioOddity(
      .repeatedFormat, "The format is described more than once; each holds for what follows it.")
  }

  /// Further chunks of audio are not read.
  static func severalDataChunks(_ count: UInt64, bytes: UInt64) -> AudioOddity {
    AudioOddity(
      .severalDataChunks,
      "Only the first chunk of audio is used; left out: \(count) with \(bytes) bytes together.")
  }
}
