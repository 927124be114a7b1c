/// The completion script for fish (3.0 and newer).
package enum FishCompletion {
  /// The script.
  package static func script(_ commands: [CommandSpec]) -> String {
    let head = [
      "# fish completion for holdfast. Made by: holdfast completions fish",
      "complete -c holdfast -f",
      recordings, needsCommand,
    ]
    let names = commands.map { command in
      "complete -c holdfast -n __holdfast_needs_command -a \(command.name) "
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

  /// Lists recordings of the store that the line names, as the shell would expand its path.
  private static let recordings = """
    function __holdfast_recordings
        set -l store
        set -l words (commandline -opc)
        for place in (seq (count $words))
            switch $words[$place]
                case '--store=*'
                    set store --store (string replace -- '--store=' '' $words[$place])
                case --store
                    set -l next (math $place + 1)
                    test $next -le (count $words); and set store --store $words[$next]
            end
        end
        holdfast list --ids (string replace -r '^~(?=/|$)' $HOME -- $store) 2>/dev/null
    end
    """

  /// True while the line has no command yet, whatever options and their values stand in it.
  private static var needsCommand: String {
    let valued = Options.common.map(\.spec).filter(\.takesValue).map { "--\($0.name)" }
    return """
      function __holdfast_needs_command
          set -l skips 1
          for word in (commandline -opc)
              if test $skips -gt 0
                  set skips 0
              else if contains -- $word \(valued.joined(separator: " "))
                  set skips 1
              else if not string match -q -- '-*' $word
                  return 1
              end
          end
      end
      """
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
    case .recording: " -f -a '(__holdfast_recordings)'"
    case .choice(let words): " -f -a \(quoted(words.joined(separator: " ")))"
    case .command: " -f -a \(quoted(commands.map(\.name).joined(separator: " ")))"
    case .text, .seconds, .number, .date, nil: nil
    }
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
  }
}
