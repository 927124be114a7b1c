/// A SHA-256 value: 32 bytes, compared and hashed as four machine words.
///
/// The model only carries digests; computing them is the ``Hashing`` seam's work.
package struct Digest: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// Number of bytes of a SHA-256 (FIPS 180-4).
  package static let byteCount = 32

  private let words: Words
  private struct Words: Hashable, Sendable { var a, b, c, d: UInt64 }

  /// Thirty-two zero bytes: the chain value before an origin's first change.
  package static let zero = Digest(words: Words(a: 0, b: 0, c: 0, d: 0))

  private init(words: Words) { self.words = words }

  /// The value of four big-endian words; for those who compute digests.
  package init(words a: UInt64, _ b: UInt64, _ c: UInt64, _ d: UInt64) {
    words = Words(a: a, b: b, c: c, d: d)
  }

  /// Takes exactly 32 bytes; any other count gives nil.
  package init?(_ bytes: some Collection<UInt8>) {
    // Copied first: stepping through a generic collection costs more than hashing a small chunk.
    let bytes = Array(bytes)
    guard bytes.count == Self.byteCount else { return nil }
    words = Words(
      a: bytes.bigEndianWord(at: 0), b: bytes.bigEndianWord(at: 8),
      c: bytes.bigEndianWord(at: 16), d: bytes.bigEndianWord(at: 24))
  }

  /// A digest of four words, the first with the first eight bytes, most significant first. For
  /// paths on which no array may be made.
  package init(_ first: UInt64, _ second: UInt64, _ third: UInt64, _ fourth: UInt64) {
    words = Words(a: first, b: second, c: third, d: fourth)
  }

  /// The four words, as ``init(_:_:_:_:)`` takes them.
  package var fourWords: (UInt64, UInt64, UInt64, UInt64) { (words.a, words.b, words.c, words.d) }

  /// The 32 bytes, most significant first.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.byteCount)
    for word in [words.a, words.b, words.c, words.d] { bytes.append(bigEndian: word) }
    return bytes
  }

  /// 64 lower-case hexadecimal digits.
  package var description: String { Hex.encode(bytes) }

  package static func < (left: Digest, right: Digest) -> Bool {
    (left.words.a, left.words.b, left.words.c, left.words.d)
      < (right.words.a, right.words.b, right.words.c, right.words.d)
  }
}

extension FixedWidthInteger where Self: UnsignedInteger {
  /// The bytes of the value, most significant first.
  package var bigEndianBytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.bitWidth / 8)
    bytes.append(bigEndian: self)
    return bytes
  }
}

extension [UInt8] {
  /// The eight bytes from an index on as a number, the most significant first.
  func bigEndianWord(at start: Int) -> UInt64 {
    var word: UInt64 = 0
    for index in start..<start + 8 { word = word << 8 | UInt64(self[index]) }
    return word
  }

  /// Puts the integer's bytes at the end, most significant first.
  package mutating func append<Value: FixedWidthInteger & UnsignedInteger>(
    bigEndian value: Value
  ) {
    var shift = Value.bitWidth
    while shift > 0 {
      shift -= 8
      append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }
}
