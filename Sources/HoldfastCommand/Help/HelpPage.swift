/// The help as text for a terminal.
package struct HelpPage: Sendable {
  /// The columns to fill.
  package let columns: Int
  /// Where the second column of a list begins at the latest; earlier where the page is narrow.
  private static let termColumns = 26

  /// Pages of so many columns.
  package init(columns: Int) {
    self.columns = columns
  }

  /// The page of all commands.
  package func overview(_ commands: [CommandSpec]) -> String {
    var lines = wrapped("holdfast keeps recordings of conversations, whatever ends the process.")
    lines += [""] + wrapped("Usage: holdfast COMMAND [OPTION…] [ARGUMENT…]", hanging: 7)
    lines += [""] + wrapped(HelpWords.firstAid)
    for group in CommandTable.groups {
      let rows = commands.filter { $0.group == group }.map { (names($0), $0.summary) }
      lines += section(group.title, list(rows))
    }
    lines += section("Options of every command", optionList(Options.common.map(\.spec)))
    lines += section("Exit codes", exitList(ExitCode.meanings.map(ExitNote.init)))
    lines += [""] + wrapped("To read more: holdfast help COMMAND, or holdfast man | man -l -")
    return lines.joined(separator: "\n") + "\n"
  }

  /// The page of one command.
  package func text(of command: CommandSpec) -> String {
    var lines = wrapped("holdfast \(command.name): \(command.summary)", hanging: 2)
    lines += [""] + wrapped("Usage: \(HelpWords.usage(command))", hanging: 7)
    if !command.aliases.isEmpty {
      lines += ["Also called: " + command.aliases.joined(separator: ", ")]
    }
    for paragraph in command.discussion { lines += [""] + wrapped(paragraph) }
    lines += section("Arguments", list(command.arguments.map { (HelpWords.term($0), $0.summary) }))
    lines += section("Options", optionList(command.shownOptions))
    lines += section("Options of every command", optionList(command.common))
    lines += section("Output with --json", command.json.flatMap { wrapped($0, indent: 2) })
    lines += section("Examples", command.examples.flatMap(example))
    lines += section("Exit codes", exitList(HelpWords.exits(command)))
    return lines.joined(separator: "\n") + "\n"
  }

  private func names(_ command: CommandSpec) -> String {
    ([command.name] + command.aliases).joined(separator: ", ")
  }

  private func section(_ title: String, _ lines: [String]) -> [String] {
    lines.isEmpty ? [] : ["", "\(title):"] + lines
  }

  private func optionList(_ options: [OptionSpec]) -> [String] {
    list(options.map { (HelpWords.term($0), HelpWords.summary($0)) })
  }

  private func exitList(_ notes: [ExitNote]) -> [String] {
    list(notes.map { (String($0.code.rawValue), $0.meaning) })
  }

  private func example(_ example: CommandExample) -> [String] {
    // Lines to copy are not wrapped.
    ["  " + example.line] + wrapped(example.meaning, indent: 6)
  }

  /// Terms and what they mean, in two columns; a long term has a line of its own.
  private func list(_ rows: [(term: String, meaning: String)]) -> [String] {
    let limit = min(Self.termColumns, max(8, columns - 40))
    let start = rows.map { DisplayWidth.of($0.term) + 4 }.filter { $0 <= limit }.max() ?? limit
    return rows.flatMap { row in
      let meaning = wrapped(row.meaning, indent: start)
      let term = "  " + row.term
      guard DisplayWidth.of(term) + 2 <= start, let first = meaning.first else {
        return [term] + meaning
      }
      return [DisplayWidth.pad(term, to: start) + first.dropFirst(start)] + meaning.dropFirst()
    }
  }

  private func wrapped(_ text: String, indent: Int = 0, hanging: Int = 0) -> [String] {
    let lines = DisplayWidth.wrap(text, to: max(20, columns - indent - hanging))
    return lines.enumerated().map { index, line in
      String(repeating: " ", count: indent + (index > 0 ? hanging : 0)) + line
    }
  }
}
