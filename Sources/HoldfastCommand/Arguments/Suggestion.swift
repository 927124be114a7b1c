/// Which known words an unknown word may have meant.
package enum Suggestion {
  /// The nearest known words, at most three, best first: those that begin with the word, else those
  /// at the smallest edit distance, if that is at most a third of the word's length (1 at least).
  package static func nearest(to word: String, among known: [String]) -> [String] {
    let longer = known.filter { word.count >= 2 && $0.hasPrefix(word) }
    if !longer.isEmpty { return Array(longer.prefix(3)) }
    let measured = known.map { (word: $0, distance: distance(word, $0)) }
    guard let least = measured.map(\.distance).min(), least <= max(1, word.count / 3) else {
      return []
    }
    return Array(measured.filter { $0.distance == least }.map(\.word).prefix(3))
  }

  /// "; did you mean A or B?", or nothing. `prefix` stands before each word.
  package static func question(
    for word: String, among known: [String], prefix: String = ""
  ) -> String {
    let words = nearest(to: word, among: known).map { prefix + $0 }
    return words.isEmpty ? "" : "; did you mean \(words.joined(separator: " or "))?"
  }

  /// Insertions, deletions, replacements and swaps of neighbours that lead from one word to the
  /// other (the restricted Damerau–Levenshtein distance).
  package static func distance(_ left: String, _ right: String) -> Int {
    let (left, right) = (Array(left), Array(right))
    var older: [Int] = []
    var previous = Array(0...right.count)
    for (row, character) in left.enumerated() {
      var current = [row + 1]
      for (column, other) in right.enumerated() {
        var least = previous[column] + (character == other ? 0 : 1)
        least = min(least, previous[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, character == right[column - 1], left[row - 1] == other {
          least = min(least, older[column - 1] + 1)
        }
        current.append(least)
      }
      (older, previous) = (previous, current)
    }
    return previous[right.count]
  }
}
