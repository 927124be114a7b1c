package import Foundation
package import Holdfast

/// The body of a command. Its words, options and help are its row of ``CommandTable``; this is what
/// it does once they were understood. A new command is a row, a body, and an entry in
/// ``CommandRegistry/all``:
///
///     struct ShowCommand: Command {
///       func run(_ context: CommandContext) async throws(HoldfastError) -> ExitCode {
///         let recording = try find(context[Arguments.recording], in: context.storeDirectory())
///         if context.output.isJSON {
///           try await context.output.document(recording)
///         } else {
///           try await context.output.line(recording.title, .bold)
///         }
///         return recording.isDamaged ? .damage : .done
///       }
///     }
package protocol Command: Sendable {
  /// Does it. Results go to `context.output`; what is thrown is reported there and becomes the exit
  /// code (``ExitCode/init(_:)``). A body that handles several files goes on after an error,
  /// reports it itself, and returns the highest code.
  func run(_ context: CommandContext) async throws(HoldfastError) -> ExitCode
}

/// What a command is given: its values, and the world.
package struct CommandContext: Sendable {
  /// The checked values.
  package let arguments: ParsedArguments
  /// Everything that it says.
  package let output: Output
  /// The environment variables.
  package let environment: [String: String]
  /// Where local times and days are.
  package let zone: TimeZone
  /// The next line of standard input without its end; nil at the end of input.
  package let readLine: @Sendable () async -> String?

  /// What one run of a command is given.
  package init(
    arguments: ParsedArguments, output: Output, environment: [String: String], zone: TimeZone,
    readLine: @escaping @Sendable () async -> String?
  ) {
    self.arguments = arguments
    self.output = output
    self.environment = environment
    self.zone = zone
    self.readLine = readLine
  }

  /// The value of an option that the command's row lists.
  package subscript<Value>(_ option: CommandOption<Value>) -> Value { arguments[option] }
  /// The value of an argument that the command's row lists.
  package subscript<Value>(_ argument: CommandArgument<Value>) -> Value { arguments[argument] }

  /// What the standard streams are.
  package var terminal: Terminal { output.terminal }

  /// The directory of the store, as given or as a path under the home directory; it need not exist.
  package func storeDirectory() throws(HoldfastError) -> String {
    let path = try StoreLocation.directory(
      option: arguments[Options.store], environment: environment)
    let here = FileManager.default.currentDirectoryPath
    let absolute = StoreLocation.absolute(path, in: here)
    // U+FFFD stands there for bytes that are no UTF-8, and that would be another directory.
    guard path == absolute || !here.unicodeScalars.contains("\u{FFFD}") else {
      throw HoldfastError(
        .invalidArgument, "the name of the working directory is not UTF-8: \(here)",
        hint: "give --store as a path from the root, with names in UTF-8")
    }
    return absolute
  }

  /// Asks a question that only "y" or "yes" answers with true.
  ///
  /// - Throws: `invalidArgument` when standard input is no terminal, so that a script never hangs
  ///   and never removes anything by accident.
  package func confirm(_ question: String) async throws(HoldfastError) -> Bool {
    guard terminal.inputIsTerminal else {
      throw HoldfastError(
        .invalidArgument, "this needs an answer, and standard input is no terminal",
        hint: "add --yes if you are sure")
    }
    await output.ask(question)
    let answer = await readLine() ?? ""
    return ["y", "yes"].contains(answer.lowercased())
  }
}
