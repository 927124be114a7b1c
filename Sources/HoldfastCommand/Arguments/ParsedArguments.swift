/// The checked values of one command line. Every key that the command's row of the table lists has
/// a value here; asking for another one is an error of the program, not of the user.
package struct ParsedArguments: Sendable {
  private let values: [String: any Sendable]

  /// Values by the name of their option or argument.
  package init(_ values: [String: any Sendable]) {
    self.values = values
  }

  /// The value of an option that the command lists.
  package subscript<Value>(_ option: CommandOption<Value>) -> Value {
    value(option.spec.name)
  }

  /// The value of an argument that the command lists.
  package subscript<Value>(_ argument: CommandArgument<Value>) -> Value {
    value(argument.spec.name)
  }

  /// The value of an option, or nil when the command does not list it.
  package func ifListed<Value>(_ option: CommandOption<Value>) -> Value? {
    values[option.spec.name] as? Value
  }

  private func value<Value>(_ name: String) -> Value {
    guard let value = values[name] as? Value else {
      preconditionFailure("the table does not list '\(name)' for this command")
    }
    return value
  }
}

/// A command line that was understood.
package enum Invocation: Sendable {
  /// Help was asked for: of one command, or of all.
  case help(CommandSpec?)
  /// The version was asked for.
  case version
  /// A command is to be run.
  case run(CommandSpec, ParsedArguments)
}
