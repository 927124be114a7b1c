/// The completion script for zsh (5 and newer), to be put into a directory of `fpath` or sourced.
package enum ZshCompletion {
  /// The script.
  package static func script(_ commands: [CommandSpec]) -> String {
    """
    #compdef holdfast
    # zsh completion for holdfast. Made by: holdfast completions zsh

    _holdfast_commands() {
      local -a commands=(
    \(commands.map { "    \(quoted("\($0.name):\($0.summary)"))" }.joined(separator: "\n"))
      )
      _describe -t commands command commands
    }

    _holdfast_recordings() {
      local -a recordings=(${(f)"$(holdfast list --ids \
    ${opt_args[--store]:+--store "${(Q)opt_args[--store]}"} 2>/dev/null)"})
      recordings=(${recordings//$'\\t'/:})
      _describe -t recordings recording recordings
    }

    _holdfast() {
      local curcontext=$curcontext state line
      typeset -A opt_args
      local -a common=(
    \(options(Options.common.map(\.spec), commands))
      )
      _arguments -C -S -s $common '1: :_holdfast_commands' '*:: :->command' && return
      [[ $state == command ]] || return
      case $words[1] in
    \(commands.map { commandCase($0, commands) }.joined(separator: "\n"))
      esac
    }

    if [[ $funcstack[1] == _holdfast ]]; then
      _holdfast "$@"
    else
      compdef _holdfast holdfast
    fi

    """
  }

  private static func commandCase(_ command: CommandSpec, _ all: [CommandSpec]) -> String {
    let names = ([command.name] + command.aliases).joined(separator: "|")
    var specs: [String] = []
    let options = options(command.shownOptions, all)
    if !options.isEmpty { specs.append(options) }
    specs += command.arguments.map { argument in
      let place = argument.isRepeated ? "*" : argument.isOptional ? "1:" : "1"
      return "    "
        + quoted("\(place):\(escaped(argument.name)):\(action(argument.kind, all))")
    }
    let lines = specs.joined(separator: " \\\n").replacing("\n", with: "\n      ")
    let rest = lines.isEmpty ? "" : " \\\n      \(lines)"
    return "    \(names))\n      _arguments -S -s $common\(rest) ;;"
  }

  /// The options as specifications of `_arguments`, a line each.
  private static func options(_ options: [OptionSpec], _ commands: [CommandSpec]) -> String {
    options.map { option in
      var tail = "[\(escaped(option.summary))]"
      if let name = option.valueName {
        tail += ":\(escaped(name)):\(action(option.kind, commands))"
      }
      let repeatable = option.isRepeatable ? "*" : ""
      let long = option.takesValue ? option.typed + "=" : option.typed
      guard let short = option.short else { return "    " + quoted(repeatable + long + tail) }
      let exclusion = option.isRepeatable ? "*" : "(-\(short) \(option.typed))"
      let letter = option.takesValue ? "-\(short)+" : "-\(short)"
      return "    \(quoted(exclusion)){\(letter),\(long)}\(quoted(tail))"
    }.joined(separator: " \\\n")
  }

  private static func action(_ kind: ValueKind?, _ commands: [CommandSpec]) -> String {
    switch kind {
    case .file: "_files"
    case .directory: "_files -/"
    case .recording: "_holdfast_recordings"
    case .choice(let words): "(\(words.joined(separator: " ")))"
    case .command: "_holdfast_commands"
    case .text, .seconds, .number, .date, nil: " "
    }
  }

  /// Brackets and colons separate the parts of a specification.
  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("[", with: "\\[").replacing("]", with: "\\]")
      .replacing(":", with: "\\:")
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.replacing("'", with: "'\\''") + "'"
  }
}
