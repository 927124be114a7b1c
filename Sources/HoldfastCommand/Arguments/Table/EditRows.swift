/// Rows of the table: changes to recordings.
extension CommandTable {
  static let edit = CommandSpec(
    "edit", in: .recordAndLook, "Rename a recording",
    arguments: [Arguments.recording], options: [Options.newTitle],
    examples: [CommandExample("holdfast edit 4f2a --title 'Board meeting'", "Give it a title")])

  static let stop = CommandSpec(
    "stop", in: .recordAndLook, "End a recording that is interrupted, pending or abandoned",
    discussion: ["A recording that a living process makes is ended by that process."],
    arguments: [Arguments.recording],
    examples: [CommandExample("holdfast stop 4f2a", "It will not be resumed")])

  static let rm = CommandSpec(
    "rm", in: .recordAndLook, "Put a recording into the trash",
    discussion: ["Nothing is removed: restore brings it back, purge makes it final."],
    arguments: [Arguments.recording],
    examples: [CommandExample("holdfast rm 4f2a", "Out of sight")])

  static let restore = CommandSpec(
    "restore", in: .recordAndLook, "Take a recording out of the trash",
    arguments: [Arguments.recording],
    examples: [CommandExample("holdfast restore 4f2a", "Back again")])

  static let purge = CommandSpec(
    "purge", in: .recordAndLook, "Remove a recording for good, or all that is in the trash",
    discussion: [
      "Names what is lost and asks. Where nobody can be asked, because standard input is no "
        + "terminal, it needs --yes."
    ],
    arguments: [Arguments.anyRecording], options: [Options.yes],
    examples: [
      CommandExample("holdfast purge 4f2a", "Remove one recording, after asking"),
      CommandExample("holdfast purge --yes", "Empty the trash without asking"),
    ])
}
