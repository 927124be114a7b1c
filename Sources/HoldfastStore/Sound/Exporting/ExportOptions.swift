import HoldfastAudio
package import HoldfastModel

/// What an export is to be.
package struct ExportOptions: Hashable, Sendable {
  /// In which form the audio leaves.
  package enum Form: Hashable, Sendable {
    /// WAV, RF64 from 4 GiB; plain PCM only.
    case wav
    /// As it came in: sample bytes, an ADTS stream, or CAF for the packets of other codecs.
    case raw
    /// A file that players know: WAV for plain PCM, else as ``raw``.
    case native
  }

  /// In which form.
  package var form = Form.wav
  /// The track's name; nil takes the one with most audio.
  package var track: String?
  /// Only the take with this index in its track.
  package var take: UInt32?
  /// What becomes of stretches without audio.
  package var gaps = GapPolicy.standard
  /// Bytes of a file from which it is RF64.
  package var rf64From: UInt64 = WAVHeader.sizeLimit

  package init() {}
}

/// What becomes of stretches in which nothing was captured. Where captured audio is damaged or
/// missing, silence of its length always stands in its place.
package enum GapPolicy: Hashable, Sendable {
  /// Silence up to so many seconds; longer gaps are cut.
  case fill(upToSeconds: Double)
  /// Silence, however long.
  case silence
  /// Cut, however short.
  case cut

  /// Silence up to 60 s (J5).
  package static let standard = GapPolicy.fill(upToSeconds: 60)

  /// Whether a gap of so many seconds becomes silence.
  func fills(_ seconds: Double) -> Bool {
    switch self {
    case .fill(let most): seconds <= most
    case .silence: true
    case .cut: false
    }
  }
}

extension GapReason {
  /// Captured audio whose bytes are not what they were.
  package static let damaged = GapReason(rawValue: "damaged")

  /// Whether audio that was captured is lost there.
  package var isLoss: Bool { self == .damaged || self == .missing }
}
