import HoldfastModel

/// The `desc` chunk of a CAF file (Apple, "Core Audio Format Specification 1.0").
struct CAFDescription {
  /// Bytes of the chunk's body.
  static let length: UInt64 = 32
  /// Flags of linear PCM: floating point, little-endian.
  static let isFloat: UInt64 = 1, isLittleEndian: UInt64 = 2

  /// What the payload is, without its configuration.
  let format: AudioFormat
  /// Bytes of every packet; 0 when they differ.
  let packetLength: UInt32
  /// Sample frames of every packet; 0 when they differ.
  let packetFrames: UInt32
  /// What is not as it should be.
  let oddities: [AudioOddity]

  /// Reads the 32 bytes.
  init(_ body: [UInt8]) throws(AudioError) {
    guard body.count >= Int(Self.length) else {
      throw AudioError(
        .truncatedHeader, "The CAF file ends inside its description. There is nothing to take.")
    }
    let rate = Double(bitPattern: body.big(0, 8))
    let codec = FourCharacters(body, at: 8)
    let channels = body.big(24, 4)
    let checked = try AudioLimits.check(sampleRate: rate, channels: channels)
    packetLength = UInt32(body.big(16, 4))
    packetFrames = UInt32(body.big(20, 4))
    if let encoding = try Self.encoding(codec, flags: body.big(12, 4), bits: body.big(28, 4)) {
      guard
        let pcm = AudioFormat(pcm: encoding, sampleRate: rate, channels: UInt32(channels)),
        packetLength == pcm.bytesPerFrame || packetLength == 0, packetFrames <= 1
      else {
        throw AudioError(
          .unsupportedCodec,
          "CAF with \(packetLength) bytes for \(packetFrames) frames of packed samples is not read."
            + " Convert it to packed little-endian PCM first.")
      }
      format = pcm
      oddities = checked + (packetLength == 0 ? [Self.blockOddity(pcm.bytesPerFrame)] : [])
    } else {
      format = AudioFormat(
        encoding: SampleEncoding(rawValue: codec.trimmed), sampleRate: rate,
        channels: UInt32(channels), bytesPerFrame: 0, framesPerPacket: packetFrames)
      oddities = checked
    }
  }

  private static func blockOddity(_ used: UInt32) -> AudioOddity {
    AudioOddity(.blockAlign, "The header says 0 bytes a frame; channels and bits make \(used).")
  }

  /// The encoding of samples that need no codec; nil for a codec with packets.
  private static func encoding(
    _ codec: FourCharacters, flags: UInt64, bits: UInt64
  ) throws(AudioError) -> SampleEncoding? {
    switch codec {
    case "alaw": return .alaw
    case "ulaw": return .mulaw
    case "lpcm": break
    default:
      guard codec.isPrintable else {
        throw AudioError(.damagedHeader, "The CAF file names no codec. It is damaged.")
      }
      return nil
    }
    let isFloat = flags & Self.isFloat != 0
    let isLittle = flags & Self.isLittleEndian != 0
    switch (isFloat, isLittle, bits) {
    case (false, true, 16): return .s16le
    case (false, true, 24): return .s24le
    case (false, true, 32): return .s32le
    case (true, true, 32): return .f32le
    case (true, true, 64): return .f64le
    default:
      let kind = isFloat ? "floating point" : "signed integer"
      let order = isLittle ? "little-endian" : "big-endian"
      throw AudioError(
        .unsupportedCodec,
        "\(order) \(bits)-bit \(kind) PCM in CAF is not read. Convert it to little-endian first.")
    }
  }
}
