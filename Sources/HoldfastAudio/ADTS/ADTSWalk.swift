/// Walks the AAC frames of an ADTS stream in bounded memory, past damage.
///
/// A frame counts when another one of the same stream begins where it ends, or the stream ends
/// there, or nothing that looks like a frame begins inside it.
struct ADTSWalk {
  /// Bytes inside the stream that were skipped because they are no frame.
  private(set) var skipped: UInt64 = 0
  /// Where the last frame ended.
  private(set) var lastEnd: UInt64
  /// Where frames of another configuration begin, before which the walk has ended; nil when the
  /// stream stays what it is.
  private(set) var change: UInt64?

  private var window: SourceWindow
  private var position: UInt64
  private let end: UInt64
  private var configuration: [UInt8]?
  /// The next place of damage's end that a search found, so that no byte is searched twice.
  private var resync: UInt64?

  /// Begins at a frame.
  init(window: SourceWindow, position: UInt64, end: UInt64) {
    self.window = window
    self.position = position
    self.end = end
    lastEnd = position
  }

  /// The next frame, or nil after the last whole one.
  mutating func next() throws(AudioError) -> AudioPacket? {
    while position < end, change == nil {
      if let header = try header(at: position) {
        let frameEnd = position + header.frameLength
        if try isGood(frameEnd, header) { return take(header, frameEnd) }
      }
      if try changes(at: position) {
        change = position
        return nil
      }
      let found = try search()
      change = try otherRun(before: found)
      guard let found, change == nil else { return nil }
      skipped += found - position
      position = found
      resync = nil
    }
    return nil
  }

  private mutating func take(_ header: ADTSHeader, _ frameEnd: UInt64) -> AudioPacket {
    configuration = configuration ?? header.configuration
    defer {
      position = frameEnd
      lastEnd = frameEnd
    }
    return AudioPacket(
      offset: position, length: header.frameLength, frames: header.frames)
  }

  private mutating func header(at offset: UInt64) throws(AudioError) -> ADTSHeader? {
    let count = min(UInt64(ADTSHeader.length), end - offset)
    guard let header = ADTSHeader(try window.bytes(at: offset, count: count)) else { return nil }
    return configuration.map { header.matches($0) } ?? true ? header : nil
  }

  /// Whether a frame that would end at `frameEnd` is to be believed.
  private mutating func isGood(
    _ frameEnd: UInt64, _ header: ADTSHeader
  ) throws(AudioError) -> Bool {
    guard frameEnd <= end else { return false }
    if frameEnd == end { return true }
    let rest = try window.bytes(at: frameEnd, count: UInt64(ADTSHeader.length))
    if let next = ADTSHeader(rest), next.matches(header.configuration) { return true }
    configuration = configuration ?? header.configuration
    if try changes(at: frameEnd) { return true }
    guard let found = try search() else { return true }
    return found >= frameEnd
  }

  /// Whether frames of another configuration follow each other from a place on.
  private mutating func changes(at offset: UInt64) throws(AudioError) -> Bool {
    let bytes = try window.bytes(at: offset, count: UInt64(ADTSHeader.length))
    guard let configuration, let header = ADTSHeader(bytes), !header.matches(configuration) else {
      return false
    }
    return try ADTSSearch(configuration: nil, chain: 2).begins(&window, at: offset, to: end)
  }

  /// Where a run of another configuration begins in the bytes that would be skipped.
  private mutating func otherRun(before found: UInt64?) throws(AudioError) -> UInt64? {
    var search = ADTSSearch(configuration: nil, chain: 2)
    search.endCounts = found == nil
    let place = try search.first(&window, from: position + 1, to: found ?? end)
    guard let place, try changes(at: place) else { return nil }
    return place
  }

  /// The next place behind `position` where a frame begins that another one follows.
  private mutating func search() throws(AudioError) -> UInt64? {
    if let resync { return resync == end ? nil : resync }
    resync = try ADTSSearch(configuration: configuration, chain: 1)
      .first(&window, from: position + 1, to: end)
    if resync == nil {
      resync = end
      return nil
    }
    return resync
  }
}

/// Looks for the begin of frames in bytes that are something else.
struct ADTSSearch {
  /// What the frames must have alike; nil when any stream will do.
  var configuration: [UInt8]?
  /// Frames that must follow the first one directly. The end of the stream stands for any number.
  var chain: Int
  /// Whether the end stands for the frames that would have to follow.
  var endCounts = true

  /// Whether such a run begins at a place.
  func begins(
    _ window: inout SourceWindow, at start: UInt64, to end: UInt64
  ) throws(AudioError) -> Bool {
    var (position, first): (UInt64, ADTSHeader?) = (start, nil)
    for _ in 0...chain {
      if position == end && first != nil { return true }
      let count = min(UInt64(ADTSHeader.length), end - position)
      guard let header = ADTSHeader(try window.bytes(at: position, count: count)),
        header.matches(first?.configuration ?? header.configuration),
        position + header.frameLength <= end
      else { return false }
      first = first ?? header
      position += header.frameLength
    }
    return true
  }

  /// The first place in the range where such a run begins; `within` so many bytes of its start, or
  /// in the block of reading that they end in.
  func first(
    _ window: inout SourceWindow, from start: UInt64, to end: UInt64, within limit: UInt64 = .max
  ) throws(AudioError) -> UInt64? {
    // Runs that begin in the first `step` bytes of a block lie wholly in it.
    let step = Int(SourceWindow.maximum) - (chain + 1) * (ADTSHeader.longestFrame + 1)
    var offset = start
    while offset < min(end, start.clampedSum(limit)) {
      let block = try window.bytes(at: offset, count: min(SourceWindow.maximum, end - offset))
      let endsHere = offset + UInt64(block.count) == end
      let last = min(endsHere ? block.count : step, block.count - ADTSHeader.length)
      for index in 0..<max(0, last + (endsHere ? 1 : 0))
      where block[index] == 0xFF && isRun(block, at: index, endsHere: endsHere) {
        return offset + UInt64(index)
      }
      if endsHere { return nil }
      offset += UInt64(step)
    }
    return nil
  }

  private func isRun(_ block: [UInt8], at start: Int, endsHere: Bool) -> Bool {
    guard let first = ADTSHeader(block, at: start),
      first.matches(configuration ?? first.configuration)
    else { return false }
    var position = start + Int(first.frameLength)
    for _ in 0..<chain {
      if endsHere && endCounts && position == block.count { return true }
      guard let next = ADTSHeader(block, at: position), next.matches(first.configuration) else {
        return false
      }
      position += Int(next.frameLength)
    }
    return true
  }
}
