/// How options and exit codes are put into words, the same in help and manual.
package enum HelpWords {
  /// What somebody needs first who has just lost a meeting.
  package static let firstAid =
    "Was a recording cut short? What was acknowledged is there. holdfast recover says what "
    + "happened and what is lost at most; holdfast list shows the recordings; holdfast export ID "
    + "-o FILE writes one as a WAV file."

  /// `-o, --output FILE`, `--format wav|raw`, `--json`.
  package static func term(_ option: OptionSpec) -> String {
    let names = (option.short.map { ["-\($0)"] } ?? []) + [option.typed]
    return names.joined(separator: ", ") + (value(option).map { " \($0)" } ?? "")
  }

  /// What stands for the value of an option: its name, or what may be chosen; nil for a flag.
  package static func value(_ option: OptionSpec) -> String? {
    option.valueName.map { choice(option.kind) ?? $0 }
  }

  /// An argument in a list: its name, or what may be chosen.
  package static func term(_ argument: ArgumentSpec) -> String {
    choice(argument.kind) ?? argument.name
  }

  private static func choice(_ kind: ValueKind?) -> String? {
    guard case .choice(let words) = kind else { return nil }
    return words.joined(separator: "|")
  }

  /// The line that shows how a command is used: `holdfast export [OPTION…] -o FILE ID`.
  package static func usage(_ command: CommandSpec) -> String {
    var words = ["holdfast", command.name, "[OPTION…]"]
    for option in command.shownOptions where option.isRequired {
      let name = option.short.map { "-\($0)" } ?? option.typed
      words += [name, value(option) ?? ""]
    }
    for argument in command.arguments {
      let word = term(argument) + (argument.isRepeated ? "…" : "")
      words.append(argument.isOptional ? "[\(word)]" : word)
    }
    return words.joined(separator: " ")
  }

  /// The summary, and the default.
  package static func summary(_ option: OptionSpec) -> String {
    var notes: [String] = []
    if let fallback = option.fallback { notes.append("default: \(fallback)") }
    if option.isRequired { notes.append("required") }
    return notes.isEmpty ? option.summary : "\(option.summary) (\(notes.joined(separator: "; ")))"
  }

  /// The exit codes of a command: those that all share, and those that it has words of its own for.
  package static func exits(_ command: CommandSpec) -> [ExitNote] {
    let takesStore = command.common.contains { $0.name == Options.store.spec.name }
    let shared: [ExitCode] = [.done, .failed, .usage] + (takesStore ? [.blocked] : [])
    return ExitCode.meanings.compactMap { code, meaning in
      command.exits.first { $0.code == code }
        ?? (shared.contains(code) ? ExitNote(code, meaning) : nil)
    }
  }
}
