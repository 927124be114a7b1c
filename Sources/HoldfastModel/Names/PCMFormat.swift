/// A format of plain PCM as capture delivers it or a handler wants it.
public struct PCMFormat: Hashable, Sendable {
  /// How one sample is stored, in the machine's byte order (little-endian on every platform here).
  public enum Sample: Sendable {
    /// Signed 16-bit integers.
    case int16
    /// 32-bit floating point, full scale ±1.
    case float32
  }

  /// How one sample is stored.
  public var sample: Sample
  /// Sample frames per second, over 0.
  public var sampleRate: Double
  /// Number of channels, from 1.
  public var channels: Int32
  /// Whether the channels' samples alternate; else each channel lies in one piece.
  public var interleaved: Bool

  /// A format.
  public init(
    _ sample: Sample, sampleRate: Double, channels: Int32 = 1, interleaved: Bool = true
  ) {
    self.sample = sample
    self.sampleRate = sampleRate
    self.channels = channels
    self.interleaved = interleaved
  }

  /// The format in which a take keeps such samples: interleaved. Nil when a number is out of range.
  package var stored: AudioFormat? {
    guard channels > 0 else { return nil }
    return AudioFormat(
      pcm: sample == .int16 ? .s16le : .f32le, sampleRate: sampleRate,
      channels: UInt32(channels))
  }
}

/// The containers that an app's own recorder may write.
public enum FileContainer: Sendable {
  /// Core Audio Format: any codec; readable when its writer was killed.
  case caf
  /// AAC in ADTS frames: readable when its writer was killed.
  case adts
  /// RIFF WAVE.
  case wav
}
