package import HoldfastModel

extension AudioFormat {
  /// The container in which a take of this format is a playable file as it came: WAV for PCM, the
  /// bare stream for AAC with its own headers, CAF for other packets.
  package var exportContainer: AudioContainer {
    if isPCM { return .wav }
    return isADTS ? .adts : .caf
  }
}
