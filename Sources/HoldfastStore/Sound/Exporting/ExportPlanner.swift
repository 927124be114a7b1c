import HoldfastAudio
import HoldfastModel

/// Decides what an export writes.
///
/// Invariants: positions are exact to the frame (a gap of s seconds is round(s × rate) frames); the
/// frames planned for a part are the frames that ``TakeWalk`` tells for it.
struct ExportPlanner {
  let store: any StoreRows
  let options: ExportOptions

  /// Gaps shorter than this are none: clocks do not tell them (as in ``Timeline``).
  private static let shortestGap = 0.000_5

  func plan(_ recording: RecordingID) throws(HoldfastError) -> ExportPlan {
    guard let summary = try store.rows({ db in try RecordingRows.one(recording, db) }) else {
      throw HoldfastError(
        .notFound, "There is no recording \(recording) in this store.",
        hint: "`holdfast list --all` shows what there is.")
    }
    let track = try choose(summary)
    var rows = summary.takes.filter { $0.span.track == track.track }
    if let index = options.take {
      rows = rows.filter { $0.span.index == index }
      guard !rows.isEmpty else {
        throw HoldfastError(
          .notFound, "Track \"\(track.name)\" of recording \(recording) has no take \(index).",
          hint: "`holdfast show` lists takes.")
      }
    }
    let contents = try TakeContents.of(rows, in: recording, store)
    var plan = ExportPlan(
      recording: recording, track: track.name,
      otherTracks: summary.tracks.filter { $0 != track }.map(\.name), parts: [])
    for take in contents {
      if let last = plan.parts.last, last.format.isExportedLike(take.row.format) {
        plan.parts[plan.parts.count - 1].takes.append(
          ExportTake(contents: take, gap: gap(after: last.takes.last?.contents, until: take)))
      } else {
        plan.parts.append(try begin(take, number: UInt32(plan.parts.count + 1)))
      }
    }
    for index in plan.parts.indices { try count(&plan.parts[index]) }
    return plan
  }

  /// The track that was named, or else the one with most audio, the first of equals.
  private func choose(_ summary: RecordingSummary) throws(HoldfastError) -> TrackFact {
    if let name = options.track {
      guard let track = summary.tracks.first(where: { $0.name == name }) else {
        let names = summary.tracks.map { "\"\($0.name)\"" }.joined(separator: ", ")
        throw HoldfastError(
          .notFound, "Recording \(summary.id) has no track \"\(name)\".",
          hint: names.isEmpty ? "It has no track yet." : "Its tracks: \(names).")
      }
      return track
    }
    let captured = summary.timeline.capturedByTrack
    let most = summary.tracks.reduce(nil as TrackFact?) { best, track in
      guard let best else { return track }
      return captured[track.track] ?? 0 > captured[best.track] ?? 0 ? track : best
    }
    guard let most else {
      throw HoldfastError(
        .conflict, "Recording \(summary.id) has no audio: nothing was captured.")
    }
    return most
  }

  private func begin(
    _ take: TakeContents, number: UInt32
  ) throws(HoldfastError) -> ExportPart {
    let format = take.row.format
    if options.form == .wav && !format.isPCM {
      throw HoldfastError(
        .conflict,
        "Take \(take.row.span.index) holds '\(format.encoding.rawValue)', and WAV is "
          + "for PCM only.",
        hint: "Export it as it came in: --format raw.",
        context: ["encoding": format.encoding.rawValue])
    }
    let isBare = options.form == .raw && format.isPCM
    return ExportPart(
      number: number, container: isBare ? .raw : format.exportContainer, format: format,
      takes: [ExportTake(contents: take, gap: nil)],
      startSeconds: Double(take.row.span.startNanoseconds) / 1e9, frames: 0, byteCount: nil,
      policy: format.isPCM ? options.gaps : .cut, rf64From: options.rf64From)
  }

  private func gap(after last: TakeContents?, until next: TakeContents) -> ExportGap? {
    guard let last else { return nil }
    let seconds = Double(next.row.span.startNanoseconds) / 1e9 - last.endSeconds
    guard seconds >= Self.shortestGap else { return nil }
    let format = next.row.format
    let frames = (seconds * format.sampleRate).rounded()
    return ExportGap(
      reason: last.row.span.closedReason ?? .termination, seconds: seconds,
      frames: frames < 9e18 ? UInt64(frames) : UInt64(Int64.max),
      isSilence: format.isPCM && options.gaps.fills(seconds))
  }

  /// Counts a part's frames and bytes.
  private func count(_ part: inout ExportPart) throws(HoldfastError) {
    var frames: UInt64 = 0
    for take in part.takes {
      if let gap = take.gap, gap.isSilence { frames += gap.frames }
      frames += try self.frames(of: take.contents, in: part)
    }
    part.frames = frames
    guard part.format.isPCM else { return }
    var bytes = part.dataLength
    if part.container == .wav {
      bytes += UInt64(try part.wavHeader(dataLength: bytes).count)
      bytes += UInt64(WAVHeader.padding(after: part.dataLength).count)
    }
    part.byteCount = bytes
  }

  private func frames(
    of take: TakeContents, in part: ExportPart
  ) throws(HoldfastError) -> UInt64 {
    if !part.format.isPCM {
      return take.row.span.frames + take.tail.reduce(0) { $0 + UInt64($1.frames) }
    }
    if take.isGapless { return take.endFrame }
    var walk = TakeWalk(take, part.policy)
    var frames: UInt64 = 0
    try take.each(store) { record throws(HoldfastError) in
      for step in walk.steps(to: record) { frames += step.frames }
      return true
    }
    return frames + (walk.end(of: take)?.frames ?? 0)
  }
}

extension TakeWalk.Step {
  /// Sample frames that it gives to the file.
  var frames: UInt64 {
    switch self {
    case .silence(let frames, _): frames
    case .cut: 0
    case .chunk(let record, let dropping):
      UInt64(record.frames) - min(dropping, UInt64(record.frames))
    }
  }
}

extension AudioFormat {
  /// Whether takes of both formats go into one file: what a header says of them is the same.
  func isExportedLike(_ other: AudioFormat) -> Bool {
    if isPCM {
      return encoding == other.encoding && sampleRate == other.sampleRate
        && channels == other.channels
    }
    return self == other
  }
}

extension ExportPart {
  /// What stands before the audio of a WAV file.
  func wavHeader(dataLength: UInt64) throws(HoldfastError) -> [UInt8] {
    do { return try WAVHeader(format, limit: rf64From).bytes(dataLength: dataLength) } catch {
      throw error.onExport
    }
  }
}

extension AudioError {
  /// The error for a format that a container cannot hold.
  var onExport: HoldfastError {
    HoldfastError(.conflict, message, cause: message, context: ["reason": code.rawValue])
  }
}
