/// Rows of the table: what was said.
extension CommandTable {
  /// `holdfast transcript`.
  static let transcript = CommandSpec(
    "transcript", in: .transcripts, "Show, export, correct a recording's transcript",
    discussion: [
      "Each run of an engine over a recording is a pass, and none is ever overwritten. Shown is "
        + "the one that was chosen with restore; else, of those that are complete and have at "
        + "least half the words of the wordiest, the one of the best quality. `transcript ID "
        + "passes` "
        + "lists them; `transcript ID restore N` shows pass N from now on, on every device, and "
        + "`restore 0` leaves it to the passes again.",
      "`transcript ID name SPEAKER NAME` names a speaker, by the label or the name that is shown; "
        + "an empty NAME takes it back. `transcript ID edit --at SECONDS --text TEXT` replaces the "
        + "text of a line. Names and edits stay with what was said when a later pass cuts it "
        + "otherwise, or counts its speakers in another order. What fits nowhere is kept, and "
        + "stands under unplaced in --format json.",
      "The words passes, restore, name and edit may stand before the ID too. Times are recording "
        + "time: seconds since the recording's start, gaps included.",
    ],
    arguments: [Arguments.transcribed, Arguments.transcriptWords],
    options: [
      Options.transcriptFormat, Options.pass, Options.transcriptFile, Options.force,
      Options.lineAt, Options.lineNumber, Options.lineText, Options.speakerTrack,
    ],
    constraints: [.apart(["at", "segment"])],
    json: [
      "{\"recording\", \"title\", \"startedAt\", \"pass\", \"segments\":[{\"startSeconds\", "
        + "\"endSeconds\", \"text\", \"speaker\", \"final\", \"edited\", \"confidence\", "
        + "\"words\":[{\"startSeconds\", \"endSeconds\", \"text\", \"confidence\"}]}], "
        + "\"unplaced\":[{\"kind\", \"value\", \"pass\", \"cluster\", \"startSeconds\"}]}; also "
        + "after restore, name and edit. pass is null while there is none; edited, confidence and "
        + "words stand only where there is something to say. With -o FILE it is {\"recording\", "
        + "\"pass\", \"file\", \"format\", \"bytes\"}.",
      "passes: {\"passes\":[{\"pass\", \"number\", \"kind\", \"engine\", \"version\", "
        + "\"quality\", \"language\", \"madeAt\", \"live\", \"final\", \"current\", \"chosen\", "
        + "\"words\", \"segments\", \"task\"}]}",
    ],
    examples: [
      CommandExample("holdfast transcript 4f2a", "Read it"),
      CommandExample("holdfast transcript 4f2a --format srt -o meeting.srt", "Subtitles"),
      CommandExample("holdfast transcript 4f2a name SPEAKER_01 Anna", "Say who speaks"),
      CommandExample("holdfast transcript 4f2a edit --at 61.5 --text 'Yes.'", "Correct a line"),
      CommandExample("holdfast transcript 4f2a restore 1", "The first pass was better"),
    ])

  /// `holdfast search`.
  static let search = CommandSpec(
    "search", in: .transcripts, "Look for words in all transcripts",
    discussion: [
      "Lines of current transcripts in which all the words occur, the newest recording first, and "
        + "by time within it. Case and accents make no difference; a word that ends with * finds "
        + "every word that begins so; everything else is taken literally. What lies in the trash "
        + "is not searched."
    ],
    arguments: [Arguments.words],
    options: [Options.hits, Options.onlyRecording, Options.since, Options.until],
    json: [
      "{\"hits\":[{\"recording\", \"title\", \"startedAt\", \"startSeconds\", \"endSeconds\", "
        + "\"text\", \"snippet\", \"speaker\"}]}"
    ],
    examples: [
      CommandExample("holdfast search budget 'plan*'", "Lines with both words"),
      CommandExample("holdfast search budget --since 2026-11-01", "In recordings since that day"),
    ],
    exits: [ExitNote(.failed, "nothing was found, as with grep")])
}
