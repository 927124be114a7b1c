package import HoldfastModel

/// The bytes that stand before PCM in a WAV file, for a known length or for a pipe.
///
/// What is written here reads back without an oddity. A whole file is the header, the audio and
/// ``padding(after:)``; from 4 GiB on the header is RF64 (EBU Tech 3306).
package struct WAVHeader: Hashable, Sendable {
  /// Bytes of a whole file from which RIFF's sizes of 32 bits do not reach any more.
  package static let sizeLimit: UInt64 = 1 << 32

  private let format: AudioFormat
  private let limit: UInt64

  /// A header for plain PCM; a fraction of a hertz is rounded, as WAV has none.
  ///
  /// `limit` is the size of the file from which it is RF64. Throws
  /// ``AudioError/Code/unsupportedCodec`` for a codec with packets, and
  /// ``AudioError/Code/invalidFormat`` where WAV's fields cannot hold the format.
  package init(_ format: AudioFormat, limit: UInt64 = sizeLimit) throws(AudioError) {
    guard format.isPCM else {
      throw AudioError(
        .unsupportedCodec,
        "WAV is written for PCM only, and this audio is '\(format.encoding.rawValue)'."
          + " Export it as it came in.")
    }
    guard format.bytesPerFrame <= UInt32(UInt16.max), format.sampleRate >= 0.5,
      format.sampleRate * Double(format.bytesPerFrame) <= Double(UInt32.max)
    else {
      throw AudioError(
        .invalidFormat,
        "WAV cannot hold \(format.channels) channels at \(format.sampleRate) Hz. Export raw bytes.")
    }
    self.format = format
    self.limit = limit
  }

  /// The header of a file with so many bytes of audio.
  package func bytes(dataLength: UInt64) -> [UInt8] {
    let frames = dataLength / UInt64(format.bytesPerFrame)
    let fact = frames < WAVChunks.noSize ? UInt32(frames) : UInt32.max
    let chunks = formatChunk + factChunk(fact)
    let data = dataLength + UInt64(Self.padding(after: dataLength).count)
    let short = 12 + UInt64(chunks.count) + 8 + data
    guard short >= limit else {
      return Self.head("RIFF", UInt32(short - 8)) + chunks + Self.chunk("data", UInt32(dataLength))
    }
    var sizes = Self.chunk("ds64", 28)
    sizes.appendLittle(short + 36 - 8)
    sizes.appendLittle(dataLength)
    sizes.appendLittle(frames)
    sizes.appendLittle(UInt32(0))
    return Self.head("RF64", .max) + sizes + chunks + Self.chunk("data", .max)
  }

  /// The header for a pipe: nobody knows yet how much follows.
  package var streamingBytes: [UInt8] {
    Self.head("RIFF", .max) + formatChunk + factChunk(.max) + Self.chunk("data", .max)
  }

  /// What is to follow the audio of a file: a zero byte after an odd number of bytes.
  package static func padding(after dataLength: UInt64) -> [UInt8] {
    dataLength % 2 == 1 ? [0] : []
  }

  private static func head(_ riff: FourCharacters, _ size: UInt32) -> [UInt8] {
    chunk(riff, size) + Array("WAVE".utf8)
  }

  private static func chunk(_ id: FourCharacters, _ size: UInt32) -> [UInt8] {
    var bytes = id.bytes
    bytes.appendLittle(size)
    return bytes
  }

  /// The number that WAVE gives the encoding.
  private var codec: UInt16 {
    switch format.encoding {
    case .f32le, .f64le: 3
    case .alaw: 6
    case .mulaw: 7
    default: 1
    }
  }

  private var bytesPerSample: UInt32 { format.bytesPerFrame / format.channels }

  /// Custom asks for the extended form where the short one is ambiguous: more than two channels,
  /// integers of more than 16 bits, valid bits or speakers of their own.
  private var isExtended: Bool {
    format.channels > 2 || (codec == 1 && bytesPerSample > 2)
      || format.configuration.count == SubFormat.length
  }

  private var formatChunk: [UInt8] {
    let rate = UInt32(format.sampleRate.rounded())
    var bytes = Self.chunk("fmt ", isExtended ? 40 : codec == 1 ? 16 : 18)
    bytes.appendLittle(isExtended ? WAVFormatChunk.extensible : codec)
    bytes.appendLittle(UInt16(format.channels))
    bytes.appendLittle(rate)
    bytes.appendLittle(UInt32(clamping: UInt64(rate) * UInt64(format.bytesPerFrame)))
    bytes.appendLittle(UInt16(format.bytesPerFrame))
    bytes.appendLittle(UInt16(bytesPerSample * 8))
    if isExtended {
      bytes.appendLittle(UInt16(SubFormat.length))
      bytes += subFormat
    } else if codec != 1 {
      bytes.appendLittle(UInt16(0))
    }
    return bytes
  }

  private var subFormat: [UInt8] {
    if format.configuration.count == SubFormat.length { return format.configuration }
    return SubFormat.make(
      validBits: UInt16(bytesPerSample * 8),
      mask: SubFormat.customaryMask(channels: format.channels), codec: codec)
  }

  /// Every encoding but integer PCM is to say its sample frames once more.
  private func factChunk(_ frames: UInt32) -> [UInt8] {
    guard codec != 1 else { return [] }
    var bytes = Self.chunk("fact", 4)
    bytes.appendLittle(frames)
    return bytes
  }
}
