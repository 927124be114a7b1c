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
    try await output.page(command.map(page.text(of:)) ?? page.overview(CommandTable.all))
    return .done
  }
}

/// `holdfast completions`.
struct CompletionsCommand: Command {
  func run(_ context: CommandContext) async throws(HoldfastError) -> ExitCode {
    let commands = CommandTable.all
    switch context[Arguments.shell] {
    case "zsh": try await context.output.page(ZshCompletion.script(commands))
    case "fish": try await context.output.page(FishCompletion.script(commands))
    default: try await context.output.page(BashCompletion.script(commands))
    }
    return .done
  }
}

/// `holdfast man`.
struct ManCommand: Command {
  func run(_ context: CommandContext) async throws(HoldfastError) -> ExitCode {
    try await context.output.page(ManPage.text(CommandTable.all, version: HoldfastVersion.text))
    return .done
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
