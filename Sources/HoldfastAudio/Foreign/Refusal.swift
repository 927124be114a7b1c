extension AudioError {
  /// Why a file of this kind is not read, with its name and what to do.
  static func refusing(_ kind: FileKind) -> AudioError {
    switch kind {
    case .foreign(let name, isMedia: true):
      AudioError(
        .unsupportedContainer, "This is \(name), which is not read. Convert it to WAV or CAF first."
      )
    case .foreign(let name, isMedia: false):
      AudioError(
        .notAudio,
        "This is \(name), not audio."
          + " Samples without a header can be given as raw PCM with an encoding.")
    case .cut(let name):
      AudioError(
        .truncatedHeader, "The \(name) file ends inside its first bytes. There is nothing to take.")
    case .wave, .caf, .unknown:
      AudioError(
        .notAudio,
        "This is not a file of audio that we know."
          + " Samples without a header can be given as raw PCM with an encoding.")
    }
  }

  /// The error for a file without bytes.
  static var emptyFile: AudioError {
    AudioError(.empty, "The file is empty. There is nothing to take.")
  }
}
