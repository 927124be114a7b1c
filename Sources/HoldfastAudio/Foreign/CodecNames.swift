/// Names of codecs, so that what is not read is refused by name.
///
/// WAVE numbers: RFC 2361 and Microsoft's `mmreg.h`. Four-character codes: Apple's
/// `CoreAudioBaseTypes.h`.
enum CodecNames {
  /// The codec of a WAVE format tag.
  static func wave(_ tag: UInt16) -> String {
    let number = "0x" + Hexadecimal.text(tag)
    guard let name = waveNames[tag] else { return "the codec with WAVE number \(number)" }
    return "\(name) (WAVE codec \(number))"
  }

  /// The codec of a CAF format id.
  static func coreAudio(_ id: FourCharacters) -> String {
    coreAudioNames[id] ?? "the codec '\(id.text)'"
  }

  private static let waveNames: [UInt16: String] = [
    0x0000: "an unknown codec", 0x0002: "Microsoft ADPCM", 0x0005: "IBM CVSD", 0x0008: "DTS",
    0x0009: "DRM-protected audio", 0x000A: "Windows Media Voice", 0x0010: "OKI ADPCM",
    0x0011: "IMA ADPCM", 0x0012: "MediaSpace ADPCM", 0x0013: "Sierra ADPCM",
    0x0014: "G.723 ADPCM", 0x0015: "DIGISTD", 0x0016: "DIGIFIX", 0x0017: "Dialogic OKI ADPCM",
    0x0020: "Yamaha ADPCM", 0x0021: "SONARC", 0x0022: "DSP Group TrueSpeech",
    0x0024: "APTX", 0x0028: "LRC", 0x0030: "Dolby AC-2", 0x0031: "GSM 6.10",
    0x0032: "MSN Audio", 0x0033: "Antex ADPCME", 0x0036: "DIGIADPCM", 0x003B: "Rockwell ADPCM",
    0x0040: "G.721 ADPCM", 0x0041: "G.728 CELP", 0x0042: "G.723.1", 0x0045: "G.726 ADPCM",
    0x0050: "MPEG layer 1 or 2", 0x0055: "MP3", 0x0059: "Lucent G.723", 0x0061: "Duck DK4 ADPCM",
    0x0062: "Duck DK3 ADPCM", 0x0064: "G.726 ADPCM", 0x0065: "G.722 ADPCM", 0x0067: "G.722.1",
    0x0069: "Voxware", 0x0070: "Lernout & Hauspie CELP", 0x0075: "Voxware RT29",
    0x0083: "G.729", 0x0084: "G.729", 0x0092: "AC-3 over S/PDIF", 0x00FF: "AAC",
    0x0101: "IBM µ-law", 0x0102: "IBM A-law", 0x0103: "IBM ADPCM", 0x0111: "Vivo G.723",
    0x0123: "Digital G.723", 0x0130: "ACELP.net", 0x0135: "Sipro G.729", 0x0155: "DF G.726",
    0x0160: "Windows Media Audio 1", 0x0161: "Windows Media Audio",
    0x0162: "Windows Media Audio Professional", 0x0163: "Windows Media Audio Lossless",
    0x0164: "WMA over S/PDIF", 0x0200: "Creative ADPCM", 0x0270: "Sony ATRAC3",
    0x028E: "Siren G.722.1", 0x1600: "AAC with ADTS headers", 0x1601: "raw AAC",
    0x1602: "AAC with LOAS headers", 0x1610: "HE-AAC", 0x2000: "AC-3", 0x2001: "DTS",
    0x566F: "Vorbis", 0x5756: "WavPack", 0x674F: "Vorbis", 0x6750: "Vorbis", 0x6751: "Vorbis",
    0x676F: "Vorbis", 0x6770: "Vorbis", 0x6771: "Vorbis", 0x704F: "Opus", 0xA106: "AAC",
    0xA109: "Speex", 0xF1AC: "FLAC",
  ]

  private static let coreAudioNames: [FourCharacters: String] = [
    "aac ": "AAC", "aach": "HE-AAC", "aacl": "AAC-LD", "aace": "AAC-ELD", "aacp": "HE-AAC v2",
    "alac": "Apple Lossless", "opus": "Opus", "flac": "FLAC", "ima4": "IMA ADPCM", "agsm": "GSM",
    "ilbc": "iLBC", "samr": "AMR", "sawb": "AMR-WB", ".mp1": "MPEG layer 1",
    ".mp2": "MPEG layer 2", ".mp3": "MP3", "ac-3": "AC-3", "ec-3": "E-AC-3", "QDM2": "QDesign",
    "MAC3": "MACE 3:1", "MAC6": "MACE 6:1",
  ]
}

/// Numbers in hexadecimal for messages.
enum Hexadecimal {
  /// Four or more upper-case digits.
  static func text(_ value: some FixedWidthInteger) -> String {
    let digits = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
