/// Rows of the table: what goes out of a store.
extension CommandTable {
  /// `holdfast export`.
  static let export = CommandSpec(
    "export", in: .recordAndLook, "Write a recording's audio to a file",
    discussion: [
      "Works while the recording is being made: what is written then is how far it has come. A "
        + "recording with several tracks is exported a track at a time; without --track the one "
        + "with most audio. Where takes differ in format, it says so and writes one file for each "
        + "run of equal takes: meeting-1.wav, meeting-2.wav.",
      "The samples are those that came in, at their place in time: gaps up to 60 seconds become "
        + "silence and longer ones are cut, unless --gaps says otherwise, and it tells which. "
        + "Damage never stops an export: everything that can be read is written, with silence for "
        + "the rest.",
      "WAV holds whole sample rates only; any other is rounded in the header, which is told, and "
        + "is exact with --format raw. FILE is there whole or not at all.",
    ],
    arguments: [Arguments.recording],
    options: [
      Options.exportFile, Options.format, Options.onlyTrack, Options.onlyTake, Options.gaps,
      Options.force,
    ],
    json: [
      "{\"recording\", \"track\", \"files\":[{\"file\", \"format\", \"sampleRate\", "
        + "\"headerSampleRate\", \"channels\", \"frames\", \"bytes\", \"silenceFrames\", "
        + "\"startSeconds\"}], \"damagedChunks\", \"missingChunks\", \"damagedHeaders\", "
        + "\"marks\":[{\"reason\", "
        + "\"atSeconds\", \"frames\", \"silence\"}]}; nothing with -o -."
    ],
    examples: [
      CommandExample("holdfast export 4f2a -o meeting.wav", "A WAV file"),
      CommandExample("holdfast export 4f2a -o - | aplay", "Listen to it"),
    ],
    exits: [ExitNote(.damage, "something was damaged; all that can be read was written")])

  /// `holdfast archive`.
  static let archive = CommandSpec(
    "archive", in: .recordAndLook, "Write everything in open formats",
    discussion: [
      "For each recording a directory with its audio (WAV, or the codec's own file) and "
        + "recording.json, which holds everything else that is known of it; where something was "
        + "transcribed, transcript.txt, and transcript.json with all passes; those in the trash "
        + "apart; and index.json, written last, so that an archive with an index is complete. All "
        + "of it can be used without this program.",
      "The directory must be empty or absent, and outside of the store.",
    ],
    options: [Options.outputDirectory],
    json: ["{\"recordings\", \"files\", \"bytes\", \"damaged\":[ID…]}"],
    examples: [CommandExample("holdfast archive -o /media/archive", "Leave nothing behind")],
    exits: [ExitNote(.damage, "something was damaged; all that can be read was written")])

  /// `holdfast backup`.
  static let backup = CommandSpec(
    "backup", in: .recordAndLook, "Copy the store while it is in use",
    discussion: [
      "The copy is one moment of the store, whatever is written meanwhile, and each chunk of it "
        + "was compared with its hash after it was copied. A recording that is being made is in it "
        + "as far as it had come.",
      "The copy is a store like any other: use it with --store DIR, or move it to the old one's "
        + "place. It notices that it is a copy, and says so once. The directory must be empty or "
        + "absent, and outside of the store.",
    ],
    options: [Options.outputDirectory],
    json: [
      "{\"recordings\", \"chunks\", \"audioBytes\", \"databaseBytes\", \"damaged\":[…], "
        + "\"missing\":[…]}; chunks as verify shows them."
    ],
    examples: [
      CommandExample("holdfast backup -o /media/backup", "A copy of a living store"),
      CommandExample("holdfast list --store /media/backup", "Look into it"),
    ],
    exits: [
      ExitNote(.damage, "chunks are damaged or missing in the store itself; the rest was copied")
    ])

  /// `holdfast bundle`.
  static let bundle = CommandSpec(
    "bundle", in: .recordAndLook, "Write a support bundle without titles, text or audio",
    discussion: [
      "One JSON document of numbers, times, identifiers and verdicts: what the store holds by "
        + "kind, how its launches ended, what recovery and the checks of the database found. Read "
        + "it before you send it."
    ],
    options: [Options.outputFile, Options.force],
    examples: [CommandExample("holdfast bundle -o report.json", "Something to send to support")])
}
