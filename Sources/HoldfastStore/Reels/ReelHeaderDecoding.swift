package import HoldfastModel

/// A header as it stands in a file.
package struct ReelHeaderFrame: Hashable, Sendable {
  /// What it says.
  package var header: ReelHeader
  /// Bytes of its frame: where the first chunk's frame begins.
  package var byteCount: UInt64
  /// The frame as it was written, when one bit of it is flipped in the file; nil when none is.
  package var mended: [UInt8]? = nil
}

extension ReelHeader {
  /// Reads the header that a reel begins with, and mends one flipped bit of it: without its header
  /// a reel cannot be made into rows again. At most 64 KiB are read, whatever the file declares.
  ///
  /// - Throws: as ``decode(_:)`` where more is damaged; else the fault of the file seam.
  package static func read(from file: any OpenFile) throws(ReelFault) -> ReelHeaderFrame {
    var bytes: [UInt8]
    do throws(FileFault) {
      bytes = try file.read(at: 0, count: 4_096)
      let declared = declaredCount(bytes[...])
      if declared > bytes.count, declared <= ReelFrame.maximumBytes {
        bytes = try file.read(at: 0, count: Int64(declared))
      }
    } catch {
      throw ReelFault(error)
    }
    do throws(ReelFault) { return try decode(bytes[...]) } catch {
      guard let mended = mended(bytes) else { throw error }
      return mended
    }
  }

  /// The header of a frame in which one bit is flipped; nil when that is not so.
  private static func mended(_ bytes: [UInt8]) -> ReelHeaderFrame? {
    guard bytes.count > ReelFrame.fieldsOffset + ReelFrame.checkBytes else { return nil }
    // Whatever else is so, the frame has one length; it may be the length that is damaged.
    let flips = [nil] + (ReelFrame.lengthOffset * 8..<ReelFrame.fieldsOffset * 8).map { $0 }
    for flip in flips {
      var frame = bytes
      if let flip { frame[flip / 8] ^= 1 << (flip % 8) }
      let count = declaredCount(frame[...])
      guard count > ReelFrame.fieldsOffset + ReelFrame.checkBytes, count <= frame.count else {
        continue
      }
      frame.removeSubrange(count...)
      if flip == nil, let bit = SingleFlip.find(in: frame[...]) {
        frame[bit / 8] ^= 1 << (bit % 8)
      }
      guard var found = try? decode(frame[...]) else { continue }
      found.mended = frame
      return found
    }
    return nil
  }

  /// Reads the header that the bytes begin with.
  ///
  /// - Throws: `cut` when the bytes end inside it, `foreign` when they do not begin as a reel does,
  ///   `damaged` when the CRC or a field is wrong, `newerVersion` when all that is right but the
  ///   version is not ours.
  package static func decode(_ bytes: ArraySlice<UInt8>) throws(ReelFault) -> ReelHeaderFrame {
    guard bytes.prefix(ReelFrame.magic.count).elementsEqual(ReelFrame.magic.prefix(bytes.count))
    else { throw ReelFault(.foreign, "The file does not begin as a reel does.") }
    let count = declaredCount(bytes)
    let short = bytes.count < ReelFrame.fieldsOffset
    guard
      short
        || (ReelFrame.fieldsOffset + ReelFrame.checkBytes...ReelFrame.maximumBytes)
          .contains(count)
    else { throw ReelFault(.damaged, "The reel's header declares \(count) bytes.") }
    guard !short, bytes.count >= count else {
      throw ReelFault(.cut, "The file ends inside the reel's header.")
    }
    let end = count - ReelFrame.checkBytes
    let checked = ReelBytes.part(of: bytes, at: 0, count: end)
    guard CRC32C.checksum(checked.span) == ReelBytes.integer(in: bytes, at: end) else {
      throw ReelFault(.damaged, "The reel's header fails its check.")
    }
    let version: UInt16 = ReelBytes.integer(in: bytes, at: ReelFrame.versionOffset)
    guard version == currentVersion else {
      throw ReelFault(.newerVersion, "The reel is of format version \(version), unknown here.")
    }
    let fields = ReelFieldValues(checked.dropFirst(ReelFrame.fieldsOffset))
    guard let header = fields.header(version: version), header.format.isPlausible else {
      throw ReelFault(.damaged, "The reel's header lacks a field, or one makes no sense.")
    }
    return ReelHeaderFrame(header: header, byteCount: UInt64(count))
  }

  /// The length of the whole frame as the frame gives it; 0 when the bytes end before it.
  private static func declaredCount(_ bytes: ArraySlice<UInt8>) -> Int {
    guard bytes.count >= ReelFrame.fieldsOffset else { return 0 }
    let count: UInt32 = ReelBytes.integer(in: bytes, at: ReelFrame.lengthOffset)
    return Int(count)
  }
}

/// The fields of a header's frame by number. Fields that we do not know are skipped.
private struct ReelFieldValues {
  private var values: [ReelField: ArraySlice<UInt8>] = [:]

  init(_ bytes: ArraySlice<UInt8>) {
    var rest = bytes
    while rest.count >= 6 {
      let number: UInt16 = ReelBytes.integer(in: rest, at: 0)
      let count: UInt32 = ReelBytes.integer(in: rest, at: 2)
      rest = rest.dropFirst(6)
      guard UInt64(count) <= UInt64(rest.count) else { return }
      if let field = ReelField(rawValue: number) { values[field] = rest.prefix(Int(count)) }
      rest = rest.dropFirst(Int(count))
    }
  }

  /// The header, or nil when a field is missing or has the wrong size.
  func header(version: UInt16) -> ReelHeader? {
    guard let store = StoreID(bytes(.store)), let origin = OriginID(bytes(.origin)),
      let launch = LaunchID(bytes(.launch)), let recording = RecordingID(bytes(.recording)),
      let track = TrackID(bytes(.track)), let take = TakeID(bytes(.take)),
      let takeIndex: UInt32 = integer(.takeIndex), let reel: UInt32 = integer(.reel),
      let opened = moment(.opened), let recordingStarted = moment(.recordingStarted),
      let start: UInt64 = integer(.startNanoseconds),
      let firstChunk: UInt64 = integer(.firstChunk),
      let firstFrame: UInt64 = integer(.firstFrame), let local: UInt8 = integer(.local),
      let format
    else { return nil }
    return ReelHeader(
      formatVersion: version, store: store, origin: origin, launch: launch, recording: recording,
      track: track, trackName: String(decoding: bytes(.trackName), as: UTF8.self), take: take,
      takeIndex: takeIndex, reel: reel, format: format, opened: opened,
      recordingStarted: recordingStarted, startNanoseconds: Int64(bitPattern: start),
      firstChunk: firstChunk, firstFrame: firstFrame, local: local != 0)
  }

  private var format: AudioFormat? {
    guard let rate: UInt64 = integer(.sampleRate), let channels: UInt32 = integer(.channels),
      let bytesPerFrame: UInt32 = integer(.bytesPerFrame),
      let framesPerPacket: UInt32 = integer(.framesPerPacket), values[.encoding] != nil
    else { return nil }
    let encoding = SampleEncoding(
      rawValue: String(decoding: bytes(.encoding), as: UTF8.self))
    return AudioFormat(
      encoding: encoding, sampleRate: Double(bitPattern: rate), channels: channels,
      bytesPerFrame: bytesPerFrame, framesPerPacket: framesPerPacket,
      configuration: Array(bytes(.configuration)))
  }

  private func bytes(_ field: ReelField) -> ArraySlice<UInt8> { values[field] ?? [] }

  private func integer<Value: FixedWidthInteger & UnsignedInteger>(_ field: ReelField) -> Value? {
    let value = bytes(field)
    return value.count == Value.bitWidth / 8 ? ReelBytes.integer(in: value, at: 0) : nil
  }

  private func moment(_ field: ReelField) -> Moment? {
    let value = bytes(field)
    guard value.count == 32, let boot = BootID(Array(value.suffix(16))) else { return nil }
    return Moment(
      monotonicNanoseconds: Int64(bitPattern: ReelBytes.integer(in: value, at: 0)),
      wallMilliseconds: Int64(bitPattern: ReelBytes.integer(in: value, at: 8)), boot: boot)
  }
}
