package import Holdfast

/// A rule between the options of a command, checked by the parser. Names are long names.
package enum OptionConstraint: Sendable {
  /// All of them or none.
  case together([String])
  /// At most one of them.
  case apart([String])
  /// The option makes sense for a single word of the argument only.
  case single(option: String, argument: String)

  /// Throws `invalidArgument` when the words found break the rule.
  ///
  /// - Parameters:
  ///   - options: the occurrences by long name.
  ///   - arguments: the words by the name of the argument that they fell to.
  package func check(options: [String: [String]], arguments: [String: [String]])
    throws(HoldfastError)
  {
    switch self {
    case .together(let names):
      let given = names.filter { options[$0] != nil }
      guard !given.isEmpty, given.count < names.count else { return }
      let missing = names.filter { options[$0] == nil }
      throw HoldfastError(
        .invalidArgument, "--\(given[0]) needs \(Self.list(missing, "and")) beside it")
    case .apart(let names):
      let given = names.filter { options[$0] != nil }
      guard given.count > 1 else { return }
      throw HoldfastError(
        .invalidArgument, "\(Self.list(given, "and")) cannot be given together")
    case .single(let option, let argument):
      guard options[option] != nil, let words = arguments[argument], words.count > 1 else { return }
      throw HoldfastError(
        .invalidArgument, "--\(option) is for a single \(argument), and \(words.count) are given")
    }
  }

  private static func list(_ names: [String], _ conjunction: String) -> String {
    let typed = names.map { "--\($0)" }
    guard typed.count > 1, let last = typed.last else { return typed.first ?? "" }
    return typed.dropLast().joined(separator: ", ") + " \(conjunction) \(last)"
  }
}
