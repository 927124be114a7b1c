package import Foundation
import Holdfast

/// The whole command with its world handed in: from the words to the exit code.
package struct CommandLineTool: Sendable {
  /// How a run ended.
  package enum Ending: Hashable, Sendable {
    /// With an exit code.
    case exit(ExitCode)
    /// Because nobody reads standard output any more: to be ended as SIGPIPE would.
    case outputClosed
  }

  /// The bodies.
  package let registry: CommandRegistry
  /// The standard streams.
  package let device: any OutputDevice
  /// What they are.
  package let terminal: Terminal
  /// The environment variables.
  package let environment: [String: String]
  /// Where local times and days are.
  package let zone: TimeZone
  /// Nanoseconds of a clock that does not step.
  package let now: @Sendable () -> UInt64
  /// The next line of standard input.
  package let readLine: @Sendable () async -> String?

  /// The command in its world.
  package init(
    registry: CommandRegistry = .all, device: any OutputDevice, terminal: Terminal,
    environment: [String: String], zone: TimeZone, now: @escaping @Sendable () -> UInt64,
    readLine: @escaping @Sendable () async -> String?
  ) {
    self.registry = registry
    self.device = device
    self.terminal = terminal
    self.environment = environment
    self.zone = zone
    self.now = now
    self.readLine = readLine
  }

  /// Runs the words after the program's name. Never throws: what goes wrong was reported.
  package func run(_ words: [String]) async -> Ending {
    let invocation: Invocation
    do {
      invocation = try ArgumentParser(zone: zone).parse(words)
    } catch {
      // The words were not understood, so whether JSON is wanted is read off their surface.
      let wantsJSON = words.prefix { $0 != "--" }.contains(Options.json.spec.typed)
      return await end(output(json: wantsJSON, quiet: false), error)
    }
    switch invocation {
    case .help(let command):
      return await run(output(json: false, quiet: false)) { (output) throws(HoldfastError) in
        try await HelpCommand.print(command, on: output)
      }
    case .version:
      return await run(output(json: false, quiet: false)) { (output) throws(HoldfastError) in
        try await VersionCommand.print(on: output)
      }
    case .run(let command, let arguments):
      return await run(command, arguments)
    }
  }

  private func run(_ command: CommandSpec, _ arguments: ParsedArguments) async -> Ending {
    let output = output(
      json: arguments.ifListed(Options.json) ?? false,
      quiet: arguments.ifListed(Options.quiet) ?? false)
    let context = CommandContext(
      arguments: arguments, output: output, environment: environment, zone: zone,
      readLine: readLine)
    return await run(output) { (_) throws(HoldfastError) in
      try await registry.body(of: command).run(context)
    }
  }

  private func run(
    _ output: Output, _ body: @Sendable (Output) async throws(HoldfastError) -> ExitCode
  ) async -> Ending {
    do {
      let code = try await body(output)
      try await output.finish()
      return .exit(code)
    } catch {
      return await end(output, error)
    }
  }

  private func end(_ output: Output, _ error: HoldfastError) async -> Ending {
    if error.code == .outputClosed { return .outputClosed }
    await output.report(error)
    do {
      try await output.finish()
    } catch {
      // It was reported that it failed; that its output fails too adds nothing.
      await output.drain()
    }
    return .exit(ExitCode(error))
  }

  private func output(json: Bool, quiet: Bool) -> Output {
    Output(device: device, terminal: terminal, json: json, quiet: quiet, now: now)
  }
}
