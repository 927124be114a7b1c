/// First bytes of files that are not read, so that they are refused by name.
struct Signature {
  /// What the file is.
  let name: String
  /// Where the bytes lie.
  let offset: Int
  /// The bytes.
  let bytes: [UInt8]

  private init(_ name: String, _ bytes: [UInt8], at offset: Int = 0) {
    self.name = name
    self.offset = offset
    self.bytes = bytes
  }

  private init(_ name: String, _ text: String, at offset: Int = 0) {
    self.init(name, Array(text.utf8), at: offset)
  }

  /// Audio and video in forms that are not read; the longer first where two begin alike.
  static let media: [Signature] = [
    Signature(
      "Sony Wave64 (W64)",
      [
        0x72, 0x69, 0x66, 0x66, 0x2E, 0x91, 0xCF, 0x11, 0xA5, 0xD6, 0x28, 0xDB, 0x04, 0xC1, 0, 0,
      ]),
    Signature("FLAC", "fLaC"),
    Signature("AU (Sun audio)", ".snd"),
    Signature("AU (Sun audio)", "dns."),
    Signature("AMR-WB", "#!AMR-WB"),
    Signature("AMR", "#!AMR"),
    Signature("iLBC", "#!iLBC"),
    Signature("MIDI", "MThd"),
    Signature("Matroska or WebM", [0x1A, 0x45, 0xDF, 0xA3]),
    Signature("Windows Media (ASF)", [0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11]),
    Signature("NIST SPHERE", "NIST_1A"),
    Signature("Creative Voice", "Creative Voice File"),
    Signature("WavPack", "wvpk"),
    Signature("Monkey's Audio", "MAC "),
    Signature("True Audio", "TTA"),
    Signature("Musepack", "MPCK"),
    Signature("Musepack", "MP+"),
    Signature("DSD (DSF)", "DSD "),
    Signature("DSD (DSDIFF)", "FRM8"),
    Signature("AC-3", [0x0B, 0x77]),
    Signature("DTS", [0x7F, 0xFE, 0x80, 0x01]),
    Signature("AAC with an ADIF header", "ADIF"),
    Signature("Flash video", "FLV"),
    Signature("RealMedia", ".RMF"),
    Signature("an older QuickTime file", "moov", at: 4),
    Signature("an older QuickTime file", "mdat", at: 4),
    Signature("an older QuickTime file", "wide", at: 4),
    Signature("Shorten", "ajkg"),
  ]

  /// Files of other kinds.
  static let others: [Signature] = [
    Signature("a PDF document", "%PDF"),
    Signature("a PNG picture", [0x89, 0x50, 0x4E, 0x47]),
    Signature("a JPEG picture", [0xFF, 0xD8, 0xFF]),
    Signature("a GIF picture", "GIF8"),
    Signature("a ZIP archive", [0x50, 0x4B, 0x03, 0x04]),
    Signature("a gzip archive", [0x1F, 0x8B]),
    Signature("a Zstandard archive", [0x28, 0xB5, 0x2F, 0xFD]),
    Signature("an XZ archive", [0xFD, 0x37, 0x7A, 0x58, 0x5A]),
    Signature("a tar archive", "ustar", at: 257),
    Signature("an SQLite database", "SQLite format 3"),
    Signature("a program (ELF)", [0x7F, 0x45, 0x4C, 0x46]),
    Signature("a property list", "bplist"),
    Signature("UTF-16 text", [0xFF, 0xFE]),
    Signature("UTF-16 text", [0xFE, 0xFF]),
  ]
}
