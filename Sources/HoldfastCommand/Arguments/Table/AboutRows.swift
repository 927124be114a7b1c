/// Rows of the table: the command about itself. These need no store.
extension CommandTable {
  /// `holdfast help`.
  static let help = CommandSpec(
    "help", in: .about, "Explain a command, or list all of them",
    arguments: [Arguments.command], common: [Options.json, Options.help, Options.version],
    json: ["{\"text\"}"],
    examples: [CommandExample("holdfast help record", "All about record")])

  /// `holdfast completions`.
  static let completions = CommandSpec(
    "completions", in: .about, "Print the completion script for a shell",
    arguments: [Arguments.shell], common: [Options.json, Options.help, Options.version],
    json: ["{\"text\"}"],
    examples: [
      CommandExample(
        "holdfast completions bash > ~/.local/share/bash-completion/completions/holdfast",
        "For bash with the package bash-completion; else source the script in ~/.bashrc"),
      CommandExample(
        "holdfast completions zsh > \"${fpath[1]}/_holdfast\"", "For zsh, in a directory of fpath"),
      CommandExample(
        "holdfast completions fish > ~/.config/fish/completions/holdfast.fish", "For fish"),
    ])

  /// `holdfast man`.
  static let man = CommandSpec(
    "man", in: .about, "Print the manual page",
    common: [Options.json, Options.help, Options.version],
    json: ["{\"text\"}"],
    examples: [
      CommandExample("holdfast man | man -l -", "Read it"),
      CommandExample(
        "holdfast man > ~/.local/share/man/man1/holdfast.1", "Install it for one user"),
    ])

  /// `holdfast version`.
  static let version = CommandSpec(
    "version", in: .about, "Print the version",
    common: [Options.json, Options.help, Options.version],
    json: ["{\"version\"}"])
}
