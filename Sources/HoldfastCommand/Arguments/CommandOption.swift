import Foundation
import Holdfast

/// An option without the type of its value: what the parser, the help and the completions need.
package struct OptionSpec: Sendable {
  /// The long name without its dashes; also the key of the parsed value.
  package let name: String
  /// The one-letter name, or nil.
  package let short: Character?
  /// What stands for the value in help ("SECONDS"); nil for a flag.
  package let valueName: String?
  /// What the value is; nil for a flag.
  package let kind: ValueKind?
  /// One sentence without a full stop at its end.
  package let summary: String
  /// The default as help shows it, or nil.
  package let fallback: String?
  /// Whether the command cannot do without it.
  package let isRequired: Bool
  /// Whether every occurrence counts; else the last one does.
  package let isRepeatable: Bool
  /// Whether help, manual and completions leave it out.
  package let isHidden: Bool
  /// The value of all occurrences in order; none gives the default.
  let read: @Sendable ([String], TimeZone) throws(HoldfastError) -> any Sendable

  /// Whether a value follows.
  package var takesValue: Bool { valueName != nil }
  /// The long name as it is typed.
  package var typed: String { "--\(name)" }
}

/// An option as a typed key: declared once, listed in the table, and used to fetch the value, so
/// that neither its name nor its type can be mistaken.
package struct CommandOption<Value: Sendable>: DeclaredOption {
  /// The same without the type.
  package let spec: OptionSpec
}

/// Any ``CommandOption``, for lists of them.
package protocol DeclaredOption: Sendable {
  /// The option without the type of its value.
  var spec: OptionSpec { get }
}

extension CommandOption {
  /// A flag: true when it is given at least once.
  package init(
    flag name: String, short: Character? = nil, hidden: Bool = false, _ summary: String
  ) where Value == Bool {
    spec = OptionSpec(
      name: name, short: short, valueName: nil, kind: nil, summary: summary, fallback: nil,
      isRequired: false, isRepeatable: false, isHidden: hidden
    ) { words, _ in !words.isEmpty }
  }

  /// An option that may be absent; of several occurrences the last one counts.
  package init<Word: Sendable>(
    optional name: String, short: Character? = nil, _ valueName: String,
    _ reader: ValueReader<Word>, _ summary: String
  ) where Value == Word? {
    spec = OptionSpec(
      name: name, short: short, valueName: valueName, kind: reader.kind, summary: summary,
      fallback: nil, isRequired: false, isRepeatable: false, isHidden: false
    ) { (words, zone) throws(HoldfastError) in
      guard let word = words.last else { return Word?.none }
      return Word?.some(try reader.value(of: word, owner: "--\(name)", in: zone))
    }
  }

  /// An option with a default, given as the user would type it.
  package init(
    _ name: String, short: Character? = nil, _ valueName: String, _ reader: ValueReader<Value>,
    default fallback: String, _ summary: String
  ) {
    spec = OptionSpec(
      name: name, short: short, valueName: valueName, kind: reader.kind, summary: summary,
      fallback: fallback, isRequired: false, isRepeatable: false, isHidden: false
    ) { (words, zone) throws(HoldfastError) in
      try reader.value(of: words.last ?? fallback, owner: "--\(name)", in: zone)
    }
  }

  /// An option that the command cannot do without.
  package init(
    required name: String, short: Character? = nil, _ valueName: String,
    _ reader: ValueReader<Value>, _ summary: String
  ) {
    spec = OptionSpec(
      name: name, short: short, valueName: valueName, kind: reader.kind, summary: summary,
      fallback: nil, isRequired: true, isRepeatable: false, isHidden: false
    ) { (words, zone) throws(HoldfastError) in
      guard let word = words.last else {
        throw HoldfastError(.invalidArgument, "the option --\(name) \(valueName) is missing")
      }
      return try reader.value(of: word, owner: "--\(name)", in: zone)
    }
  }

  /// An option of which every occurrence counts.
  package init<Word: Sendable>(
    repeated name: String, short: Character? = nil, _ valueName: String,
    _ reader: ValueReader<Word>, _ summary: String
  ) where Value == [Word] {
    spec = OptionSpec(
      name: name, short: short, valueName: valueName, kind: reader.kind, summary: summary,
      fallback: nil, isRequired: false, isRepeatable: true, isHidden: false
    ) { (words, zone) throws(HoldfastError) in
      var values: [Word] = []
      for word in words {
        values.append(try reader.value(of: word, owner: "--\(name)", in: zone))
      }
      return values
    }
  }
}
