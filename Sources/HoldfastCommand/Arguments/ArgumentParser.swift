package import Foundation
package import Holdfast

/// Words to a checked command line. Shaped like swift-argument-parser, which cannot be had here,
/// and no larger than we need: the table's rows would become its `ParsableCommand`s.
///
/// - Options may stand anywhere, those of every command before the command's name too.
/// - `--name value`, `--name=value`, `-o value`, `-ovalue`, `-o=value`, `-qf` for two flags.
/// - `--` ends the options; `-` alone is an argument; a negative number is an argument or a value.
/// - A value that begins with a dash is written `--name=-value`, so that a forgotten value is
///   found instead of swallowing the next option.
package struct ArgumentParser: Sendable {
  /// All commands.
  package let commands: [CommandSpec]
  /// Where days begin, for dates without a time.
  package let zone: TimeZone

  /// A parser for all commands, or for some.
  package init(commands: [CommandSpec] = CommandTable.all, zone: TimeZone = .current) {
    self.commands = commands
    self.zone = zone
  }

  /// Understands the words after the program's name.
  ///
  /// - Throws: `invalidArgument` with a hint that names the help to read.
  package func parse(_ words: [String]) throws(HoldfastError) -> Invocation {
    var scan = ArgumentScan(commands: commands)
    let asked = words.prefix { $0 != "--" }
    do {
      try scan.take(words)
    } catch  where asked.contains(where: { $0 == "--help" || $0 == "-h" }) {
      // Who asks for help beside a mistake gets help; but a command must exist to be explained.
      guard scan.unknownCommand == nil else { throw hinting(error, scan.command) }
      return .help(scan.command)
    } catch {
      throw hinting(error, scan.command)
    }
    if scan.options[Options.help.spec.name] != nil { return .help(scan.command) }
    if scan.options[Options.version.spec.name] != nil { return .version }
    guard let command = scan.command else {
      guard scan.options.isEmpty else {
        throw hinting(HoldfastError(.invalidArgument, "no command is given"), nil)
      }
      return .help(nil)
    }
    do {
      return .run(command, try values(command, scan))
    } catch {
      throw hinting(error, command)
    }
  }

  /// The command of a name or an alias; `invalidArgument` with the nearest names when none has it.
  package static func command(named name: String, among commands: [CommandSpec])
    throws(HoldfastError) -> CommandSpec
  {
    if let command = commands.first(where: { $0.name == name || $0.aliases.contains(name) }) {
      return command
    }
    let question = Suggestion.question(for: name, among: commands.map(\.name))
    throw HoldfastError(
      .invalidArgument, "there is no command '\(name)'\(question)", hint: "see 'holdfast help'")
  }

  private func values(_ command: CommandSpec, _ scan: ArgumentScan) throws(HoldfastError)
    -> ParsedArguments
  {
    let arguments = try assign(scan.arguments, to: command.arguments)
    var values: [String: any Sendable] = [:]
    for argument in command.arguments {
      values[argument.name] = try argument.read(arguments[argument.name] ?? [], zone)
    }
    for option in command.allOptions {
      values[option.name] = try option.read(scan.options[option.name] ?? [], zone)
    }
    for constraint in command.constraints {
      try constraint.check(options: scan.options, arguments: arguments)
    }
    return ParsedArguments(values)
  }

  private func assign(_ words: [String], to arguments: [ArgumentSpec]) throws(HoldfastError)
    -> [String: [String]]
  {
    var rest = words[...]
    var assigned: [String: [String]] = [:]
    for argument in arguments {
      let taken = argument.isRepeated ? rest : rest.prefix(1)
      assigned[argument.name] = Array(taken)
      rest = rest.dropFirst(taken.count)
    }
    guard let extra = rest.first else { return assigned }
    throw HoldfastError(.invalidArgument, "the argument '\(extra)' is one too many")
  }

  private func hinting(_ error: HoldfastError, _ command: CommandSpec?) -> HoldfastError {
    guard error.hint.isEmpty else { return error }
    let page = command.map { " \($0.name)" } ?? ""
    return HoldfastError(error.code, error.message, hint: "see 'holdfast help\(page)'")
  }
}
