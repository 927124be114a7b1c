/// What a value on the command line is, as far as help and completion care.
package enum ValueKind: Hashable, Sendable {
  /// Any text.
  case text
  /// The path of a file; `-` may stand for a standard stream where the command says so.
  case file
  /// The path of a directory.
  case directory
  /// The id of a recording, or a unique prefix of it.
  case recording
  /// One of a few words.
  case choice([String])
  /// A count of seconds; a fraction is allowed.
  case seconds
  /// Any other number.
  case number
  /// A day or an instant.
  case date
  /// The name of one of our commands.
  case command
}
