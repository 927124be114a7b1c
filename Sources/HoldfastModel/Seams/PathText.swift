/// Names of files as text, without loss: a name is bytes, and need not be UTF-8.
///
/// A byte that is no part of UTF-8 is written as two noncharacters, U+FDD0 to U+FDDF, each standing
/// for four of its bits. Unicode keeps them for such internal use; where a name has them itself,
/// their bytes are written so too, so that every name has one text and every such text one name.
/// The texts go through everything that joins and cuts paths; whoever calls the system takes their
/// ``bytes(of:)``, and whoever shows them to a person ``shown(_:)``.
package enum PathText {
  private static let first: UInt32 = 0xFDD0

  /// The text of a name's bytes.
  package static func text(of bytes: [UInt8]) -> String {
    let whole = String(decoding: bytes, as: UTF8.self)
    if whole.utf8.elementsEqual(bytes), !holdsBytes(whole) { return whole }
    var text = String.UnicodeScalarView()
    var rest = bytes[...]
    while let lead = rest.first {
      if let scalar = scalar(at: rest) {
        text.append(scalar)
        rest = rest.dropFirst(scalar.utf8.count)
      } else {
        for half in [lead >> 4, lead & 15] {
          if let mark = Unicode.Scalar(first + UInt32(half)) { text.append(mark) }
        }
        rest = rest.dropFirst()
      }
    }
    return String(text)
  }

  /// The bytes of a name's text.
  package static func bytes(of text: String) -> [UInt8] {
    guard holdsBytes(text) else { return Array(text.utf8) }
    var bytes: [UInt8] = []
    each(text) { scalar in
      bytes += Array(scalar.utf8)
    } byte: {
      bytes.append($0)
    }
    return bytes
  }

  /// Whether the text stands for bytes that are no UTF-8.
  package static func holdsBytes(_ text: String) -> Bool {
    text.unicodeScalars.contains { half($0) != nil }
  }

  /// The text as a person may read it, such bytes as `\xE9`.
  package static func shown(_ text: String) -> String {
    guard holdsBytes(text) else { return text }
    var shown = String.UnicodeScalarView()
    each(text) {
      shown.append($0)
    } byte: { byte in
      let digits = String(byte, radix: 16, uppercase: true)
      shown.append(contentsOf: "\\x\(digits.count < 2 ? "0" : "")\(digits)".unicodeScalars)
    }
    return String(shown)
  }

  /// The text as well as Unicode can say it, such bytes as U+FFFD: for titles.
  package static func repaired(_ text: String) -> String {
    String(decoding: bytes(of: text), as: UTF8.self)
  }

  private static func half(_ scalar: Unicode.Scalar) -> UInt8? {
    (first...first + 15).contains(scalar.value) ? UInt8(scalar.value - first) : nil
  }

  private static func each(
    _ text: String, _ scalar: (Unicode.Scalar) -> Void, byte: (UInt8) -> Void
  ) {
    var rest = text.unicodeScalars[...]
    while let next = rest.popFirst() {
      if let high = half(next), let low = rest.first.flatMap(half) {
        rest.removeFirst()
        byte(high << 4 | low)
      } else {
        scalar(next)
      }
    }
  }

  /// The scalar that the bytes begin with; nil when they are no UTF-8, or are one of ours.
  private static func scalar(at bytes: ArraySlice<UInt8>) -> Unicode.Scalar? {
    for count in 1...4 {
      let piece = bytes.prefix(count)
      let text = String(decoding: piece, as: UTF8.self)
      guard text.utf8.elementsEqual(piece), text.unicodeScalars.count == 1 else { continue }
      return text.unicodeScalars.first.flatMap { half($0) == nil ? $0 : nil }
    }
    return nil
  }
}

extension Unicode.Scalar {
  /// Its bytes in UTF-8.
  fileprivate var utf8: [UInt8] { Array(String(Character(self)).utf8) }
}
