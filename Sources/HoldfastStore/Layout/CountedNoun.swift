/// Numbers of things, in sentences.
package enum CountedNoun {
  /// "1 chunk", "2 chunks": for nouns with a plural in s.
  package static func text(_ count: some BinaryInteger, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }
}
