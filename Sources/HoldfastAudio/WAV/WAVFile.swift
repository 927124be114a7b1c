import HoldfastModel

/// Reads a WAVE file that can be read at any place.
///
/// The header is believed where the bytes do not contradict it; where they do, the bytes decide.
enum WAVFile {
  /// What the file holds; the first twelve bytes have said that it is a WAVE.
  static func probe(
    _ window: inout SourceWindow, container: AudioContainer
  ) throws(AudioError) -> AudioFileInfo {
    let head = try window.bytes(at: 0, count: 12)
    var walk = WAVHeaderWalk(container: container, head: head)
    let chunk = try findAudio(&walk, &window)
    guard let format = walk.format else {
      throw AudioError(.damagedHeader, "The WAV file has no format chunk.")
    }
    var extent = WAVExtent(chunk, fileSize: window.byteCount)
    try extent.settle(&window, walk: walk)
    let frameBytes = UInt64(format.bytesPerFrame)
    let frames = extent.length / frameBytes
    let tail = extent.length % frameBytes
    var oddities = walk.oddities + extent.oddities
    if tail > 0 { oddities.append(.partialFrame(bytes: tail, of: frameBytes)) }
    var info = AudioFileInfo(
      container: container, format: format, dataOffset: chunk.offset,
      dataLength: frames * frameBytes, frames: frames, oddities: oddities, unusedTail: tail)
    var further: [(format: AudioFormat, offset: UInt64, length: UInt64)] = []
    for piece in extent.pieces {
      further.append((try self.format(of: piece, format, &window), piece.offset, piece.length))
    }
    info.append(further)
    return info
  }

  /// The format in force for a further chunk of audio.
  private static func format(
    of piece: WAVPiece, _ first: AudioFormat, _ window: inout SourceWindow
  ) throws(AudioError) -> AudioFormat {
    guard let place = piece.format else { return first }
    let count = min(place.length, WAVFormatChunk.usedLength)
    return try WAVFormatChunk(try window.bytes(at: place.offset, count: count)).format
  }

  /// Walks to the audio and, where it stands before its format, on to the format.
  private static func findAudio(
    _ walk: inout WAVHeaderWalk, _ window: inout SourceWindow
  ) throws(AudioError) -> WAVDataChunk {
    var found: WAVDataChunk?
    var step = walk.first
    while true {
      switch step {
      case .read(let offset, let count):
        step = try walk.take(try window.bytes(at: offset, count: count))
        if let found, walk.format != nil { return found }
      case .audio(let chunk):
        if walk.format != nil { return chunk }
        found = chunk
        step = walk.skip(chunk, size: chunk.declared ?? .max)
      }
    }
  }
}

extension AudioOddity {
  /// The audio ends inside a frame of so many bytes.
  static func partialFrame(bytes: UInt64, of frame: UInt64) -> AudioOddity {
    AudioOddity(
      .partialFrame,
      "The audio ends inside a sample frame: \(bytes) of its \(frame) bytes are left out.")
  }
}
