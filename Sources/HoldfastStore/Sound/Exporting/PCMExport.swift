import HoldfastAudio
import HoldfastModel

/// Writes a part of plain PCM.
///
/// Invariant: exactly the planned frames are written, whatever is found damaged, missing or removed
/// meanwhile: the header has been written with their number.
struct PCMExport {
  private let store: any StoreRows
  private let part: ExportPart
  private let fetcher: ChunkFetcher
  private var buffer: ExportBuffer
  private var report = ExportReport()

  init(_ store: any StoreRows, _ part: ExportPart, _ sink: any ExportSink) {
    self.store = store
    self.part = part
    fetcher = ChunkFetcher(store)
    buffer = ExportBuffer(sink)
  }

  mutating func run() throws(HoldfastError) -> ExportReport {
    let length = part.dataLength
    if part.container == .wav {
      try buffer.append(try part.wavHeader(dataLength: length)[...])
    }
    for take in part.takes { try write(take) }
    if report.frames < part.frames {
      let end = part.takes.last?.contents.endSeconds ?? part.startSeconds
      try silence(part.frames - report.frames, .missing, at: end)
    }
    if part.container == .wav {
      try buffer.append(WAVHeader.padding(after: length)[...])
    }
    try buffer.flush()
    report.bytes = buffer.bytes
    return report
  }

  private mutating func write(_ take: ExportTake) throws(HoldfastError) {
    let contents = take.contents
    let start = Double(contents.row.span.startNanoseconds) / 1e9
    if let gap = take.gap {
      let begin = start - gap.seconds
      if gap.isSilence {
        try silence(gap.frames, gap.reason, at: begin)
      } else {
        cut(gap.frames, gap.seconds, gap.reason, at: begin)
      }
    }
    var walk = TakeWalk(contents, part.policy)
    try contents.each(store) { record throws(HoldfastError) in
      let before = walk.position
      for step in walk.steps(to: record) { try write(step, start, position: before) }
      return true
    }
    let position = walk.position
    if let step = walk.end(of: contents) { try write(step, start, position: position) }
    report.missingChunks += walk.missingChunks
  }

  private mutating func write(
    _ step: TakeWalk.Step, _ start: Double, position: UInt64
  ) throws(HoldfastError) {
    let rate = part.format.sampleRate
    switch step {
    case .silence(let frames, let reason):
      try silence(frames, reason, at: start + Double(position) / rate)
    case .cut(let frames, let reason):
      cut(frames, Double(frames) / rate, reason, at: start + Double(position) / rate)
    case .chunk(let record, let dropping):
      let place = start + Double(record.firstFrame + dropping) / rate
      try write(record, dropping: dropping, at: place)
    }
  }

  private mutating func write(
    _ record: ChunkRecord, dropping: UInt64, at seconds: Double
  ) throws(HoldfastError) {
    let frameBytes = UInt64(part.format.bytesPerFrame)
    let frames = UInt64(record.frames) - dropping
    switch try fetcher.fetch(record) {
    case .payload(let bytes, let headerIsDamaged)
    where UInt64(bytes.count) == UInt64(record.frames) * frameBytes:
      if headerIsDamaged { report.damagedHeaders += 1 }
      let allowed = min(frames, part.frames - report.frames)
      let first = Int(dropping * frameBytes)
      try buffer.append(bytes[first..<first + Int(allowed * frameBytes)])
      report.frames += allowed
      report.chunks += 1
    case .payload, .damaged:
      report.damagedChunks += 1
      try silence(frames, .damaged, at: seconds)
    case .missing:
      report.missingChunks += 1
      try silence(frames, .missing, at: seconds)
    }
  }

  private mutating func silence(
    _ frames: UInt64, _ reason: GapReason, at seconds: Double
  ) throws(HoldfastError) {
    let allowed = min(frames, part.frames - report.frames)
    report.add(
      ExportMark(
        reason: reason, fileFrame: report.frames, recordingSeconds: seconds, frames: allowed,
        isSilence: true))
    try buffer.append(
      part.format.encoding.silenceByte, count: allowed * UInt64(part.format.bytesPerFrame))
    report.frames += allowed
  }

  private mutating func cut(
    _ frames: UInt64, _ seconds: Double, _ reason: GapReason, at place: Double
  ) {
    report.cutGaps += 1
    report.cutSeconds += seconds
    report.add(
      ExportMark(
        reason: reason, fileFrame: report.frames, recordingSeconds: place, frames: frames,
        isSilence: false))
  }
}
