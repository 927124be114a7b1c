package import HoldfastModel

/// What a file of audio is, by its name in `probe`. Open.
package struct AudioContainer: RawRepresentable, Hashable, Sendable {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }

  /// RIFF/WAVE.
  package static let wav = AudioContainer(rawValue: "wav")
  /// WAVE with 64-bit sizes, EBU Tech 3306.
  package static let rf64 = AudioContainer(rawValue: "rf64")
  /// WAVE with 64-bit sizes, ITU-R BS.2088.
  package static let bw64 = AudioContainer(rawValue: "bw64")
  /// Apple's Core Audio Format.
  package static let caf = AudioContainer(rawValue: "caf")
  /// A stream of AAC frames that describe themselves, ISO/IEC 13818-7.
  package static let adts = AudioContainer(rawValue: "adts")
  /// Sample bytes without a header.
  package static let raw = AudioContainer(rawValue: "raw")
}

/// Something in a file that is not as its format says, and what was done about it.
package struct AudioOddity: Hashable, Sendable, CustomStringConvertible {
  /// The kind of oddity, stable text. Open.
  package struct Code: RawRepresentable, Hashable, Sendable {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }

    /// The declared size of the audio is less than what is there.
    package static let lengthFromBytes = Code(rawValue: "lengthFromBytes")
    /// A header written before the length was known.
    package static let streamedHeader = Code(rawValue: "streamedHeader")
    /// The file is shorter than its header says.
    package static let truncated = Code(rawValue: "truncated")
    /// The audio ends inside a sample frame or a packet.
    package static let partialFrame = Code(rawValue: "partialFrame")
    /// The size of the whole file is declared wrongly.
    package static let fileSize = Code(rawValue: "fileSize")
    /// A chunk of odd size without its pad byte.
    package static let missingPad = Code(rawValue: "missingPad")
    /// A chunk after the audio is cut.
    package static let cutChunk = Code(rawValue: "cutChunk")
    /// Bytes at the end that belong to no chunk.
    package static let trailingBytes = Code(rawValue: "trailingBytes")
    /// A tag that stands after the audio outside of any chunk.
    package static let bareTag = Code(rawValue: "bareTag")
    /// More than one description of the format.
    package static let repeatedFormat = Code(rawValue: "repeatedFormat")
    /// More than one chunk of audio.
    package static let severalDataChunks = Code(rawValue: "severalDataChunks")
    /// The audio stands before the description of its format.
    package static let dataBeforeFormat = Code(rawValue: "dataBeforeFormat")
    /// The bytes of a frame are declared wrongly.
    package static let blockAlign = Code(rawValue: "blockAlign")
    /// The bytes of a second are declared wrongly.
    package static let byteRate = Code(rawValue: "byteRate")
    /// The bits of a sample are declared wrongly or not at all.
    package static let bitsPerSample = Code(rawValue: "bitsPerSample")
    /// The valid bits of a sample are none, or more than a sample has.
    package static let validBits = Code(rawValue: "validBits")
    /// A sample rate above what any audio hardware has.
    package static let implausibleRate = Code(rawValue: "implausibleRate")
    /// A 64-bit file without its 64-bit sizes.
    package static let missingSizes = Code(rawValue: "missingSizes")
    /// Packets without the table that tells where they begin.
    package static let packetTableMissing = Code(rawValue: "packetTableMissing")
    /// The table of packets does not agree with the bytes.
    package static let packetTable = Code(rawValue: "packetTable")
    /// The format changes within the file.
    package static let formatChange = Code(rawValue: "formatChange")
    /// Bytes inside the stream that are no packet were skipped.
    package static let damagedPackets = Code(rawValue: "damagedPackets")
  }

  /// The kind of oddity.
  package var code: Code
  /// What was found and how it was read, for a person.
  package var message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The message.
  package var description: String { message }
}

/// What ``AudioFile/probe(_:name:)`` found: where the audio lies and what it is.
///
/// Most files have one run of audio. Where the format changes within a file, or further chunks of
/// audio stand in it, each run is a take; this is the first of them, and `further` has the others.
package struct AudioFileInfo: Hashable, Sendable {
  /// The kind of file.
  package var container: AudioContainer
  /// What the payload bytes are.
  package var format: AudioFormat
  /// Where the first byte of audio lies.
  package var dataOffset: UInt64
  /// Bytes from there that are whole frames or packets (of ADTS: up to the end of the last one).
  package var dataLength: UInt64
  /// Sample frames; of packets, all that they decode to, priming included. Nil when only the
  /// codec could tell.
  package var frames: UInt64?
  /// Where the packets of a codec lie; nil for plain PCM.
  package var packets: PacketLayout?
  /// Sample frames that the codec's decoder is to drop at the begin, and at the end.
  package var primingFrames: UInt32 = 0, remainderFrames: UInt32 = 0
  /// Everything that is not as the format says; empty for an ordinary file.
  package var oddities: [AudioOddity]
  /// Bytes of an unfinished frame or packet after ``dataLength``, not used.
  package var unusedTail: UInt64
  /// The runs behind this one, in the order of the file; their own lists are empty.
  package var further: [AudioFileInfo] = []

  package init(
    container: AudioContainer, format: AudioFormat, dataOffset: UInt64, dataLength: UInt64,
    frames: UInt64?, packets: PacketLayout? = nil, oddities: [AudioOddity] = [],
    unusedTail: UInt64 = 0
  ) {
    self.container = container
    self.format = format
    self.dataOffset = dataOffset
    self.dataLength = dataLength
    self.frames = frames
    self.packets = packets
    self.oddities = oddities
    self.unusedTail = unusedTail
  }

  /// Every run of audio, in the order of the file; none of the further ones is empty.
  package var runs: [AudioFileInfo] {
    var first = self
    first.further = []
    return [first] + further
  }
}
