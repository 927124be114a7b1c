/// Rows of the table: what goes out of a store.
extension CommandTable {
  /// `holdfast export`.
  static let export = CommandSpec(
    "export", in: .recordAndLook, "Write a recording's audio to a file",
    discussion: [
      "Works while the recording is being made: what is written then is the valid prefix. Where "
        + "takes differ in format, it says so and writes one file for each run of equal takes.",
      "Damage never stops an export: everything that can be read is written.",
    ],
    arguments: [Arguments.recording],
    options: [
      Options.exportFile, Options.format, Options.onlyTrack, Options.onlyTake, Options.gaps,
      Options.force,
    ],
    examples: [
      CommandExample("holdfast export 4f2a -o meeting.wav", "A WAV file"),
      CommandExample("holdfast export 4f2a -o - | aplay", "Listen to it"),
    ],
    exits: [ExitNote(.damage, "something was damaged; all that can be read was written")])

  /// `holdfast archive`.
  static let archive = CommandSpec(
    "archive", in: .recordAndLook, "Write everything in open formats",
    discussion: ["Audio, transcripts and metadata, readable without this program."],
    options: [Options.outputDirectory],
    examples: [CommandExample("holdfast archive -o /media/archive", "Leave nothing behind")],
    exits: [ExitNote(.damage, "something was damaged; all that can be read was written")])

  /// `holdfast backup`.
  static let backup = CommandSpec(
    "backup", in: .recordAndLook, "Copy the store while it is in use",
    discussion: ["The copy is whole, whatever is written meanwhile."],
    options: [Options.outputDirectory],
    examples: [CommandExample("holdfast backup -o /media/backup", "A copy of a living store")])

  /// `holdfast bundle`.
  static let bundle = CommandSpec(
    "bundle", in: .recordAndLook, "Write a support bundle without titles, text or audio",
    options: [Options.outputFile, Options.force],
    examples: [CommandExample("holdfast bundle -o report.bundle", "Something to send to support")])
}
