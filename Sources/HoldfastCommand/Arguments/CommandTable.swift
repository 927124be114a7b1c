/// All commands that exist, in the order of the help. A command that is not here does not exist for
/// parser, help, manual or completions.
package enum CommandTable {
  /// Every row.
  package static let all: [CommandSpec] =
    [record, `import`, probe] + [list, show, launches, space, inspect, dump]
    + [recover, verify, rebuild, adopt] + [edit, stop, rm, restore, purge]
    + [export, archive, backup, bundle] + [work, tasks, transcript, search]
    + [help, completions, man, version]

  /// The headings, in the order in which they first occur.
  package static var groups: [CommandGroup] {
    all.reduce(into: []) { if !$0.contains($1.group) { $0.append($1.group) } }
  }
}
