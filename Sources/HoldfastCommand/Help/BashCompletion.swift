/// The completion script for bash, 3.2 and newer, with or without the package bash-completion.
///
/// File names are left to readline's own completion (`-o default`), which knows quoting and tildes;
/// wherever something else is meant, that is switched off.
package enum BashCompletion {
  /// The script.
  package static func script(_ commands: [CommandSpec]) -> String {
    """
    # bash completion for holdfast. Made by: holdfast completions bash

    # Sets COMPREPLY to those of the words $1 that begin with what is typed.
    _holdfast_words() {
      compopt +o default 2>/dev/null
      # shellcheck disable=SC2207 # The words are ours: no blanks, no patterns.
      COMPREPLY=($(compgen -W "$1" -- "$cur"))
    }

    _holdfast_directories() {
      compopt +o default -o dirnames 2>/dev/null
    }

    # Ids of recordings, from the store that the line names.
    _holdfast_recordings() {
      _holdfast_words "$("${COMP_WORDS[0]}" list --ids ${store:+--store "$store"} 2>/dev/null |
        cut -f1)"
    }

    # Options of the command $1.
    _holdfast_options() {
      case $1 in
    \(optionCases(commands))
      esac
    }

    # Whether the option $2 of the command $1 is followed by a value.
    _holdfast_takes_value() {
      case $1:$2 in
        \(valuePatterns(commands).joined(separator: " | "))) return 0 ;;
      esac
      return 1
    }

    # Completes the value of the option $2 of the command $1; ":" leaves file names to readline.
    _holdfast_value() {
      case $1:$2 in
    \(valueCases(commands))
        *) compopt +o default 2>/dev/null ;;
      esac
    }

    # Completes the arguments of the command $1; ":" as above.
    _holdfast_argument() {
      case $1 in
    \(argumentCases(commands))
        *) compopt +o default 2>/dev/null ;;
      esac
    }

    \(main(commands))
    complete -o default -F _holdfast holdfast

    """
  }

  /// Walks the words before the cursor: finds command and store, and whether a value is due. Bash
  /// makes three words of `--name=value`.
  private static func main(_ commands: [CommandSpec]) -> String {
    """
    _holdfast() {
      local cur=${COMP_WORDS[COMP_CWORD]} command='' store='' option='' ended='' word index
      COMPREPLY=()
      for ((index = 1; index < COMP_CWORD; index++)); do
        word=${COMP_WORDS[index]}
        if [[ -n $option ]]; then
          [[ $word == = ]] && continue
          [[ $option == --store ]] && store=${word/#\\~\\//$HOME/}
          option=
        elif [[ -n $ended || $word != -?* ]]; then
          [[ -n $command || $word == = ]] || command=$word
        elif [[ $word == -- ]]; then
          ended=1
        elif _holdfast_takes_value "$command" "$word"; then
          option=$word
        fi
      done
      if [[ -n $option ]]; then
        [[ $cur == = ]] && cur=
        _holdfast_value "$command" "$option"
      elif [[ -z $ended && $cur == -* ]]; then
        _holdfast_words "$(_holdfast_options "$command")"
      elif [[ -z $command ]]; then
        _holdfast_words "\(commandNames(commands))"
      else
        _holdfast_argument "$command"
      fi
    }
    """
  }

  private static func commandNames(_ commands: [CommandSpec]) -> String {
    commands.map(\.name).joined(separator: " ")
  }

  private static func pattern(_ command: CommandSpec) -> String {
    ([command.name] + command.aliases).joined(separator: "|")
  }

  private static func optionCases(_ commands: [CommandSpec]) -> String {
    let common = Options.common.map(\.spec.typed).joined(separator: " ")
    let cases = commands.map { command in
      let names = (command.shownOptions + command.common).map(\.typed)
      return "    \(pattern(command))) echo \"\(names.joined(separator: " "))\" ;;"
    }
    return (cases + ["    *) echo \"\(common)\" ;;"]).joined(separator: "\n")
  }

  /// Each option with a value and the patterns of "command:option" that mean it; those of every
  /// command once, with any command.
  private static func valued(_ commands: [CommandSpec]) -> [(patterns: [String], OptionSpec)] {
    func patterns(_ names: [String], _ option: OptionSpec) -> [String] {
      names.flatMap { name in
        (["\(option.typed)"] + (option.short.map { ["-\($0)"] } ?? [])).map { "\(name):\($0)" }
      }
    }
    let own = commands.flatMap { command in
      command.shownOptions.filter(\.takesValue).map {
        (patterns([command.name] + command.aliases, $0), $0)
      }
    }
    return own + Options.common.map(\.spec).filter(\.takesValue).map { (patterns(["*"], $0), $0) }
  }

  private static func valuePatterns(_ commands: [CommandSpec]) -> [String] {
    valued(commands).flatMap(\.patterns)
  }

  private static func valueCases(_ commands: [CommandSpec]) -> String {
    valued(commands).compactMap { patterns, option in
      action(option.kind, commands).map {
        "    \(patterns.joined(separator: " | "))) \($0) ;;"
      }
    }.joined(separator: "\n")
  }

  private static func argumentCases(_ commands: [CommandSpec]) -> String {
    commands.compactMap { command in
      command.arguments.first.flatMap { action($0.kind, commands) }.map {
        "    \(pattern(command))) \($0) ;;"
      }
    }.joined(separator: "\n")
  }

  /// What completes a kind of value; nil where nothing can be proposed.
  private static func action(_ kind: ValueKind?, _ commands: [CommandSpec]) -> String? {
    switch kind {
    case .file: ":"
    case .directory: "_holdfast_directories"
    case .recording: "_holdfast_recordings"
    case .choice(let words): "_holdfast_words \"\(words.joined(separator: " "))\""
    case .command: "_holdfast_words \"\(commandNames(commands))\""
    case .text, .seconds, .number, .date, nil: nil
    }
  }
}
