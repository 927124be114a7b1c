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
    return AudioFileInfo(
      container: container, format: format, dataOffset: chunk.offset,
      dataLength: frames * frameBytes, frames: frames, oddities: oddities, unusedTail: tail)
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
