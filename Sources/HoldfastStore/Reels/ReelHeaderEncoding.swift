import HoldfastModel

/// The fields of a reel header. Numbers are never reused; a reader skips those that it does not
/// know.
enum ReelField: UInt16 {
  /// Names of 16 bytes each.
  case store = 1
  case origin, launch, recording, track
  /// UTF-8.
  case trackName
  /// 16 bytes.
  case take
  /// 4 bytes each.
  case takeIndex, reel
  /// UTF-8.
  case encoding
  /// 8 bytes: the bit pattern of a binary64.
  case sampleRate
  /// 4 bytes each.
  case channels, bytesPerFrame, framesPerPacket
  /// As it came.
  case configuration
  /// 32 bytes each: monotonic nanoseconds, wall milliseconds, boot.
  case opened, recordingStarted
  /// 8 bytes, two's complement.
  case startNanoseconds
  /// 8 bytes each.
  case firstChunk, firstFrame
  /// 1 byte: 0 or 1.
  case local
}

/// Where a header's frame keeps its fixed parts, the same in every format version.
enum ReelFrame {
  /// The first bytes of every reel. The last is a line feed, so that a transfer as text is noticed.
  static let magic: [UInt8] = [0xF7, 0x48, 0x46, 0x52, 0x45, 0x45, 0x4C, 0x0A]
  /// Where the version stands (2 bytes; 2 zero bytes follow).
  static let versionOffset = 8
  /// Where the length of the whole frame stands (4 bytes).
  static let lengthOffset = 12
  /// Where the fields begin.
  static let fieldsOffset = 16
  /// Bytes of the CRC-32C that ends the frame.
  static let checkBytes = 4
  /// No frame is longer, in bytes.
  static let maximumBytes = 65_536
}

extension ReelHeader {
  /// The header as a frame: magic, version, length, fields, CRC-32C of all that.
  ///
  /// Each field is its number (2 bytes), the length of its value (4 bytes) and the value. Integers
  /// are most significant byte first. Codec configurations are kept verbatim.
  ///
  /// - Throws: `invalid` when the format makes no sense, `tooLarge` over 64 KiB.
  package func encoded() throws(ReelFault) -> [UInt8] {
    guard format.isPlausible else {
      throw ReelFault(.invalid, "The audio format \(format) makes no sense.")
    }
    var frame = ReelFrame.magic
    frame.append(bigEndian: formatVersion)
    frame.append(bigEndian: UInt16(0))
    frame.append(bigEndian: UInt32(0))
    for (field, value) in fields {
      frame.append(bigEndian: field.rawValue)
      frame.append(bigEndian: UInt32(clamping: value.count))
      frame.append(contentsOf: value)
    }
    let count = frame.count + ReelFrame.checkBytes
    guard count <= ReelFrame.maximumBytes else {
      throw ReelFault(
        .tooLarge, "A reel's header of \(count) bytes is over \(ReelFrame.maximumBytes).")
    }
    frame.replaceSubrange(
      ReelFrame.lengthOffset..<ReelFrame.fieldsOffset, with: UInt32(count).bigEndianBytes)
    frame.append(bigEndian: CRC32C.checksum(frame))
    return frame
  }

  /// The fields and their values, in the order of their numbers.
  private var fields: [(ReelField, [UInt8])] {
    [
      (.store, store.bytes), (.origin, origin.bytes), (.launch, launch.bytes),
      (.recording, recording.bytes), (.track, track.bytes), (.trackName, Array(trackName.utf8)),
      (.take, take.bytes), (.takeIndex, takeIndex.bigEndianBytes), (.reel, reel.bigEndianBytes),
      (.encoding, Array(format.encoding.rawValue.utf8)),
      (.sampleRate, format.sampleRate.bitPattern.bigEndianBytes),
      (.channels, format.channels.bigEndianBytes),
      (.bytesPerFrame, format.bytesPerFrame.bigEndianBytes),
      (.framesPerPacket, format.framesPerPacket.bigEndianBytes),
      (.configuration, format.configuration), (.opened, Self.bytes(of: opened)),
      (.recordingStarted, Self.bytes(of: recordingStarted)),
      (.startNanoseconds, UInt64(bitPattern: startNanoseconds).bigEndianBytes),
      (.firstChunk, firstChunk.bigEndianBytes), (.firstFrame, firstFrame.bigEndianBytes),
      (.local, [local ? 1 : 0]),
    ]
  }

  private static func bytes(of moment: Moment) -> [UInt8] {
    UInt64(bitPattern: moment.monotonicNanoseconds).bigEndianBytes
      + UInt64(bitPattern: moment.wallMilliseconds).bigEndianBytes + moment.boot.bytes
  }
}

extension AudioFormat {
  /// Whether the numbers are in their documented ranges, so that one may count with them.
  var isPlausible: Bool {
    sampleRate.isFinite && sampleRate > 0 && sampleRate <= Double(UInt32.max)
      && (1...65_535).contains(channels)
  }
}
