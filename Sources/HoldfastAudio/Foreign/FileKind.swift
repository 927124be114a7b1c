/// What the first bytes of a file say that it is.
enum FileKind: Hashable {
  /// RIFF, RF64 or BW64 with the form WAVE.
  case wave(AudioContainer)
  /// Core Audio Format.
  case caf
  /// The first bytes of a format that we read, and nothing after them: its name.
  case cut(String)
  /// Known, and not read: its name, and whether it is audio or video at all.
  case foreign(String, isMedia: Bool)
  /// Nothing that is known by its first bytes.
  case unknown

  /// Bytes that ``identify(_:)`` wants to see; fewer when the file is shorter.
  static let prefixLength: UInt64 = 512

  /// Names a file by its first bytes. An ID3v2 tag in front is to be skipped by the caller.
  static func identify(_ prefix: [UInt8]) -> FileKind {
    if let name = cutName(prefix) { return .cut(name) }
    if let riff = riffKind(prefix) { return riff }
    if starts(prefix, "caff") { return .caf }
    if let name = signatureName(prefix, Signature.others) {
      return .foreign(name, isMedia: false)
    }
    // Before the rest, whose signatures are words that a text may begin with.
    if let name = plainName(prefix) { return .foreign(name, isMedia: false) }
    if starts(prefix, "OggS") { return .foreign(oggName(prefix), isMedia: true) }
    if starts(prefix, "ftyp", at: 4) { return .foreign(mpeg4Name(prefix), isMedia: true) }
    if starts(prefix, "FORM") { return .foreign(formName(prefix), isMedia: true) }
    if let name = signatureName(prefix, Signature.media) ?? mpegName(prefix) {
      return .foreign(name, isMedia: true)
    }
    return .unknown
  }

  private static func signatureName(_ prefix: [UInt8], _ signatures: [Signature]) -> String? {
    signatures.first { prefix.dropFirst($0.offset).starts(with: $0.bytes) }?.name
  }

  /// Whether the prefix has the ASCII text at `offset`.
  static func starts(_ prefix: [UInt8], _ text: String, at offset: Int = 0) -> Bool {
    prefix.dropFirst(offset).starts(with: text.utf8)
  }

  /// A file that ends inside the first bytes that every WAV or CAF file has.
  private static func cutName(_ prefix: [UInt8]) -> String? {
    let heads = [("RIFF", 12, "WAV"), ("RF64", 12, "WAV"), ("BW64", 12, "WAV"), ("caff", 8, "CAF")]
    return heads.first { head, length, _ in
      !prefix.isEmpty && prefix.count < length
        && prefix.prefix(4).elementsEqual(
          head.utf8.prefix(prefix.count))
    }?.2
  }

  private static func riffKind(_ prefix: [UInt8]) -> FileKind? {
    let heads: [(String, AudioContainer)] = [("RIFF", .wav), ("RF64", .rf64), ("BW64", .bw64)]
    if starts(prefix, "RIFX") || starts(prefix, "FFIR") {
      return .foreign("big-endian WAV (RIFX)", isMedia: true)
    }
    for (head, container) in heads where starts(prefix, head) {
      let form = FourCharacters(prefix, at: 8)
      if form == "WAVE" { return .wave(container) }
      let known = riffForms[form]
      return .foreign(
        known ?? "RIFF of the kind '\(form.text)'", isMedia: form == "AVI " || form == "RMID")
    }
    return nil
  }

  private static let riffForms: [FourCharacters: String] = [
    "AVI ": "AVI video", "WEBP": "a WebP picture", "ACON": "an animated cursor",
    "RMID": "MIDI in RIFF", "sfbk": "a SoundFont", "CDDA": "a CD track entry",
    "CDXA": "a Video CD track", "PAL ": "a palette", "DLS ": "a DLS instrument bank",
  ]

  private static func oggName(_ prefix: [UInt8]) -> String {
    // The first packet follows the page header (27 bytes) and its segment table (RFC 3533).
    guard prefix.count > 27 else { return "Ogg" }
    let body = 27 + Int(prefix[26])
    if starts(prefix, "OpusHead", at: body) { return "Ogg Opus" }
    if starts(prefix, "\u{1}vorbis", at: body) { return "Ogg Vorbis" }
    if starts(prefix, "Speex", at: body) { return "Ogg Speex" }
    if starts(prefix, "\u{7F}FLAC", at: body) { return "Ogg FLAC" }
    return "Ogg"
  }

  private static func mpeg4Name(_ prefix: [UInt8]) -> String {
    guard prefix.count >= 12 else { return "MPEG-4" }
    let brand = FourCharacters(prefix, at: 8)
    switch brand {
    case "M4A ": return "MPEG-4 audio (M4A)"
    case "M4B ": return "an MPEG-4 audio book (M4B)"
    case "qt  ": return "QuickTime"
    case "heic", "mif1", "heix": return "a HEIF picture"
    case "avif": return "an AVIF picture"
    case "crx ": return "a Canon raw picture"
    default: return brand.text.hasPrefix("3g") ? "3GPP" : "MPEG-4 (brand '\(brand.trimmed)')"
    }
  }

  private static func formName(_ prefix: [UInt8]) -> String {
    guard prefix.count >= 12 else { return "an IFF file" }
    let form = FourCharacters(prefix, at: 8)
    switch form {
    case "AIFF": return "AIFF"
    case "AIFC": return "AIFF-C"
    case "8SVX": return "8SVX"
    default: return "an IFF file of the kind '\(form.text)'"
    }
  }

  /// MPEG audio frames: eleven bits of sync, a layer, a bit rate and a rate that exist
  /// (ISO/IEC 11172-3). Layer 0 is AAC with ADTS headers, which is read elsewhere.
  private static func mpegName(_ prefix: [UInt8]) -> String? {
    guard prefix.count >= 4, prefix[0] == 0xFF, prefix[1] & 0xE0 == 0xE0,
      prefix[1] & 0x18 != 0x08, prefix[2] & 0xF0 != 0xF0, prefix[2] & 0x0C != 0x0C
    else { return nil }
    switch prefix[1] & 0x06 {
    case 0x02: return "MP3"
    case 0x04: return "MPEG layer 2 audio"
    case 0x06: return "MPEG layer 1 audio"
    default: return nil
    }
  }

  private static func plainName(_ prefix: [UInt8]) -> String? {
    guard !prefix.isEmpty else { return nil }
    if prefix.allSatisfy({ $0 == 0 }) { return "nothing but zero bytes where a header should be" }
    let isText = prefix.allSatisfy { byte in
      (0x20...0x7E).contains(byte) || (0x09...0x0D).contains(byte) || byte >= 0x80
    }
    guard isText, validText(prefix) else { return nil }
    return "a text file"
  }

  /// Whether the bytes are UTF-8, a cut character at the end apart.
  private static func validText(_ prefix: [UInt8]) -> Bool {
    for cut in 0...min(3, prefix.count - 1)
    where String(validating: prefix.dropLast(cut), as: UTF8.self) != nil {
      return true
    }
    return false
  }
}
