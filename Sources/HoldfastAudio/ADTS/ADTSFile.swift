import HoldfastModel

/// Reads a stream of AAC frames that carry their own headers.
enum ADTSFile {
  /// What the stream holds; `start` is where it begins, behind an ID3 tag.
  ///
  /// Throws ``AudioError/Code/notAudio`` when no frames are found near `start`.
  static func probe(
    _ window: inout SourceWindow, from start: UInt64
  ) throws(AudioError) -> AudioFileInfo {
    let end = try endOfStream(window, from: start)
    let (first, header) = try firstFrame(&window, from: start, to: end)
    var skipped = first - start
    var next: (UInt64, ADTSHeader)? = (first, header)
    var runs: [AudioFileInfo] = []
    var lastEnd = first
    while let (place, header) = next {
      guard runs.count < AudioLimits.maximumRuns else { throw changesTooOften }
      var walk = ADTSWalk(window: window, position: place, end: end)
      runs.append(try run(&walk, from: place, header))
      skipped += walk.skipped + place - lastEnd
      lastEnd = walk.lastEnd
      next = nil
      if let change = walk.change { next = try follower(&window, at: change) }
    }
    var info = runs[0]
    info.further = Array(runs.dropFirst())
    info.unusedTail = end - lastEnd
    info.oddities = oddities(runs, skipped: skipped, tail: info.unusedTail)
    return info
  }

  /// One run of frames of one configuration.
  private static func run(
    _ walk: inout ADTSWalk, from first: UInt64, _ header: ADTSHeader
  ) throws(AudioError) -> AudioFileInfo {
    guard header.channels > 0 else {
      throw AudioError(
        .unsupportedCodec,
        "AAC that tells its channels inside the stream is not read. Convert it to WAV first.")
    }
    var frames: UInt64 = 0
    var isEven = true
    while let packet = try walk.next() {
      frames += packet.frames
      if packet.frames != header.frames { isEven = false }
    }
    let format = AudioFormat(
      encoding: .aac, sampleRate: Double(header.sampleRate), channels: header.channels,
      bytesPerFrame: 0, framesPerPacket: isEven ? UInt32(header.frames) : 0,
      configuration: header.configuration)
    return AudioFileInfo(
      container: .adts, format: format, dataOffset: first, dataLength: walk.lastEnd - first,
      frames: frames, packets: .adts, oddities: [])
  }

  private static func follower(
    _ window: inout SourceWindow, at place: UInt64
  ) throws(AudioError) -> (UInt64, ADTSHeader)? {
    let bytes = try window.bytes(at: place, count: UInt64(ADTSHeader.length))
    return ADTSHeader(bytes).map { (place, $0) }
  }

  private static var changesTooOften: AudioError {
    AudioError(
      .damagedHeader,
      "The AAC stream changes its format more than \(AudioLimits.maximumRuns) times. It is damaged."
    )
  }

  private static func oddities(
    _ runs: [AudioFileInfo], skipped: UInt64, tail: UInt64
  ) -> [AudioOddity] {
    var oddities: [AudioOddity] = []
    if runs.count > 1 { oddities.append(.formatChange(runs)) }
    if skipped > 0 {
      oddities.append(
        AudioOddity(.damagedPackets, "Bytes skipped because they are no AAC frame: \(skipped)."))
    }
    if tail > 0 {
      oddities.append(
        AudioOddity(
          .partialFrame,
          "The stream does not end with a whole AAC frame; bytes left out: \(tail)."))
    }
    return oddities
  }

  /// Tags at the end are no part of the stream.
  private static func endOfStream(
    _ window: SourceWindow, from start: UInt64
  ) throws(AudioError) -> UInt64 {
    var window = window
    let tagLength: UInt64 = 128
    guard window.byteCount - start > tagLength else { return window.byteCount }
    let tag = window.byteCount - tagLength
    let bytes = try window.bytes(at: tag, count: tagLength)
    return WAVChunks.bareTag(bytes, at: 0, remaining: tagLength) == nil ? window.byteCount : tag
  }

  private static func firstFrame(
    _ window: inout SourceWindow, from start: UInt64, to end: UInt64
  ) throws(AudioError) -> (UInt64, ADTSHeader) {
    let length = UInt64(ADTSHeader.length)
    let header = ADTSHeader(try window.bytes(at: start, count: length))
    if let header {
      let next = start + header.frameLength
      let follower = ADTSHeader(try window.bytes(at: next, count: length))
      if next == end || follower?.matches(header.configuration) == true { return (start, header) }
    }
    // A stream may be cut out of a longer one, so it may begin inside a frame, or with damage.
    // Three frames in a row are no accident.
    let search = ADTSSearch(configuration: nil, chain: 2)
    if let place = try search.first(&window, from: start, to: end, within: SourceWindow.maximum),
      let header = ADTSHeader(try window.bytes(at: place, count: length))
    {
      return (place, header)
    }
    if let header, start + header.frameLength > end {
      throw AudioError(
        .truncatedHeader, "The AAC stream ends inside its first frame. There is nothing to take.")
    }
    throw .refusing(.unknown)
  }
}
