package import HoldfastModel

/// Walks over a reel, of any origin and in any state, and gives its whole chunks.
///
/// Invariants:
/// - A chunk is given only when its header passes its CRC, names the take and the reel that are
///   looked for, and its payload lies in the file and (if asked) has its hash.
/// - A header with one flipped bit is corrected from its CRC, when the payload then has its hash.
/// - After damage the scan goes on at the next valid frame, so it costs one chunk.
/// - Every byte is read once, but for headers that straddle two reads. Memory is one window.
/// - The scan never fails on what the bytes are; only on a file that cannot be read at all.
package struct ReelScan {
  /// What a step found.
  package enum Item: Hashable, Sendable {
    /// A whole chunk.
    case chunk(ChunkRecord)
    /// A part without one. A range at or after ``ReelScan/end`` belongs to the tail.
    case damage(DamagedRange)
  }

  /// Where the last whole chunk so far ends; before the first, where the scan began.
  package private(set) var end: UInt64
  /// Bytes of the tail after ``end`` when the scan is over, without the zero bytes that end a file
  /// that was grown ahead: a write that did not complete, or damage that nothing follows.
  package private(set) var tornBytes: UInt64 = 0
  /// Bytes of the file when the scan began.
  package let size: UInt64
  /// The headers of the given chunks that had to be corrected.
  private(set) var mended: [MendedHeader] = []

  private let hashing: any Hashing
  private let check: PayloadCheck
  private let mends: Bool
  private let payloadLimit: UInt64
  private var owner: ReelPath?
  private var needle: FrameNeedle
  private var window: ReelWindow
  private var position: UInt64
  private var isOver = false

  /// A scan of an open file.
  ///
  /// - Parameters:
  ///   - file: the reel.
  ///   - owner: the take and reel that frames must name; nil takes them from the first valid frame.
  ///   - start: where the first frame begins: after the reel's header or after a known chunk.
  ///   - check: which payloads are hashed.
  ///   - mends: whether chunks are given whose header had to be corrected.
  package init(
    file: any OpenFile, owner: ReelPath?, from start: UInt64, hashing: any Hashing,
    check: PayloadCheck = .all, mends: Bool = true, limits: ReelLimits = .standard
  ) throws(FileFault) {
    size = try file.size()
    self.owner = owner
    self.hashing = hashing
    self.check = check
    self.mends = mends
    payloadLimit = limits.payloadBytes
    needle = FrameNeedle(take: owner?.take)
    window = ReelWindow(file)
    position = min(start, size)
    end = position
  }

  /// The next chunk or damaged range, in the order of the file; nil at the end.
  package mutating func next() throws(FileFault) -> Item? {
    while !isOver, position < size {
      if let header = try frame(at: position) { return try take(header) }
      if let record = try mended(at: position) { return accept(record) }
      let from = position
      let wasReadable = window.available(at: from) > 0
      let found = try search(from: from)
      position = found ?? size
      if found == nil, wasReadable { break }
      return .damage(
        DamagedRange(
          offset: from, length: position - from, reason: wasReadable ? .header : .unreadable))
    }
    isOver = true
    return nil
  }

  /// Goes past a valid frame and says what it is worth.
  private mutating func take(_ header: ChunkHeader) throws(FileFault) -> Item {
    let record = ChunkRecord(header, at: position)
    position = min(record.end, size)
    guard record.end <= size else {
      isOver = true
      tornBytes = size - end
      return .damage(
        DamagedRange(
          offset: record.offset, length: size - record.offset, reason: .cut, chunk: record,
          isTorn: true))
    }
    if let wrong = try fault(of: record) {
      tornBytes = record.end - end
      return .damage(
        DamagedRange(
          offset: record.offset, length: record.end - record.offset, reason: wrong, chunk: record,
          isTorn: wrong != .payload || window.endsBlank(before: record.end)))
    }
    return accept(record)
  }

  /// Goes past a whole chunk.
  private mutating func accept(_ record: ChunkRecord) -> Item {
    if owner == nil {
      owner = ReelPath(take: record.take, reel: record.reel)
      needle = FrameNeedle(take: record.take)
    }
    position = record.end
    end = record.end
    tornBytes = 0
    return .chunk(record)
  }

  /// The chunk whose header at the offset is damaged in one bit. A correction is a guess until the
  /// payload has the hash that the corrected header tells.
  private mutating func mended(at offset: UInt64) throws(FileFault) -> ChunkRecord? {
    guard mends, window.available(at: offset) >= ChunkHeader.byteCount,
      let header = ChunkHeader(mending: window.bytes[window.place(of: offset)...]),
      isOurs(header)
    else { return nil }
    let record = ChunkRecord(header, at: offset)
    guard record.end <= size, try payloadFault(of: record) == nil else { return nil }
    var bytes: [UInt8] = []
    header.encode(into: &bytes)
    mended.append(MendedHeader(offset: offset, bytes: bytes))
    return record
  }

  /// The valid frame of ours whose header stands at the offset.
  private mutating func frame(at offset: UInt64) throws(FileFault) -> ChunkHeader? {
    let ahead = check == .all ? ReelWindow.capacity : ReelWindow.headerRead
    guard try window.load(ChunkHeader.byteCount, at: offset, ahead: ahead, size: size) else {
      return nil
    }
    return header(at: offset)
  }

  /// As ``frame(at:)``, of what the window holds.
  private func header(at offset: UInt64) -> ChunkHeader? {
    guard window.available(at: offset) >= ChunkHeader.byteCount,
      let header = ChunkHeader(decoding: window.bytes[window.place(of: offset)...])
    else { return nil }
    return isOurs(header) ? header : nil
  }

  private func isOurs(_ header: ChunkHeader) -> Bool {
    guard UInt64(header.length) <= payloadLimit else { return false }
    guard let owner else { return true }
    return header.take == owner.take && header.reel == owner.reel
  }

  /// What is wrong with a payload that lies in the file; nil when nothing is, or nobody asks.
  private mutating func fault(
    of record: ChunkRecord
  ) throws(FileFault) -> DamagedRange.Reason? {
    switch check {
    case .none: return nil
    case .last: if try frame(at: record.end) != nil { return nil }
    default: break
    }
    return try payloadFault(of: record)
  }

  /// What is wrong with a payload that lies in the file; nil when it has its hash.
  private mutating func payloadFault(
    of record: ChunkRecord
  ) throws(FileFault) -> DamagedRange.Reason? {
    var hash: (any HashState)?
    var offset = record.payloadOffset
    while true {
      let rest = record.end - offset
      guard
        try window.load(min(rest, 1), at: offset, ahead: ReelWindow.capacity, size: size)
      else { return .unreadable }
      let count = min(rest, window.available(at: offset))
      if rest > 0, count == 0 { return .cut }
      let place = rest == 0 ? 0 : window.place(of: offset)
      let piece = window.bytes.span.extracting(place..<place + Int(count))
      if count == rest, hash == nil {
        return hashing.sha256(piece) == record.sha256 ? nil : .payload
      }
      let state = hash ?? hashing.start()
      hash = state
      state.update(piece)
      offset += count
      if offset == record.end { return state.finish() == record.sha256 ? nil : .payload }
    }
  }

  /// The offset of the next valid frame at or after `start`; nil when only a tail is left.
  private mutating func search(from start: UInt64) throws(FileFault) -> UInt64? {
    var offset = start
    var lastByte = start
    while offset < size {
      guard
        try window.load(
          ChunkHeader.byteCount, at: offset, ahead: ReelWindow.capacity, size: size)
      else {
        offset += ReelWindow.unreadableStep - offset % ReelWindow.unreadableStep
        lastByte = min(offset, size)
        continue
      }
      if window.available(at: offset) == 0 { break }
      let from = window.place(of: offset)
      if let place = needle.firstPlace(in: window.bytes, from: from) {
        offset = window.start + UInt64(place)
        let isWhole = window.available(at: offset) >= ChunkHeader.byteCount
        if isWhole, header(at: offset) != nil { return offset }
        if isWhole || window.end >= size { offset += 1 }
        continue
      }
      lastByte = window.endOfContent(from: offset) ?? lastByte
      let held = window.end
      let overlap = UInt64(needle.count - 1)
      offset = held >= size ? size : max(offset + 1, held - min(held, overlap))
    }
    tornBytes = lastByte - min(lastByte, end)
    return nil
  }
}
