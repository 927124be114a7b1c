import HoldfastModel

/// The `fmt ` chunk of a WAVE file, read with tolerance.
///
/// Channels, rate and the bits of a sample are believed; block size and byte rate follow from them
/// and are oddities when they say something else. (Microsoft's WAVEFORMAT, PCMWAVEFORMAT,
/// WAVEFORMATEX and WAVEFORMATEXTENSIBLE: 14, 16, 18 and 40 bytes.)
struct WAVFormatChunk: Sendable {
  /// Bytes that are looked at; a longer chunk has nothing more for us.
  static let usedLength: UInt64 = 40
  /// The tag that says: the codec stands in the extension.
  static let extensible: UInt16 = 0xFFFE

  /// What the samples are. `configuration` is empty, or the 22 bytes of the extension (valid bits,
  /// channel mask, sub-format) when they say more than the format does.
  let format: AudioFormat
  /// What is not as it should be.
  let oddities: [AudioOddity]

  /// Reads the first bytes of the chunk's body, all of them up to ``usedLength``.
  init(_ body: [UInt8]) throws(AudioError) {
    guard body.count >= 14 else {
      throw AudioError(
        .damagedHeader,
        "The WAV format chunk has \(body.count) bytes and needs 14 at least. The file is damaged.")
    }
    let fields = Fields(body)
    let subFormat = try SubFormat(body, tag: fields.tag)
    var oddities = try AudioLimits.check(
      sampleRate: Double(fields.rate), channels: fields.channels)
    let encoding = try Self.encoding(subFormat.codec, fields, &oddities)
    guard
      let format = AudioFormat(
        pcm: encoding, sampleRate: Double(fields.rate), channels: UInt32(fields.channels)),
      format.bytesPerFrame <= UInt32(UInt16.max)
    else {
      throw AudioError(
        .invalidFormat,
        "The header says \(fields.channels) channels; a WAV file cannot hold a frame of so many.")
    }
    oddities += fields.oddities(bytesPerFrame: UInt64(format.bytesPerFrame))
    oddities += subFormat.oddities(containerBits: format.bytesPerFrame / format.channels * 8)
    self.format = subFormat.keeping(format, bits: fields.bits)
    self.oddities = oddities
  }

  /// The numbers of the chunk that every form of it has.
  private struct Fields {
    let tag: UInt16
    let channels, rate, byteRate, blockAlign: UInt64
    /// Bits of a sample; 0 in the form of 14 bytes, which has none.
    let bits: UInt64

    init(_ body: [UInt8]) {
      tag = UInt16(body.little(0, 2))
      channels = body.little(2, 2)
      rate = body.little(4, 4)
      byteRate = body.little(8, 4)
      blockAlign = body.little(12, 2)
      bits = body.count >= 16 ? body.little(14, 2) : 0
    }

    /// Bytes of one sample as the block size says; 0 when it cannot be.
    var alignedBytes: UInt64 {
      channels > 0 && blockAlign.isMultiple(of: channels) ? blockAlign / channels : 0
    }

    func oddities(bytesPerFrame: UInt64) -> [AudioOddity] {
      var oddities: [AudioOddity] = []
      if blockAlign != bytesPerFrame {
        oddities.append(
          AudioOddity(
            .blockAlign,
            "The header says \(blockAlign) bytes a frame; channels and bits make \(bytesPerFrame).")
        )
      }
      if byteRate != rate * bytesPerFrame {
        oddities.append(
          AudioOddity(
            .byteRate,
            "The header says \(byteRate) bytes a second; the format makes \(rate * bytesPerFrame).")
        )
      }
      return oddities
    }
  }

  private static func encoding(
    _ codec: UInt16, _ fields: Fields, _ oddities: inout [AudioOddity]
  ) throws(AudioError) -> SampleEncoding {
    switch codec {
    case 1: return try integer(fields, &oddities)
    case 3: return try float(fields, &oddities)
    case 6, 7:
      if fields.bits != 8 { oddities.append(bitsOddity(fields.bits, used: 8)) }
      return codec == 6 ? .alaw : .mulaw
    default:
      throw AudioError(
        .unsupportedCodec,
        "\(CodecNames.wave(codec)) in a WAV file is not read. Convert it to PCM first.")
    }
  }

  private static func integer(
    _ fields: Fields, _ oddities: inout [AudioOddity]
  ) throws(AudioError) -> SampleEncoding {
    guard fields.bits <= 32 else {
      throw AudioError(
        .unsupportedCodec,
        "PCM with \(fields.bits) bits a sample is not read. Convert it to 32 bits or fewer.")
    }
    var bytes = (fields.bits + 7) / 8
    // 17…24 bits in containers of four bytes: block size and byte rate agree against the bits.
    let wide = fields.alignedBytes == 4 && fields.byteRate == fields.rate * fields.blockAlign
    if bytes == 0 || (bytes == 3 && wide) {
      bytes = fields.alignedBytes
      oddities.append(bitsOddity(fields.bits, used: bytes * 8))
    }
    switch bytes {
    case 1: return .u8
    case 2: return .s16le
    case 3: return .s24le
    case 4: return .s32le
    default:
      throw AudioError(
        .invalidFormat, "The WAV header does not say how many bits a sample has. It is damaged.")
    }
  }

  private static func float(
    _ fields: Fields, _ oddities: inout [AudioOddity]
  ) throws(AudioError) -> SampleEncoding {
    let bits = fields.bits == 0 ? fields.alignedBytes * 8 : fields.bits
    if fields.bits == 0 { oddities.append(bitsOddity(0, used: bits)) }
    switch bits {
    case 32: return .f32le
    case 64: return .f64le
    default:
      throw AudioError(
        .unsupportedCodec,
        "Floating point with \(bits) bits a sample is not read. Convert it to 32 bits.")
    }
  }

  private static func bitsOddity(_ said: UInt64, used: UInt64) -> AudioOddity {
    AudioOddity(
      .bitsPerSample, "The header says \(said) bits a sample; the samples are read as \(used).")
  }
}
