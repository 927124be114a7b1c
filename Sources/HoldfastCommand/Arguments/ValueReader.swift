package import Foundation
package import Holdfast

/// How a word of the command line becomes a value: what help and completion say of it, and the
/// check. A reader is pure; what it depends on besides the word is handed to it.
package struct ValueReader<Value: Sendable>: Sendable {
  /// For help and completion.
  package let kind: ValueKind
  /// What the word must be, to follow "must be": "a number of seconds, 0 or more".
  package let expectation: String
  /// The value of a word, or nil when the word is not what ``expectation`` says.
  package let read: @Sendable (String, TimeZone) -> Value?

  /// A reader of values of one kind.
  package init(
    _ kind: ValueKind, _ expectation: String,
    read: @escaping @Sendable (String, TimeZone) -> Value?
  ) {
    self.kind = kind
    self.expectation = expectation
    self.read = read
  }

  /// The value of a word given to `owner` ("--wait", "FILE"), else an `invalidArgument` that says
  /// what it must be.
  package func value(of word: String, owner: String, in zone: TimeZone) throws(HoldfastError)
    -> Value
  {
    let word = kind == .file ? word : try Self.text(word, owner)
    if let value = read(word, zone) { return value }
    var message = "\(owner) must be \(expectation), not '\(word)'"
    if case .choice(let words) = kind {
      message += Suggestion.question(for: word, among: words)
    }
    throw HoldfastError(.invalidArgument, message)
  }

  /// The word as text; only files may have names that are none, and are handed on as ``PathText``.
  private static func text(_ word: String, _ owner: String) throws(HoldfastError) -> String {
    let repaired = PathText.repaired(word)
    guard PathText.bytes(of: word) == Array(repaired.utf8) else {
      throw HoldfastError(
        .invalidArgument, "\(owner) must be UTF-8, and '\(PathText.shown(word))' is not",
        hint: "Give it as UTF-8; \\x stands for a byte that is none.")
    }
    return repaired
  }
}

extension ValueReader where Value == String {
  /// Any text, empty text too.
  package static var text: Self { Self(.text, "text") { word, _ in word } }

  /// The path of a file; not empty.
  package static var file: Self { path(.file, "the path of a file") }

  /// The path of a directory; not empty, and not "-", which everywhere else is a stream.
  package static var directory: Self {
    path(.directory, "the path of a directory", butNot: ["-"])
  }

  private static func path(
    _ kind: ValueKind, _ expectation: String, butNot refused: Set<String> = []
  ) -> Self {
    Self(kind, expectation) { word, _ in
      word.isEmpty || word.contains("\0") || refused.contains(word) ? nil : word
    }
  }

  /// The name of one of our commands; whether it exists is checked by who uses it.
  package static var command: Self { Self(.command, "the name of a command") { word, _ in word } }

  /// One of the words, exactly.
  package static func choice(_ words: [String]) -> Self {
    Self(.choice(words), "one of " + words.joined(separator: ", ")) { word, _ in
      words.contains(word) ? word : nil
    }
  }

  /// A recording's id or a prefix of it: 4 to 32 hexadecimal digits, handed on in lower case.
  package static var recording: Self {
    Self(.recording, "an id: 4 to 32 hexadecimal digits") { word, _ in
      let digits = word.utf8
      guard (4...32).contains(digits.count),
        digits.allSatisfy({ Hex.value(of: $0) != nil })
      else { return nil }
      return word.lowercased()
    }
  }
}

extension ValueReader where Value == Double {
  /// Seconds from 0 to a thousand million (32 years, far inside of what `Duration` holds).
  package static var seconds: Self {
    Self(.seconds, "a number of seconds, 0 or more") { word, _ in
      decimal(word).flatMap { (0...1_000_000_000).contains($0) ? $0 : nil }
    }
  }

  /// The length of a chunk: over 0, at most an hour.
  package static var chunkSeconds: Self {
    Self(.seconds, "a number of seconds over 0, at most 3600") { word, _ in
      decimal(word).flatMap { $0 > 0 && $0 <= 3600 ? $0 : nil }
    }
  }

  /// Sample frames per second, as ``AudioFormat/sampleRate`` allows them.
  package static var sampleRate: Self {
    Self(.number, "a number of sample frames per second, 1 to 4294967295") { word, _ in
      decimal(word).flatMap { $0 >= 1 && $0 <= Double(UInt32.max) ? $0 : nil }
    }
  }

  /// A finite decimal number; `Double.init` alone would also take "nan", "inf" and "0x1p3".
  private static func decimal(_ word: String) -> Double? {
    guard word.utf8.allSatisfy({ "0123456789.eE+-".utf8.contains($0) }),
      let number = Double(word), number.isFinite
    else { return nil }
    return number
  }
}

extension ValueReader where Value == UInt32 {
  /// A whole number in the range.
  package static func whole(_ range: ClosedRange<UInt32>) -> Self {
    let expectation =
      range.upperBound == .max
      ? "a whole number, \(range.lowerBound) or more"
      : "a whole number from \(range.lowerBound) to \(range.upperBound)"
    return Self(.number, expectation) { word, _ in
      UInt32(word).flatMap { range.contains($0) ? $0 : nil }
    }
  }
}

extension ValueReader where Value == Int64 {
  /// Milliseconds since 1970-01-01T00:00:00Z, from RFC 3339 or from a day of the local calendar,
  /// which means its first instant.
  package static var date: Self {
    Self(.date, "a time as 2026-11-30T09:15:00Z or a day as 2026-11-30") { word, zone in
      RFC3339.milliseconds(word) ?? CalendarDay(word)?.start(in: zone)
    }
  }
}
