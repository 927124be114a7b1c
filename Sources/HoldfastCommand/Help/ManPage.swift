/// The manual page holdfast(1), in the man macros of roff (man(7)).
package enum ManPage {
  /// The page with all commands.
  package static func text(_ commands: [CommandSpec], version: String) -> String {
    var page = Roff(title: "HOLDFAST", section: "1", program: "holdfast \(version)")
    page.heading("NAME")
    page.text("holdfast - keep recordings of conversations, whatever ends the process")
    page.heading("SYNOPSIS")
    page.synopsis("holdfast COMMAND [OPTION…] [ARGUMENT…]")
    page.heading("DESCRIPTION")
    for paragraph in description + [HelpWords.firstAid] { page.paragraph(paragraph) }
    for group in CommandTable.groups {
      page.heading(group.title.uppercased())
      for command in commands where command.group == group { page.add(command) }
    }
    page.heading("OPTIONS OF EVERY COMMAND")
    for option in Options.common.map(\.spec) { page.item(option) }
    page.heading("EXIT STATUS")
    for (code, meaning) in ExitCode.meanings {
      page.item(String(code.rawValue), meaning + ".")
    }
    page.paragraph("Where several files are handled, the highest of their codes.")
    page.heading("ENVIRONMENT")
    for (name, meaning) in environment { page.item(name, meaning) }
    page.heading("SIGNALS")
    for paragraph in signals { page.paragraph(paragraph) }
    return page.source
  }

  private static let description = [
    "holdfast journals audio into a store, one directory on this device, so that every "
      + "acknowledged chunk is there whatever ends the process, and the next command says what "
      + "happened. Commands that only read never write to the store, and work beside one that "
      + "records.",
    "Options may stand anywhere after the command; -- ends them. A value may follow in the next "
      + "word or after an equals sign. An id may be shortened to any unique prefix of four or more "
      + "digits. Results go to standard output; errors, remarks and progress bars to standard "
      + "error, bars only if it is a terminal.",
  ]

  private static let environment = [
    ("HOLDFAST_STORE", "The directory of the store, where --store is not given."),
    (
      "XDG_DATA_HOME",
      "Where the store is by default: in holdfast/store under it. Without it, in "
        + "~/.local/share/holdfast/store."
    ),
    (
      "TMPDIR",
      "Where commands that only read copy the database to when they need a copy of their own: "
        + "after a process died, and on read-only media. Nothing is left there."
    ),
    ("NO_COLOR", "If it is set and not empty, nothing is printed in colour or bold."),
    ("COLUMNS", "The width to write for, instead of the terminal's own."),
  ]

  private static let signals = [
    "SIGINT, SIGTERM and SIGHUP end a command that only reads at once. record and import they end "
      + "cleanly, SIGHUP not under nohup; SIGUSR1 begins an interruption in a recording and "
      + "SIGUSR2 ends that. SIGQUIT ends every command at once; the next one recovers what it "
      + "leaves.",
    "A command whose standard output is closed by its reader ends as by SIGPIPE, except for a "
      + "recording, which goes on.",
  ]
}

extension Roff {
  /// A command with all that the table says of it.
  fileprivate mutating func add(_ command: CommandSpec) {
    subheading(([command.name] + command.aliases).joined(separator: ", "))
    synopsis(HelpWords.usage(command))
    paragraph(command.summary + ".")
    for text in command.discussion { paragraph(text) }
    for argument in command.arguments { item(HelpWords.term(argument), argument.summary + ".") }
    for option in command.shownOptions { item(option) }
    if !command.json.isEmpty { paragraph("With --json:") }
    for text in command.json { paragraph(text) }
    if !command.exits.isEmpty { paragraph("Exit codes of its own:") }
    for exit in command.exits { item(String(exit.code.rawValue), exit.meaning + ".") }
    if !command.examples.isEmpty { paragraph("Examples:") }
    for example in command.examples { self.example(example.line, example.meaning + ":") }
  }

  /// An option with its meaning.
  fileprivate mutating func item(_ option: OptionSpec) {
    item(HelpWords.term(option), HelpWords.summary(option) + ".")
  }
}
