/// One command of `holdfast` as data. Parser, help, manual page and completions read nothing else,
/// so that they cannot disagree.
package struct CommandSpec: Sendable {
  /// What it is called by.
  package let name: String
  /// Other names that do the same.
  package let aliases: [String]
  /// The heading that it stands under.
  package let group: CommandGroup
  /// What it does, as an order, without a full stop.
  package let summary: String
  /// More about it, a paragraph each.
  package let discussion: [String]
  /// The positional arguments in order.
  package let arguments: [ArgumentSpec]
  /// Its own options, in the order of the help.
  package let options: [OptionSpec]
  /// The options that it shares with other commands.
  package let common: [OptionSpec]
  /// What must, or must not, be given together.
  package let constraints: [OptionConstraint]
  /// The shape of what `--json` prints, a paragraph each; empty where it is not fixed.
  package let json: [String]
  /// Lines to try.
  package let examples: [CommandExample]
  /// What its exit codes mean, where that needs words beyond the common list.
  package let exits: [ExitNote]

  /// A row of the table; what is left out is empty, and the shared options are all of them.
  package init(
    _ name: String, aliases: [String] = [], in group: CommandGroup, _ summary: String,
    discussion: [String] = [], arguments: [any DeclaredArgument] = [],
    options: [any DeclaredOption] = [], common: [any DeclaredOption] = Options.common,
    constraints: [OptionConstraint] = [], json: [String] = [],
    examples: [CommandExample] = [], exits: [ExitNote] = []
  ) {
    self.name = name
    self.aliases = aliases
    self.group = group
    self.summary = summary
    self.discussion = discussion
    self.arguments = arguments.map(\.spec)
    self.options = options.map(\.spec)
    self.common = common.map(\.spec)
    self.constraints = constraints
    self.json = json
    self.examples = examples
    self.exits = exits
  }

  /// Everything that may follow the command with dashes.
  package var allOptions: [OptionSpec] { options + common }
  /// Its own options that help shows.
  package var shownOptions: [OptionSpec] { options.filter { !$0.isHidden } }
}

/// A heading of the list of commands.
package struct CommandGroup: Hashable, Sendable {
  /// The heading.
  package let title: String
  /// Recording, import, and every view of a store.
  package static let recordAndLook = CommandGroup(title: "Record and look")
  /// What was said, and the work that finds it out.
  package static let transcripts = CommandGroup(title: "Transcripts and work")
  /// The command about itself.
  package static let about = CommandGroup(title: "About this command")
}

/// A line to try, and what it does.
package struct CommandExample: Sendable {
  /// The line, as typed in a shell.
  package let line: String
  /// What it does, without a full stop.
  package let meaning: String

  /// A line and its meaning.
  package init(_ line: String, _ meaning: String) {
    self.line = line
    self.meaning = meaning
  }
}

/// What one exit code says when this command ends with it.
package struct ExitNote: Sendable {
  /// The code.
  package let code: ExitCode
  /// Without a full stop.
  package let meaning: String

  /// A code and its meaning.
  package init(_ code: ExitCode, _ meaning: String) {
    self.code = code
    self.meaning = meaning
  }
}
