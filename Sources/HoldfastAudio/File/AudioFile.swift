package import HoldfastModel

/// Finds out what a file of audio is and where its samples or packets lie.
///
/// Invariants: every byte of audio that is there is found, whatever the header says; what is not
/// read is refused by its name; memory is bounded whatever sizes the file declares.
package enum AudioFile {
  /// What the file holds, found from its bytes; `name` is for messages only.
  ///
  /// WAV, RF64, BW64, CAF and ADTS are read; everything else is refused by name.
  package static func probe(
    _ source: any ByteSource, name: String
  ) throws(AudioError) -> AudioFileInfo {
    do { return try probe(source) } catch { throw error.naming(name) }
  }

  /// The layout of sample bytes without a header: whole frames of `format` from the first byte on.
  ///
  /// Throws ``AudioError/Code/invalidFormat`` when the format is no plain PCM.
  package static func raw(
    _ source: any ByteSource, format: AudioFormat, name: String
  ) throws(AudioError) -> AudioFileInfo {
    guard format.isPCM else {
      throw AudioError(
        .invalidFormat, "Raw audio must be PCM; '\(format.encoding.rawValue)' is not.")
    }
    let byteCount: UInt64
    do { byteCount = try SourceWindow(source).byteCount } catch { throw error.naming(name) }
    let frameBytes = UInt64(format.bytesPerFrame)
    let tail = byteCount % frameBytes
    return AudioFileInfo(
      container: .raw, format: format, dataOffset: 0, dataLength: byteCount - tail,
      frames: byteCount / frameBytes,
      oddities: tail > 0 ? [.partialFrame(bytes: tail, of: frameBytes)] : [], unusedTail: tail)
  }

  private static func probe(_ source: any ByteSource) throws(AudioError) -> AudioFileInfo {
    var window = try SourceWindow(source)
    guard window.byteCount > 0 else { throw .emptyFile }
    let start = try ID3Tag.end(&window)
    let prefix = try window.bytes(at: start, count: FileKind.prefixLength)
    let kind = FileKind.identify(prefix)
    switch kind {
    case .wave(let container) where start == 0:
      return try WAVFile.probe(&window, container: container)
    case .caf where start == 0:
      return try CAFFile.probe(&window)
    case .wave, .caf:
      throw AudioError(.damagedHeader, "An ID3 tag stands before the file. Remove it first.")
    case .unknown where start == window.byteCount:
      throw AudioError(
        .truncatedHeader, "The file ends with its ID3 tag. There is nothing to take.")
    case .unknown:
      return try ADTSFile.probe(&window, from: start)
    case .foreign, .cut:
      throw .refusing(kind)
    }
  }
}

/// ID3v2 tags in front of a stream (id3.org, "ID3 tag version 2.4.0", sections 3.1 and 3.4).
enum ID3Tag {
  private static let headerLength: UInt64 = 10
  /// Some files carry several tags; more than this is not a tag any more.
  private static let maximumTags = 8

  /// Where the bytes after the tags begin: 0 without a tag, the end of the file for a cut one.
  static func end(_ window: inout SourceWindow) throws(AudioError) -> UInt64 {
    var position: UInt64 = 0
    for _ in 0..<maximumTags {
      let head = try window.bytes(at: position, count: headerLength)
      guard head.count == Int(headerLength),
        WAVChunks.bareTag(head, at: 0, remaining: nil) == "ID3v2",
        head[6...].allSatisfy({ $0 < 0x80 })
      else { return position }
      let size = head[6...].reduce(UInt64(0)) { $0 << 7 | UInt64($1) }
      let footer = head[5] & 0x10 == 0 ? 0 : headerLength
      position = min(window.byteCount, position + headerLength + size + footer)
    }
    return position
  }
}
