import HoldfastAudio
import HoldfastModel

/// What is to come of a file: the rest of one of its runs of audio, and the runs behind that.
///
/// Most files have one run. Where there are more, each becomes a take, exactly behind the last one.
struct ImportRest {
  /// The run that goes on.
  let run: AudioFileInfo
  /// Its bytes from here on, cut in chunks of `chunkFrames`.
  var source: ChunkSource
  /// Sample frames of a full chunk.
  let chunkFrames: UInt64
  /// Bytes of audio of the runs before it.
  let before: UInt64
  /// The runs behind it.
  let behind: ArraySlice<AudioFileInfo>
  private let file: ImportFile
  private let length: ChunkLength

  /// Begins at a run. `cut` is the length of its chunks, when that is given by what is there.
  init?(
    _ runs: ArraySlice<AudioFileInfo>, of file: ImportFile, _ length: ChunkLength,
    before: UInt64 = 0, cut: UInt64? = nil
  ) throws(HoldfastError) {
    guard let run = runs.first else { return nil }
    self.run = run
    self.file = file
    self.length = length
    self.before = before
    behind = runs.dropFirst()
    chunkFrames = cut ?? length.frames(of: run.format)
    do { source = try ChunkSource(run, in: file.source, chunkFrames: chunkFrames) } catch {
      throw StoreFaults.error(error)
    }
  }

  /// Begins at the file's begin.
  init(_ file: ImportFile, _ length: ChunkLength) throws(HoldfastError) {
    guard let whole = try Self(file.info.runs[...], of: file, length) else {
      throw HoldfastError(.failed, "\(file.path) has no run of audio.")
    }
    self = whole
  }

  /// Bytes of the file's audio before this place.
  var doneBytes: UInt64 { before + source.takenBytes }

  /// Whether nothing of this run is left.
  var isAtEnd: Bool { source.takenBytes == run.dataLength }

  /// The next run from its begin; nil behind the last one.
  func next(cut: UInt64? = nil) throws(HoldfastError) -> ImportRest? {
    try ImportRest(behind, of: file, length, before: before + run.dataLength, cut: cut)
  }
}

/// How long chunks are, for every format that a file may have.
struct ChunkLength: Sendable {
  /// Seconds of a full chunk.
  let seconds: Double
  /// Bytes of a chunk of plain PCM at most: half a reel.
  private static let largest: UInt64 = 4 << 20

  /// Sample frames of a full chunk.
  func frames(of format: AudioFormat) -> UInt64 {
    let frames = (seconds * format.sampleRate).rounded()
    let most = Self.largest / UInt64(max(format.bytesPerFrame, 1))
    return frames < Double(most) ? UInt64(max(frames, 1)) : max(most, 1)
  }
}
