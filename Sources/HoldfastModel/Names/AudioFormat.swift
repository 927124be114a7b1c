/// How one sample of plain PCM lies in memory; all little-endian.
///
/// The names are those of the command's `--encoding` and of `probe`. Open: a reel of a newer
/// version may name one that this version does not know; its bytes are kept as they are.
package struct SampleEncoding: RawRepresentable, Hashable, Sendable {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }

  /// Unsigned 8-bit.
  package static let u8 = SampleEncoding(rawValue: "u8")
  /// Signed 16-bit.
  package static let s16le = SampleEncoding(rawValue: "s16le")
  /// Signed 24-bit, packed in three bytes.
  package static let s24le = SampleEncoding(rawValue: "s24le")
  /// Signed 32-bit.
  package static let s32le = SampleEncoding(rawValue: "s32le")
  /// IEEE 754 binary32, full scale ±1.
  package static let f32le = SampleEncoding(rawValue: "f32le")
  /// IEEE 754 binary64, full scale ±1.
  package static let f64le = SampleEncoding(rawValue: "f64le")
  /// G.711 A-law, one byte a sample.
  package static let alaw = SampleEncoding(rawValue: "alaw")
  /// G.711 µ-law, one byte a sample.
  package static let mulaw = SampleEncoding(rawValue: "mulaw")

  /// Bytes of one sample of one channel; nil when the encoding is not plain PCM that we know.
  package var bytesPerSample: UInt32? {
    switch self {
    case .u8, .alaw, .mulaw: 1
    case .s16le: 2
    case .s24le: 3
    case .s32le, .f32le: 4
    case .f64le: 8
    default: nil
    }
  }
}

/// The codec configuration of a take: what its payload bytes are.
package struct AudioFormat: Hashable, Sendable {
  /// A sample encoding for plain PCM (then every sample frame has ``bytesPerFrame`` bytes and the
  /// payload is interleaved), else the name of a codec: "aac", "alac", "opus" …, or a
  /// four-character code as CAF gives it.
  package var encoding: SampleEncoding
  /// Sample frames per second: finite, over 0 and at most 4,294,967,295; a fraction is allowed.
  package var sampleRate: Double
  /// Channels: 1…65,535.
  package var channels: UInt32
  /// Bytes of one sample frame of plain PCM; 0 for a codec with packets.
  package var bytesPerFrame: UInt32
  /// Sample frames of one packet: 1 for plain PCM, the codec's constant, or 0 when it varies.
  package var framesPerPacket: UInt32
  /// The codec's own configuration (CAF `kuki`, ADTS header, valid bits …), kept verbatim.
  package var configuration: [UInt8]

  package init(
    encoding: SampleEncoding, sampleRate: Double, channels: UInt32, bytesPerFrame: UInt32,
    framesPerPacket: UInt32 = 1, configuration: [UInt8] = []
  ) {
    self.encoding = encoding
    self.sampleRate = sampleRate
    self.channels = channels
    self.bytesPerFrame = bytesPerFrame
    self.framesPerPacket = framesPerPacket
    self.configuration = configuration
  }

  /// Plain interleaved PCM; nil when the encoding is none that we know, or a number is out of
  /// range.
  package init?(pcm encoding: SampleEncoding, sampleRate: Double, channels: UInt32) {
    guard let bytes = encoding.bytesPerSample, (1...65_535).contains(channels),
      sampleRate.isFinite, sampleRate > 0, sampleRate <= Double(UInt32.max)
    else { return nil }
    self.init(
      encoding: encoding, sampleRate: sampleRate, channels: channels,
      bytesPerFrame: bytes * channels)
  }

  /// Whether the payload is interleaved PCM of an encoding that we know.
  package var isPCM: Bool { encoding.bytesPerSample != nil && bytesPerFrame > 0 }
}
