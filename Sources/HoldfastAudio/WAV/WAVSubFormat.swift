import HoldfastModel

/// The extension of a WAVE format chunk: valid bits, channel mask, and the codec as a GUID.
struct SubFormat: Sendable {
  /// Bytes of the extension: valid bits 2, channel mask 4, GUID 16.
  static let length = 22
  /// What follows the codec's number in a sub-format GUID (KSDATAFORMAT_SUBTYPE_*).
  static let guidTail: [UInt8] = [
    0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71,
  ]
  /// The same of Ambisonic B-format, whose samples are plain PCM or float.
  private static let ambisonicTail: [UInt8] = [
    0, 0, 0x21, 0x07, 0xD3, 0x11, 0x86, 0x44, 0xC8, 0xC1, 0xCA, 0, 0, 0,
  ]

  /// The codec's number.
  let codec: UInt16
  /// The extension as it lies in the file; empty without one.
  private let bytes: [UInt8]

  /// Reads the extension of a format chunk with the given tag; other tags have none that is used.
  init(_ body: [UInt8], tag: UInt16) throws(AudioError) {
    guard tag == WAVFormatChunk.extensible else {
      codec = tag
      bytes = []
      return
    }
    guard body.count >= 18 + Self.length else {
      throw AudioError(
        .damagedHeader,
        "The WAV format chunk says EXTENSIBLE and lacks its extension. The file is damaged.")
    }
    bytes = Array(body[18..<18 + Self.length])
    let guid = Array(bytes[6...])
    guard
      guid.dropFirst(2).elementsEqual(Self.guidTail) || guid[2...].elementsEqual(Self.ambisonicTail)
    else {
      throw AudioError(
        .unsupportedCodec,
        "The WAV sub-format \(Hex.encode(guid)) is not read. Convert it to PCM first.")
    }
    codec = UInt16(guid.little(0, 2))
  }

  /// The extension that says: so many valid bits, these speakers, this codec.
  static func make(validBits: UInt16, mask: UInt32, codec: UInt16) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendLittle(validBits)
    bytes.appendLittle(mask)
    bytes.appendLittle(codec)
    return bytes + guidTail
  }

  /// The speakers that a channel count stands for without being told: mono and stereo; else none.
  static func customaryMask(channels: UInt32) -> UInt32 {
    switch channels {
    case 1: 0x4
    case 2: 0x3
    default: 0
    }
  }

  /// Valid bits that are none, or more than the container has.
  func oddities(containerBits: UInt32) -> [AudioOddity] {
    guard !bytes.isEmpty else { return [] }
    let valid = bytes.little(0, 2)
    guard valid == 0 || valid > UInt64(containerBits) else { return [] }
    return [
      AudioOddity(
        .validBits, "The header says \(valid) valid bits of \(containerBits); all are used.")
    ]
  }

  /// The format with the extension as its configuration, where it says more than the format does.
  func keeping(_ format: AudioFormat, bits: UInt64) -> AudioFormat {
    var format = format
    let container = UInt64(format.bytesPerFrame / format.channels * 8)
    if bytes.isEmpty {
      guard format.encoding != .alaw, format.encoding != .mulaw, (1..<container).contains(bits)
      else { return format }
      format.configuration = Self.make(
        validBits: UInt16(bits), mask: Self.customaryMask(channels: format.channels), codec: codec)
      return format
    }
    let mask = UInt32(bytes.little(2, 4))
    let ordinary =
      (bytes.little(0, 2) == container || bytes.little(0, 2) == 0)
      && (mask == 0 || mask == Self.customaryMask(channels: format.channels))
      && bytes[8...].elementsEqual(Self.guidTail)
    if !ordinary { format.configuration = bytes }
    return format
  }
}
