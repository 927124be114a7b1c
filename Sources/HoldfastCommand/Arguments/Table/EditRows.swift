/// Rows of the table: changes to recordings.
extension CommandTable {
  private static let changed = "The recording as it is then, with the keys that list gives it."

  /// `holdfast edit`.
  static let edit = CommandSpec(
    "edit", in: .recordAndLook, "Rename a recording",
    arguments: [Arguments.recording], options: [Options.newTitle], json: [changed],
    examples: [CommandExample("holdfast edit 4f2a --title 'Board meeting'", "Give it a title")])

  /// `holdfast stop`.
  static let stop = CommandSpec(
    "stop", in: .recordAndLook, "End a recording that is interrupted, pending or abandoned",
    discussion: [
      "A recording whose process died is stopped by recovery already, unless it waits to be "
        + "resumed. One that a living process makes is ended by that process: Ctrl-C, or SIGTERM. "
        + "One that has ended stays as it is."
    ],
    arguments: [Arguments.recording], json: [changed],
    examples: [CommandExample("holdfast stop 4f2a", "It will not be resumed")])

  /// `holdfast rm`.
  static let rm = CommandSpec(
    "rm", in: .recordAndLook, "Put a recording into the trash",
    discussion: ["Nothing is removed: restore brings it back, purge makes it final."],
    arguments: [Arguments.recording], json: [changed],
    examples: [CommandExample("holdfast rm 4f2a", "Out of sight")])

  /// `holdfast restore`.
  static let restore = CommandSpec(
    "restore", in: .recordAndLook, "Take a recording out of the trash",
    discussion: ["list --state deleted shows what is there. What was purged does not come back."],
    arguments: [Arguments.recording], json: [changed],
    examples: [CommandExample("holdfast restore 4f2a", "Back again")])

  /// `holdfast purge`.
  static let purge = CommandSpec(
    "purge", in: .recordAndLook, "Remove a recording for good, or all that is in the trash",
    discussion: [
      "Names what is lost and asks. Where nobody can be asked, because standard input is no "
        + "terminal, it needs --yes. There is no way back: the audio is removed, and its title and "
        + "attributes with it."
    ],
    arguments: [Arguments.anyRecording], options: [Options.yes],
    json: [
      "{\"purged\":[{\"id\", \"title\", \"freedBytes\", \"leftBytes\", \"leftCause\"}]}"
    ],
    examples: [
      CommandExample("holdfast purge 4f2a", "Remove one recording, after asking"),
      CommandExample("holdfast purge --yes", "Empty the trash without asking"),
    ],
    exits: [ExitNote(.blocked, "some audio could not be removed; each opening tries again")])
}
