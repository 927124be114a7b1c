import HoldfastModel

extension AudioOddity {
  /// The format changes from run to run.
  static func formatChange(_ runs: [AudioFileInfo]) -> AudioOddity {
    let shown = runs.prefix(4).map { run in
      "\(run.format.sampleRate) Hz with \(run.format.channels) channels"
    }
    return AudioOddity(
      .formatChange,
      "The format changes within the file; each of its \(runs.count) runs is a take: "
        + shown.joined(separator: ", ") + (runs.count > 4 ? " …" : "."))
  }

  /// The audio lies in several chunks.
  static func severalRuns(_ runs: [AudioFileInfo]) -> AudioOddity {
    let bytes = runs.reduce(UInt64(0)) { $0 + $1.dataLength }
    return AudioOddity(
      .severalDataChunks,
      "The audio lies in \(runs.count) chunks with \(bytes) bytes together; each is a take.")
  }
}

extension AudioFileInfo {
  /// Takes further runs of plain PCM, given by where their bytes lie, as far as frames are whole.
  mutating func append(_ pieces: [(format: AudioFormat, offset: UInt64, length: UInt64)]) {
    for piece in pieces {
      let frameBytes = UInt64(piece.format.bytesPerFrame)
      let tail = piece.length % frameBytes
      if tail > 0 { oddities.append(.partialFrame(bytes: tail, of: frameBytes)) }
      guard piece.length > tail else { continue }
      further.append(
        AudioFileInfo(
          container: container, format: piece.format, dataOffset: piece.offset,
          dataLength: piece.length - tail, frames: piece.length / frameBytes, oddities: []))
    }
    guard !further.isEmpty else { return }
    oddities.append(.severalRuns(runs))
    if further.contains(where: { $0.format != format }) { oddities.append(.formatChange(runs)) }
  }
}
