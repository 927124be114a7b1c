import Holdfast

/// The version of the program.
package enum HoldfastVersion {
  /// Semantic version (semver.org 2.0).
  package static let text = "0.1.0"
}

/// `holdfast help`.
struct HelpCommand: Command {
  func run(_ context: CommandContext) async throws(HoldfastError) -> ExitCode {
    var command: CommandSpec?
    if let name = context[Arguments.command] {
      command = try ArgumentParser.command(named: name, among: CommandTable.all)
    }
    return try await Self.print(command, on: context.output)
  }

  /// Prints the help of one command, or of all.
  static func print(_ command: CommandSpec?, on output: Output) async throws(HoldfastError)
    -> ExitCode
  {
    let page = HelpPage(columns: output.terminal.textColumns)
    return try await output.text(
      command.map(page.text(of:)) ?? page.overview(CommandTable.all))
  }
}

extension Output {
  /// What `--json` makes of a text.
  private struct Document: Encodable { let text: String }

  /// Prints a text that is no document by itself.
  fileprivate func text(_ text: String) async throws(HoldfastError) -> ExitCode {
    if isJSON { try await document(Document(text: text)) } else { try await page(text) }
    return .done
  }
}

/// `holdfast completions`.
struct CompletionsCommand: Command {
  func run(_ context: CommandContext) async throws(HoldfastError) -> ExitCode {
    let commands = CommandTable.all
    let script =
      switch context[Arguments.shell] {
      case "zsh": ZshCompletion.script(commands)
      case "fish": FishCompletion.script(commands)
      default: BashCompletion.script(commands)
      }
    return try await context.output.text(script)
  }
}

/// `holdfast man`.
struct ManCommand: Command {
  func run(_ context: CommandContext) async throws(HoldfastError) -> ExitCode {
    try await context.output.text(
      ManPage.text(CommandTable.all, version: HoldfastVersion.text))
  }
}

/// `holdfast version`.
struct VersionCommand: Command {
  private struct Document: Encodable { let version: String }

  func run(_ context: CommandContext) async throws(HoldfastError) -> ExitCode {
    guard context.output.isJSON else { return try await Self.print(on: context.output) }
    try await context.output.document(Document(version: HoldfastVersion.text))
    return .done
  }

  /// Prints the version for a person.
  static func print(on output: Output) async throws(HoldfastError) -> ExitCode {
    try await output.line("holdfast \(HoldfastVersion.text)")
    return .done
  }
}
