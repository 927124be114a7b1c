/// A piece of source code, as far as the rules need to tell pieces apart.
struct Token: Equatable {
  enum Kind {
    /// An identifier or keyword; one in backticks keeps them, since it is no keyword.
    case word
    /// A number.
    case number
    /// One character of punctuation.
    case symbol
    /// The text of a string or character literal between its quotes and interpolations.
    case string
    /// A comment with its slashes.
    case comment
  }

  var kind: Kind
  var text: String
  /// The line on which it begins, from 1.
  var line: Int
  /// Whether nothing stands between it and the token before, as in `try!` but not in `try !a`.
  var isGlued = false
}

extension RandomAccessCollection<Token> {
  /// Whether the pattern stands at `index`: words and symbols, as in `Task`, `.`, `sleep`. No
  /// literal matches, and `!` only right after a word.
  func matches(_ pattern: [Substring], at index: Index) -> Bool {
    var place = index
    for part in pattern {
      guard place < endIndex, self[place].kind != .string, self[place].text == part,
        part != "!" || self[place].isGlued
      else { return false }
      formIndex(after: &place)
    }
    return true
  }
}
