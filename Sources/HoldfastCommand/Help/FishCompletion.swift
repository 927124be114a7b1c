/// The completion script for fish (3.0 and newer).
package enum FishCompletion {
  /// The script.
  package static func script(_ commands: [CommandSpec]) -> String {
    let head = [
      "# fish completion for holdfast. Made by: holdfast completions fish",
      "complete -c holdfast -f",
    ]
    let names = commands.map { command in
      "complete -c holdfast -n __fish_use_subcommand -a \(command.name) "
        + "-d \(quoted(command.summary))"
    }
    let rows = commands.flatMap { command in
      let condition = ([command.name] + command.aliases).joined(separator: " ")
      let start = "complete -c holdfast -n '__fish_seen_subcommand_from \(condition)'"
      return command.shownOptions.map { start + line($0, commands) }
        + command.arguments.prefix(1).compactMap { argument in
          action(argument.kind, commands).map { start + $0 }
        }
    }
    let common = Options.common.map { "complete -c holdfast" + line($0.spec, commands) }
    return (head + names + common + rows).joined(separator: "\n") + "\n"
  }

  private static func line(_ option: OptionSpec, _ commands: [CommandSpec]) -> String {
    let short = option.short.map { " -s \($0)" } ?? ""
    let value =
      option.takesValue ? " -r" + (action(option.kind, commands) ?? " -f") : ""
    return "\(short) -l \(option.name) -d \(quoted(option.summary))\(value)"
  }

  /// What completes a kind of value; nil where nothing can be proposed.
  private static func action(_ kind: ValueKind?, _ commands: [CommandSpec]) -> String? {
    switch kind {
    case .file: " -F"
    case .directory: " -f -a '(__fish_complete_directories)'"
    case .recording: " -f -a '(holdfast list --ids 2>/dev/null)'"
    case .choice(let words): " -f -a \(quoted(words.joined(separator: " ")))"
    case .command: " -f -a \(quoted(commands.map(\.name).joined(separator: " ")))"
    case .text, .seconds, .number, .date, nil: nil
    }
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
  }
}
