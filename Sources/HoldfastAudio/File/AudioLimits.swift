import HoldfastModel

/// Bounds on what a header may say; beyond them it is damaged, not unusual.
enum AudioLimits {
  /// Hertz. Audio and ultrasound interfaces end below 1 MHz; ten times that is no sound.
  static let maximumSampleRate = 10_000_000.0
  /// Hertz; the fastest rate of audio converters sold. Faster is read, and said to be odd.
  static let ordinarySampleRate = 768_000.0
  /// Chunks that are looked at on each side of the audio. Real files have tens.
  static let maximumChunks = 65_536
  /// Runs of audio in one file. A route changes a few times in a meeting.
  static let maximumRuns = 1_000
  /// Bytes of a codec's configuration that are kept; real ones have less than 100.
  static let maximumConfiguration: UInt64 = 65_536
  /// From here to 4 GiB a declared size that the file does not reach is a writer's placeholder
  /// (ffmpeg 0xFFFFFFFF, SoX 0x7FFFF000, arecord 0x80000000 or 0x7FFFFFFF), not a cut file.
  static let smallestPlaceholder: UInt64 = 0x7FFF_0000

  /// Refuses numbers that no audio has; the answer is an oddity when one is merely surprising.
  static func check(
    sampleRate: Double, channels: UInt64
  ) throws(AudioError) -> [AudioOddity] {
    guard channels > 0 else {
      throw AudioError(.invalidFormat, "The header says 0 channels. It is damaged.")
    }
    guard sampleRate.isFinite, sampleRate > 0 else {
      throw AudioError(
        .invalidFormat, "The header says a sample rate of \(sampleRate) Hz. It is damaged.")
    }
    guard sampleRate <= maximumSampleRate, channels <= 65_535 else {
      throw AudioError(
        .invalidFormat,
        "The header says \(channels) channels at \(sampleRate) Hz. It is damaged."
      )
    }
    guard sampleRate > ordinarySampleRate else { return [] }
    return [
      AudioOddity(
        .implausibleRate, "A sample rate of \(sampleRate) Hz; no audio hardware has that.")
    ]
  }
}
