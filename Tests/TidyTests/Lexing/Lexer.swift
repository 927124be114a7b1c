/// Cuts Swift or C into tokens, so that a rule never takes a comment or a literal for code.
///
/// It knows what can hide code or look like it: comments (nested in Swift), strings with any number
/// of `#`, interpolations, raw identifiers, extended regular expressions, characters in C. It does
/// not know regular expressions between bare slashes; write those as `#/…/#`.
struct Lexer {
  private let bytes: [UInt8]
  private let isC: Bool
  private var index = 0
  private var line = 1
  private var tokens: [Token] = []
  /// Where the last token ended.
  private var lastEnd: Int?

  private init(_ text: String, isC: Bool) {
    bytes = Array(text.utf8)
    self.isC = isC
  }

  /// The tokens of the text, in order.
  static func tokens(of text: String, isC: Bool = false) -> [Token] {
    var lexer = Lexer(text, isC: isC)
    lexer.code(inInterpolation: false)
    return lexer.tokens
  }

  /// Takes tokens up to the end, or up to the parenthesis that closes an interpolation.
  private mutating func code(inInterpolation: Bool) {
    var depth = 0
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\n"), UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"):
        advance()
      case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "/"): lineComment()
      case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "*"): blockComment()
      case UInt8(ascii: "\""): literal(hashes: 0)
      case UInt8(ascii: "#") where hashesBeforeLiteral > 0: literal(hashes: hashesBeforeLiteral)
      case UInt8(ascii: "'") where isC: character()
      case UInt8(ascii: "`"): rawIdentifier()
      case let byte where byte.isDigit: number()
      case let byte where byte.isWord: emit(.word) { $0.isWord }
      case let byte:
        depth += byte == UInt8(ascii: "(") ? 1 : byte == UInt8(ascii: ")") ? -1 : 0
        if inInterpolation, depth < 0 { return }
        symbol()
      }
    }
  }

  private func byte(_ distance: Int) -> UInt8? {
    index + distance < bytes.count ? bytes[index + distance] : nil
  }

  private mutating func advance(_ count: Int = 1) {
    for _ in 0..<count where index < bytes.count {
      if bytes[index] == UInt8(ascii: "\n") { line += 1 }
      index += 1
    }
  }

  private mutating func add(_ kind: Token.Kind, from start: Int, to end: Int, line: Int) {
    let text = String(decoding: bytes[start..<end], as: UTF8.self)
    tokens.append(Token(kind: kind, text: text, line: line, isGlued: start == lastEnd))
    lastEnd = end
  }

  private mutating func emit(_ kind: Token.Kind, while belongs: (UInt8) -> Bool) {
    let start = index
    while index < bytes.count, belongs(bytes[index]) { index += 1 }
    add(kind, from: start, to: index, line: line)
  }

  private mutating func symbol() {
    add(.symbol, from: index, to: index + 1, line: line)
    advance()
  }

  private mutating func number() {
    let start = index
    while let next = byte(0), next.isWord || (next == UInt8(ascii: ".") && byte(1)?.isDigit == true)
    {
      index += 1
    }
    add(.number, from: start, to: index, line: line)
  }

  private mutating func lineComment() {
    emit(.comment) { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
  }

  private mutating func blockComment() {
    let (start, first) = (index, line)
    var depth = 0
    repeat {
      if matches("/*"), depth == 0 || !isC {
        depth += 1
        advance(2)
      } else if matches("*/") {
        depth -= 1
        advance(2)
      } else {
        advance()
      }
    } while depth > 0 && index < bytes.count
    add(.comment, from: start, to: index, line: first)
  }

  private mutating func rawIdentifier() {
    let start = index
    index += 1
    while let next = byte(0), next != UInt8(ascii: "`"), next != UInt8(ascii: "\n") { index += 1 }
    if byte(0) == UInt8(ascii: "`") { index += 1 }
    add(.word, from: start, to: index, line: line)
  }

  private mutating func character() {
    let (start, first) = (index + 1, line)
    advance()
    while let next = byte(0), next != UInt8(ascii: "'"), next != UInt8(ascii: "\n") {
      advance(next == UInt8(ascii: "\\") ? 2 : 1)
    }
    add(.string, from: start, to: index, line: first)
    advance()
  }

  /// How many `#` stand here before a quote or a slash; 0 when they begin no literal.
  private var hashesBeforeLiteral: Int {
    var count = 0
    while byte(count) == UInt8(ascii: "#") { count += 1 }
    let opens = byte(count) == UInt8(ascii: "\"") || byte(count) == UInt8(ascii: "/")
    return !isC && opens ? count : 0
  }

  /// A string or an extended regular expression, with its interpolations.
  private mutating func literal(hashes: Int) {
    advance(hashes)
    let isText = byte(0) == UInt8(ascii: "\"")
    let quote = !isText ? "/" : matches("\"\"\"") && !isC ? "\"\"\"" : "\""
    let fence = String(repeating: "#", count: hashes)
    let (close, escape) = (quote + fence, "\\" + fence)
    advance(quote.utf8.count)
    var (start, first) = (index, line)
    while index < bytes.count, !matches(close) {
      if isText, !isC, matches(escape + "(") {
        add(.string, from: start, to: index, line: first)
        advance(escape.utf8.count + 1)
        code(inInterpolation: true)
        advance()
        (start, first) = (index, line)
      } else {
        advance(matches(escape) ? escape.utf8.count + 1 : 1)
      }
    }
    add(.string, from: start, to: index, line: first)
    advance(close.utf8.count)
  }

  private func matches(_ text: String) -> Bool {
    let wanted = text.utf8
    guard index + wanted.count <= bytes.count else { return false }
    return zip(bytes[index...], wanted).allSatisfy { $0 == $1 }
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

  /// Whether a word may hold the byte; everything beyond ASCII counts.
  fileprivate var isWord: Bool {
    isDigit || self == UInt8(ascii: "_") || self == UInt8(ascii: "$") || self >= 0x80
      || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
  }
}
