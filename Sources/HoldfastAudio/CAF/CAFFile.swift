import HoldfastModel

/// Reads a CAF file that can be read at any place: PCM, and packets of any codec as they are.
enum CAFFile {
  /// What the file holds; its first four bytes have said `caff`.
  static func probe(_ window: inout SourceWindow) throws(AudioError) -> AudioFileInfo {
    let version = try window.bytes(at: 4, count: 2).big(0, 2)
    guard version == 1 else {
      throw AudioError(
        .unsupportedContainer, "This is CAF of version \(version); only version 1 is read.")
    }
    let chunks = try CAFChunks(&window)
    guard let body = chunks.description else {
      throw AudioError(
        .truncatedHeader, "The CAF file has no description of its audio. There is nothing to take.")
    }
    let description = try CAFDescription(body)
    guard let offset = chunks.audioOffset else {
      throw AudioError(
        .truncatedHeader, "The CAF file ends before its audio begins. There is nothing to take.")
    }
    var info = AudioFileInfo(
      container: .caf, format: description.format, dataOffset: offset,
      dataLength: chunks.audioLength, frames: nil,
      oddities: description.oddities + chunks.oddities)
    if info.format.isPCM {
      cut(&info, unit: UInt64(info.format.bytesPerFrame), frames: 1)
      info.append(chunks.further.map { (info.format, $0.offset, $0.length) })
      return info
    }
    // Where the packets of another chunk lie, no table tells.
    for piece in chunks.further {
      info.oddities.append(.severalDataChunks(1, bytes: piece.length))
    }
    info.format.configuration = chunks.configuration
    try packets(&info, description, chunks, window)
    return info
  }

  /// Keeps whole units of bytes.
  private static func cut(_ info: inout AudioFileInfo, unit: UInt64, frames: UInt64) {
    info.unusedTail = info.dataLength % unit
    info.dataLength -= info.unusedTail
    let (total, overflow) = (info.dataLength / unit).multipliedReportingOverflow(by: frames)
    info.frames = overflow ? .max : total
    if info.unusedTail > 0 {
      info.oddities.append(.partialFrame(bytes: info.unusedTail, of: unit))
    }
  }

  private static func packets(
    _ info: inout AudioFileInfo, _ description: CAFDescription, _ chunks: CAFChunks,
    _ window: SourceWindow
  ) throws(AudioError) {
    let (length, frames) = (description.packetLength, description.packetFrames)
    info.primingFrames = chunks.table?.priming ?? 0
    info.remainderFrames = chunks.table?.remainder ?? 0
    if length > 0 && frames > 0 {
      info.packets = .constant(length: length, frames: frames)
      cut(&info, unit: UInt64(length), frames: UInt64(frames))
    } else if info.dataLength == 0 {
      info.packets = .opaque
      info.frames = 0
    } else if let table = chunks.table,
      try byTable(&info, description, table, window)
    {
      return
    } else {
      info.packets = length > 0 ? .constant(length: length, frames: 0) : .opaque
      if length > 0 { cut(&info, unit: UInt64(length), frames: 0) }
      info.frames = nil
      noteMissingTable(&info)
    }
  }

  private static func noteMissingTable(_ info: inout AudioFileInfo) {
    info.oddities.append(
      AudioOddity(
        .packetTableMissing,
        "The file was not finished: its packet table is missing. The bytes are kept as they are."))
  }

  /// Walks the table once, to know how far it and the bytes agree; false when it has no packet.
  private static func byTable(
    _ info: inout AudioFileInfo, _ description: CAFDescription, _ table: CAFPacketTableChunk,
    _ window: SourceWindow
  ) throws(AudioError) -> Bool {
    let (length, frames) = (description.packetLength, description.packetFrames)
    var walk = CAFPacketWalk(
      window: window, table: table, packetLength: length, packetFrames: frames)
    var (count, used, total): (UInt64, UInt64, UInt64) = (0, 0, 0)
    while let packet = try walk.next(), packet.length <= info.dataLength - used {
      count += 1
      used += packet.length
      total = total.clampedSum(packet.frames)
    }
    guard count > 0 else { return false }
    if count != table.count {
      info.oddities.append(
        AudioOddity(
          .packetTable, "The packet table says \(table.count) packets; \(count) are whole."))
    }
    info.unusedTail = info.dataLength - used
    if info.unusedTail > 0 {
      info.oddities.append(
        AudioOddity(.packetTable, "Bytes of audio that belong to no packet: \(info.unusedTail)."))
    }
    info.dataLength = used
    info.frames = total
    info.packets = .table(
      offset: table.offset, length: table.length, count: count, packetLength: length,
      packetFrames: frames)
    return true
  }
}
