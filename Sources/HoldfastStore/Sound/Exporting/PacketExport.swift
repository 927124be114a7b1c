import HoldfastAudio
import HoldfastModel

/// Writes a part of a codec's packets as they came: a bare ADTS stream, or CAF with its packet
/// table.
///
/// Invariants: packets leave in their order, whole or not at all; nothing can stand for those that
/// are damaged or missing, so they are left out and reported. The table of a CAF file stands before
/// the packets, so that every chunk is read twice; one that can be read once only is a fault.
struct PacketExport {
  private let store: any StoreRows
  private let part: ExportPart
  private let fetcher: ChunkFetcher
  private var report = ExportReport()

  init(_ store: any StoreRows, _ part: ExportPart) {
    self.store = store
    self.part = part
    fetcher = ChunkFetcher(store)
  }

  mutating func run(to sink: any ExportSink) throws(HoldfastError) -> ExportReport {
    var buffer = ExportBuffer(sink)
    var table: CAFPacketTable?
    if part.container != .adts {
      let gathered = try gather()
      try buffer.append(try cafHeader(gathered)[...])
      table = gathered
    }
    let header = buffer.bytes
    report = ExportReport()
    try each { packet throws(HoldfastError) in try buffer.append(packet.bytes[...]) }
    try buffer.flush()
    if let table, buffer.bytes - header != table.dataLength {
      throw HoldfastError(
        .damaged, "The audio changed while it was exported: the file is of no use.",
        hint: "Export it again.", isRetryable: true)
    }
    report.bytes = buffer.bytes
    return report
  }

  private func cafHeader(_ table: CAFPacketTable) throws(HoldfastError) -> [UInt8] {
    do { return try CAFHeader(part.format, table: table).bytes } catch { throw error.onExport }
  }

  /// The first pass: the packets' sizes.
  private mutating func gather() throws(HoldfastError) -> CAFPacketTable {
    var table = CAFPacketTable(for: part.format)
    var begun: UInt64 = 0
    try each { packet throws(HoldfastError) in
      let length = begun + UInt64(packet.bytes.count)
      // A packet too large for one chunk came in parts, the last of which has its frames.
      let isPart =
        packet.frames == 0 && UInt64(packet.bytes.count) == ChunkSource.largestPacket
      begun = isPart && length < UInt64(UInt32.max) - ChunkSource.largestPacket ? length : 0
      if begun == 0 { table.append(length: UInt32(clamping: length), frames: packet.frames) }
    }
    if begun > 0 { table.append(length: UInt32(clamping: begun), frames: 0) }
    return table
  }

  private mutating func each(
    _ body: (PacketPayload.Packet) throws(HoldfastError) -> Void
  ) throws(HoldfastError) {
    for take in part.takes {
      let start = Double(take.contents.row.span.startNanoseconds) / 1e9
      if let gap = take.gap {
        report.cutGaps += 1
        report.cutSeconds += gap.seconds
        leaveOut(gap.frames, gap.reason, at: start - gap.seconds)
      }
      var walk = TakeWalk(take.contents, .cut)
      try take.contents.each(store) { record throws(HoldfastError) in
        let place = start + Double(walk.position) / part.format.sampleRate
        for step in walk.steps(to: record) {
          switch step {
          case .silence(let frames, let reason), .cut(let frames, let reason):
            leaveOut(frames, reason, at: place)
          case .chunk(let record, _): try packets(of: record, at: place, body)
          }
        }
        return true
      }
      let place = start + Double(walk.position) / part.format.sampleRate
      if case .silence(let frames, let reason) = walk.end(of: take.contents) {
        leaveOut(frames, reason, at: place)
      }
      report.missingChunks += walk.missingChunks
    }
  }

  private mutating func packets(
    of record: ChunkRecord, at place: Double,
    _ body: (PacketPayload.Packet) throws(HoldfastError) -> Void
  ) throws(HoldfastError) {
    switch try fetcher.fetch(record) {
    case .payload(let bytes, let headerIsDamaged):
      guard let payload = PacketPayload(bytes) else {
        report.damagedChunks += 1
        return leaveOut(UInt64(record.frames), .damaged, at: place)
      }
      if headerIsDamaged { report.damagedHeaders += 1 }
      for packet in payload.packets { try body(packet) }
      report.frames += UInt64(record.frames)
      report.chunks += 1
    case .damaged:
      report.damagedChunks += 1
      leaveOut(UInt64(record.frames), .damaged, at: place)
    case .missing:
      report.missingChunks += 1
      leaveOut(UInt64(record.frames), .missing, at: place)
    }
  }

  private mutating func leaveOut(_ frames: UInt64, _ reason: GapReason, at place: Double) {
    report.add(
      ExportMark(
        reason: reason, fileFrame: report.frames, recordingSeconds: place, frames: frames,
        isSilence: false))
  }
}
