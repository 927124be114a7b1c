import Holdfast

/// The first half of parsing: which words are the command, options with their values, arguments.
/// Values are not looked at.
struct ArgumentScan {
  private let commands: [CommandSpec]
  /// The command, once its name was met.
  private(set) var command: CommandSpec?
  /// The word that should have been a command and is none.
  private(set) var unknownCommand: String?
  /// The occurrences of each option by its long name; a flag's is an empty text.
  private(set) var options: [String: [String]] = [:]
  /// The words that are no options.
  private(set) var arguments: [String] = []

  /// Nothing read yet.
  init(commands: [CommandSpec]) {
    self.commands = commands
  }

  private var known: [OptionSpec] { command?.allOptions ?? Options.common.map(\.spec) }

  /// Reads all words; throws `invalidArgument` at the first that makes no sense.
  mutating func take(_ words: [String]) throws(HoldfastError) {
    var rest = words[...]
    var optionsEnded = false
    while let word = rest.popFirst() {
      if optionsEnded || !Self.looksLikeOption(word) {
        try takePlain(word)
      } else if word == "--" {
        optionsEnded = true
      } else if word.hasPrefix("--") {
        try takeLong(word, &rest)
      } else {
        try takeShort(word, &rest)
      }
    }
  }

  private mutating func takePlain(_ word: String) throws(HoldfastError) {
    guard command != nil else {
      unknownCommand = word
      command = try ArgumentParser.command(named: word, among: commands)
      unknownCommand = nil
      return try checkEarlyOptions()
    }
    arguments.append(word)
  }

  /// Options before the name were taken on trust that the command shares them.
  private func checkEarlyOptions() throws(HoldfastError) {
    for name in options.keys.sorted() where !known.contains(where: { $0.name == name }) {
      throw unknown("--\(name)")
    }
  }

  private mutating func takeLong(_ word: String, _ rest: inout ArraySlice<String>)
    throws(HoldfastError)
  {
    let parts = word.dropFirst(2).split(
      separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    guard let option = known.first(where: { $0.name == name }) else { throw unknown("--\(name)") }
    try note(option, attached: parts.count > 1 ? String(parts[1]) : nil, &rest)
  }

  private mutating func takeShort(_ word: String, _ rest: inout ArraySlice<String>)
    throws(HoldfastError)
  {
    var letters = word.dropFirst()
    while let letter = letters.popFirst() {
      guard let option = known.first(where: { $0.short == letter }) else {
        throw unknown("-\(letter)")
      }
      guard option.takesValue else {
        try note(option, attached: nil, &rest)
        continue
      }
      if letters.first == "=" {
        letters.removeFirst()
      } else if letters.isEmpty {
        return try note(option, attached: nil, &rest)
      }
      return try note(option, attached: String(letters), &rest)
    }
  }

  /// Records an occurrence, with the value attached to it or the next word.
  private mutating func note(
    _ option: OptionSpec, attached: String?, _ rest: inout ArraySlice<String>
  ) throws(HoldfastError) {
    guard let valueName = option.valueName else {
      guard attached == nil else {
        throw HoldfastError(.invalidArgument, "\(option.typed) takes no value")
      }
      options[option.name, default: []].append("")
      return
    }
    if let attached {
      options[option.name, default: []].append(attached)
    } else if let next = rest.first, !Self.looksLikeOption(next) {
      options[option.name, default: []].append(rest.removeFirst())
    } else {
      let remedy = rest.first.map { "; to give '\($0)' itself, write \(option.typed)=\($0)" } ?? ""
      throw HoldfastError(
        .invalidArgument, "\(option.typed) needs a value, \(valueName)\(remedy)")
    }
  }

  /// Whether a word has to be an option: a dash and more, but no negative number.
  private static func looksLikeOption(_ word: String) -> Bool {
    guard word.hasPrefix("-"), word != "-" else { return false }
    return !(word.dropFirst().first?.isNumber ?? false || word.hasPrefix("-."))
  }

  private func unknown(_ typed: String) -> HoldfastError {
    let name = String(typed.drop { $0 == "-" })
    let shown = known.filter { !$0.isHidden }.map(\.name)
    let question =
      typed.hasPrefix("--") ? Suggestion.question(for: name, among: shown, prefix: "--") : ""
    let owner = command.map { "\($0.name) has no option" } ?? "there is no common option"
    return HoldfastError(.invalidArgument, "\(owner) \(typed)\(question)")
  }
}
