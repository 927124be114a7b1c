import Foundation
import Holdfast

/// A positional argument without the type of its value.
package struct ArgumentSpec: Sendable {
  /// Its name in help and messages, also the key of the parsed value: "FILE".
  package let name: String
  /// What the value is.
  package let kind: ValueKind
  /// One sentence without a full stop at its end.
  package let summary: String
  /// Whether it may be left out.
  package let isOptional: Bool
  /// Whether any number of words may follow (one at least, unless it is optional). Only the last
  /// argument of a command may.
  package let isRepeated: Bool
  /// The value of the words that fell to it.
  let read: @Sendable ([String], TimeZone) throws(HoldfastError) -> any Sendable
}

/// A positional argument as a typed key; see ``CommandOption``.
package struct CommandArgument<Value: Sendable>: DeclaredArgument {
  /// The same without the type.
  package let spec: ArgumentSpec
}

/// Any ``CommandArgument``, for lists of them.
package protocol DeclaredArgument: Sendable {
  /// The argument without the type of its value.
  var spec: ArgumentSpec { get }
}

extension CommandArgument {
  /// An argument that must be there.
  package init(_ name: String, _ reader: ValueReader<Value>, _ summary: String) {
    spec = ArgumentSpec(
      name: name, kind: reader.kind, summary: summary, isOptional: false, isRepeated: false
    ) { (words, zone) throws(HoldfastError) in
      guard let word = words.first else {
        throw HoldfastError(.invalidArgument, "the argument \(name) is missing")
      }
      return try reader.value(of: word, owner: name, in: zone)
    }
  }

  /// An argument that may be left out.
  package init<Word: Sendable>(
    optional name: String, _ reader: ValueReader<Word>, _ summary: String
  ) where Value == Word? {
    spec = ArgumentSpec(
      name: name, kind: reader.kind, summary: summary, isOptional: true, isRepeated: false
    ) { (words, zone) throws(HoldfastError) in
      guard let word = words.first else { return Word?.none }
      return Word?.some(try reader.value(of: word, owner: name, in: zone))
    }
  }

  /// Any number of arguments, none too.
  package init<Word: Sendable>(
    anyNumber name: String, _ reader: ValueReader<Word>, _ summary: String
  ) where Value == [Word] {
    spec = ArgumentSpec(
      name: name, kind: reader.kind, summary: summary, isOptional: true, isRepeated: true
    ) { (words, zone) throws(HoldfastError) in
      var values: [Word] = []
      for word in words { values.append(try reader.value(of: word, owner: name, in: zone)) }
      return values
    }
  }

  /// One or more arguments.
  package init<Word: Sendable>(
    repeated name: String, _ reader: ValueReader<Word>, _ summary: String
  ) where Value == [Word] {
    spec = ArgumentSpec(
      name: name, kind: reader.kind, summary: summary, isOptional: false, isRepeated: true
    ) { (words, zone) throws(HoldfastError) in
      guard !words.isEmpty else {
        throw HoldfastError(.invalidArgument, "the argument \(name) is missing")
      }
      var values: [Word] = []
      for word in words { values.append(try reader.value(of: word, owner: name, in: zone)) }
      return values
    }
  }
}
