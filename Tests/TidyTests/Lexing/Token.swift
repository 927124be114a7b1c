/// A piece of source code, as far as the rules need to tell pieces apart.
struct Token: Equatable {
  enum Kind {
    /// An identifier or keyword; of one in backticks, what stands between them.
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
}

extension Sequence<Token> {
  /// Without comments.
  var code: [Token] { filter { $0.kind != .comment } }
}

extension RandomAccessCollection<Token> {
  /// Whether the pattern stands at `index`: words and symbols, as in `Task`, `.`, `sleep`. No
  /// literal matches.
  func matches(_ pattern: [Substring], at index: Index) -> Bool {
    var place = index
    for part in pattern {
      guard place < endIndex, self[place].kind != .string, self[place].text == part else {
        return false
      }
      formIndex(after: &place)
    }
    return true
  }
}
