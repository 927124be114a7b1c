package import Holdfast

/// The body of each command by its name.
package struct CommandRegistry: Sendable {
  private let bodies: [String: any Command]

  /// Bodies by the names of ``CommandTable``.
  package init(_ bodies: [String: any Command]) {
    self.bodies = bodies
  }

  /// The names that have a body.
  package var names: Set<String> { Set(bodies.keys) }

  /// All commands of this program.
  package static let all = CommandRegistry([
    "help": HelpCommand(),
    "completions": CompletionsCommand(),
    "man": ManCommand(),
    "version": VersionCommand(),
    "record": RecordCommand(),
    "probe": ProbeCommand(),
    "list": ListCommand(),
    "show": ShowCommand(),
    "recover": RecoverCommand(),
    "edit": EditCommand(),
    "stop": StopCommand(),
    "rm": RemoveCommand(),
    "restore": RestoreCommand(),
    "purge": PurgeCommand(),
    "launches": LaunchesCommand(),
    "space": SpaceCommand(),
    "dump": DumpCommand(),
    "verify": VerifyCommand(),
    "backup": BackupCommand(),
    "export": ExportCommand(),
    "import": ImportCommand(),
    "rebuild": RebuildCommand(),
    "adopt": AdoptCommand(),
    "archive": ArchiveCommand(),
    "inspect": InspectCommand(),
    "bundle": BundleCommand(),
    "work": WorkCommand(),
    "tasks": TasksCommand(),
    "transcript": TranscriptCommand(),
    "search": SearchCommand(),
  ])

  /// The body of a command of the table; `failed` when it has none.
  package func body(of command: CommandSpec) throws(HoldfastError) -> any Command {
    if let body = bodies[command.name] { return body }
    throw HoldfastError(.failed, "the command \(command.name) is not built into this program")
  }
}
