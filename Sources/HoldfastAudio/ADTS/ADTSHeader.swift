package import HoldfastModel

/// The header of one AAC frame in an ADTS stream (ISO/IEC 13818-7, 6.2).
struct ADTSHeader: Hashable {
  /// Bytes of a header without its check value.
  static let length = 7
  /// Bytes of the longest frame: its length has 13 bits.
  static let longestFrame = 8_191
  /// Sample frames of one block of AAC.
  static let framesPerBlock: UInt64 = 1_024

  private static let rates: [UInt32] = [
    96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000,
    7_350,
  ]

  /// Hertz.
  let sampleRate: UInt32
  /// Channels; 0 when only the stream itself says them.
  let channels: UInt32
  /// Bytes of the frame with its header.
  let frameLength: UInt64
  /// Blocks in the frame: 1…4.
  let blocks: UInt64
  /// The bits that every frame of a stream has alike, as ``configuration`` keeps them.
  let configuration: [UInt8]

  /// Reads a header at `offset`; nil when no header stands there.
  init?(_ bytes: [UInt8], at offset: Int = 0) {
    guard bytes.count >= offset + Self.length, Self.isSync(bytes, at: offset) else { return nil }
    let rate = Int(bytes[offset + 2] >> 2 & 15)
    guard rate < Self.rates.count else { return nil }
    let length =
      Int(bytes[offset + 3] & 3) << 11 | Int(bytes[offset + 4]) << 3 | Int(bytes[offset + 5] >> 5)
    let hasCheck = bytes[offset + 1] & 1 == 0
    guard length >= Self.length + (hasCheck ? 2 : 0) else { return nil }
    let code = UInt32(bytes[offset + 2] & 1) << 2 | UInt32(bytes[offset + 3] >> 6)
    sampleRate = Self.rates[rate]
    channels = code == 7 ? 8 : code
    frameLength = UInt64(length)
    blocks = UInt64(bytes[offset + 6] & 3) + 1
    configuration = [
      0xFF, bytes[offset + 1], bytes[offset + 2] & 0xFD, bytes[offset + 3] & 0xC0, 0, 0, 0,
    ]
  }

  /// Twelve bits of ones and a layer of 0.
  static func isSync(_ bytes: [UInt8], at offset: Int) -> Bool {
    bytes[offset] == 0xFF && bytes[offset + 1] & 0xF6 == 0xF0
  }

  /// Whether both headers belong to one stream; frames may differ in having a check value.
  func matches(_ other: [UInt8]) -> Bool {
    configuration[1] | 1 == other[1] | 1 && configuration[2...] == other[2...]
  }

  /// Sample frames of the frame.
  var frames: UInt64 { blocks * Self.framesPerBlock }
}

extension SampleEncoding {
  /// AAC in packets. With ADTS headers on them the configuration is such a header.
  package static let aac = SampleEncoding(rawValue: "aac")
}

extension AudioFormat {
  /// Whether the payload is a stream of AAC frames that carry their own headers.
  package var isADTS: Bool {
    encoding == .aac && configuration.count == ADTSHeader.length
      && ADTSHeader.isSync(configuration, at: 0)
  }
}
