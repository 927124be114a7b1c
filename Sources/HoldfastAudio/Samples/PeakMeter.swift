package import HoldfastModel

/// How loud a block of PCM is at its loudest.
package enum PeakMeter {
  /// The largest sample of a block of interleaved PCM, 0…1, over all channels; samples beyond
  /// full scale count as 1. Nil for what is no plain PCM. An unfinished sample is left out.
  package static func peak(of bytes: Span<UInt8>, format: AudioFormat) -> Float? {
    guard format.isPCM else { return nil }
    switch format.encoding {
    case .u8: return peak(bytes, ReadU8.self)
    case .s16le: return peak(bytes, ReadS16.self)
    case .s24le: return peak(bytes, ReadS24.self)
    case .s32le: return peak(bytes, ReadS32.self)
    case .f32le: return peak(bytes, ReadF32.self)
    case .f64le: return peak(bytes, ReadF64.self)
    case .alaw: return peak(bytes, ReadALaw.self)
    case .mulaw: return peak(bytes, ReadMuLaw.self)
    default: return nil
    }
  }

  private static func peak<Reader: SampleReader>(
    _ bytes: Span<UInt8>, _ reader: Reader.Type
  ) -> Float {
    var peak: Float = 0
    var index = 0
    while index + Reader.width <= bytes.count {
      peak = max(peak, abs(Reader.value(bytes, at: index)))
      index += Reader.width
    }
    return min(peak, 1)
  }
}
