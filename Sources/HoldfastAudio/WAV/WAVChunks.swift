/// What is known about the chunks of WAVE files, and how one follows another.
///
/// Chunks are padded to even size. Some writers forget the pad byte, so after a chunk of odd size
/// the bytes decide where the next one begins.
enum WAVChunks {
  /// Bytes of a chunk's id and size.
  static let headerLength: UInt64 = 8
  /// Bytes to look at after a chunk: an id and a size, with room for a pad byte before them.
  static let peekLength: UInt64 = 9
  /// A 32-bit size that says "see ds64" or "not known".
  static let noSize: UInt64 = 0xFFFF_FFFF

  /// Chunks that occur in WAVE files: the format's own, EBU's, and those of editors and taggers.
  static let known: Set<FourCharacters> = [
    "fmt ", "data", "fact", "LIST", "list", "JUNK", "junk", "Junk", "PAD ", "FLLR", "filr",
    "bext", "cue ", "plst", "smpl", "inst", "id3 ", "ID3 ", "iXML", "axml", "bxml", "sxml",
    "chna", "PEAK", "_PMX", "cart", "levl", "link", "umid", "minf", "elm1", "elmo", "regn",
    "DISP", "acid", "strc", "afsp", "wavl", "slnt", "labl", "note", "ltxt", "file", "ds64",
    "r64m", "SNDM", "LGWV", "dbmd", "qlty", "rgad", "INFO", "fake", "ovwf", "Xtra", "wamd",
    "guan", "SAUR", "UXML", "CDif", "CSET", "adtl", "MARK", "muma", "BWFM", "CRDS", "RIFF",
  ]

  /// How much a place looks like the begin of a chunk.
  enum Likeness: Int, Comparable {
    case none, printable, known
    static func < (left: Likeness, right: Likeness) -> Bool { left.rawValue < right.rawValue }
  }

  /// How much the bytes from `offset` look like the begin of a chunk.
  static func likeness(_ bytes: [UInt8], at offset: Int) -> Likeness {
    guard bytes.count >= offset + Int(headerLength) else { return .none }
    let id = FourCharacters(bytes, at: offset)
    if known.contains(id) { return .known }
    return id.isPrintable ? .printable : .none
  }

  /// The bytes of padding after a chunk of odd size, seen the bytes that follow it: 1 as the format
  /// says, 0 where the writer forgot it. A pad byte is a zero, so a name that begins at once wins
  /// over one just as good that begins a byte later.
  static func padding(before peek: [UInt8]) -> UInt64 {
    let atOnce = likeness(peek, at: 0)
    return atOnce != .none && atOnce >= likeness(peek, at: 1) ? 0 : 1
  }

  /// A tag that stands outside of any chunk, or nil. `remaining` are the bytes to the end of the
  /// file, nil while nobody knows. (ID3v2: id3.org; ID3v1: the last 128 bytes; APEv2.)
  static func bareTag(_ bytes: [UInt8], at offset: Int, remaining: UInt64?) -> String? {
    let rest = bytes.dropFirst(offset)
    if rest.starts(with: "ID3".utf8), rest.count >= 5, (2...4).contains(rest[offset + 3]),
      rest[offset + 4] < 0xFF
    {
      return "ID3v2"
    }
    if rest.starts(with: "APETAGEX".utf8) { return "APE" }
    if rest.starts(with: "TAG".utf8), remaining == 128 { return "ID3v1" }
    return nil
  }
}
