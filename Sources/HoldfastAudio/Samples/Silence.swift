package import HoldfastModel

extension SampleEncoding {
  /// The byte that every sample of silence consists of: the middle of unsigned 8-bit, the smallest
  /// positive code of G.711 (A-law 0xD5, µ-law 0xFF), else zero.
  package var silenceByte: UInt8 {
    switch self {
    case .u8: 0x80
    case .alaw: 0xD5
    case .mulaw: 0xFF
    default: 0
    }
  }
}

extension AudioFormat {
  /// So many sample frames of silence; empty for what is no plain PCM.
  ///
  /// All bytes are in memory at once: ask for a long gap in pieces.
  package func silence(frames: UInt32) -> [UInt8] {
    guard isPCM else { return [] }
    return Array(repeating: encoding.silenceByte, count: Int(frames) * Int(bytesPerFrame))
  }
}
