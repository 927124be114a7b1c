/// Rows of the table: what happened, and what can be put right.
extension CommandTable {
  /// `holdfast recover`.
  static let recover = CommandSpec(
    "recover", in: .recordAndLook, "Say what processes that died left behind, and what is lost",
    discussion: [
      "After a crash, a kill or an empty battery this is where to begin. The audio needs no repair "
        + "and no decision: whatever opens the store for writing next, recover too, takes in what "
        + "the files hold, down to the last whole chunk, and the recording can be exported.",
      "For each process that died it says how it ended and what that rests on (launches has them "
        + "all). For each recording that one left: how much is there, how many chunks were in the "
        + "database already (indexed) and how many were found in the files (salvaged), and the "
        + "most that can be missing, which is what had come in and was not yet acknowledged.",
      "It tells the same each time until --ack says that you have taken note. With --dry-run it "
        + "writes nothing and says what recovery would do, on read-only media too.",
    ],
    options: [Options.acknowledge, Options.dryRun],
    constraints: [.apart(["ack", "dry-run"])],
    json: [
      "{\"launches\":[{\"id\", \"program\", \"process\", \"startedAt\", \"endedAt\", "
        + "\"ending\", \"evidence\"}], \"recordings\":[{\"id\", \"title\", \"state\", "
        + "\"durationSeconds\", \"indexedChunks\", \"salvagedChunks\", \"damagedRanges\", "
        + "\"lostAtMostSeconds\", \"gaps\"}], \"tasks\":[…], \"attention\":[{\"code\", "
        + "\"message\", \"at\", \"recording\"}]}"
    ],
    examples: [
      CommandExample("holdfast recover", "What happened, and what is lost at most?"),
      CommandExample("holdfast export 4f2a -o meeting.wav", "Get the audio of what it names"),
      CommandExample("holdfast recover --ack", "Understood; do not tell it again"),
    ],
    exits: [
      ExitNote(.damage, "something may be lost, and nobody has acknowledged it"),
      ExitNote(
        .blocked, "the store is locked, or some of its audio cannot be read now; retry later"),
    ])

  /// `holdfast verify`.
  static let verify = CommandSpec(
    "verify", in: .recordAndLook, "Check every chunk, every row and the database",
    discussion: [
      "Computes the hash of every chunk, compares every row with its frame, checks the database, "
        + "and looks for audio that no row knows (orphans; adopt takes it in). Changes nothing, "
        + "and may run beside a recording.",
      "What is damaged or missing is silence in an export; everything else is there. rebuild makes "
        + "a new store when the database is damaged.",
    ],
    json: [
      "{\"chunks\", \"ok\", \"freed\", \"bytes\", \"damaged\":[…], \"missing\":[…], "
        + "\"orphans\":[{\"path\", \"kind\", \"bytes\", \"chunks\"}], "
        + "\"database\":[{\"code\", \"message\"}], \"headers\":[{\"reel\", \"message\"}]}",
      "A damaged or missing chunk is {\"recording\", \"track\", \"take\", \"takeIndex\", "
        + "\"seq\", \"firstFrame\", \"frames\", \"reel\", \"reason\"}.",
    ],
    examples: [CommandExample("holdfast verify", "Is everything there and whole?")],
    exits: [
      ExitNote(.damage, "something is damaged or missing"),
      ExitNote(.blocked, "some audio cannot be read now, and nothing is wrong beyond that"),
    ])

  /// `holdfast rebuild`.
  static let rebuild = CommandSpec(
    "rebuild", in: .recordAndLook, "Make a new store from what can be read of a damaged one",
    discussion: [
      "For a store whose database is damaged or gone. Of the database it takes what can be read; "
        + "what is lost it makes again from the audio files, which name their recordings. Where "
        + "nothing of the database can be read, titles, attributes and edits are gone, and it says "
        + "so.",
      "The old store is not touched. Audio files are linked instead of copied where both lie on "
        + "one file system, so that little room is needed; removing the old store afterwards takes "
        + "nothing from the new one. No process may have the old one open for writing.",
    ],
    options: [Options.newStore],
    json: [
      "{\"database\":\"whole\"|\"partly\"|\"none\", \"damagedTables\", \"recordings\", "
        + "\"foundRecordings\", \"chunksKept\", \"chunksLost\":[…], \"commitsLost\", "
        + "\"changesLost\", \"leftBehind\", \"mendedHeaders\", \"mendedFrames\", "
        + "\"damagedHeaders\":[{\"reel\",\"message\"}], "
        + "\"unusableReels\":[{\"reel\",\"message\",\"chunks\"}], \"linkedBytes\", \"copiedBytes\"}"
    ],
    examples: [
      CommandExample("holdfast rebuild -o /data/rebuilt", "Save what can be saved"),
      CommandExample("holdfast list --store /data/rebuilt", "Look at the result"),
    ],
    exits: [ExitNote(.damage, "something could not be read; everything else is in the new store")])

  /// `holdfast adopt`.
  static let adopt = CommandSpec(
    "adopt", in: .recordAndLook, "Take in audio that no row of the store knows",
    discussion: [
      "Audio files of a store (reels) that verify lists as orphans or that were found elsewhere, "
        + "one by one or as a directory: they say themselves which recording they belong to, heal "
        + "what is damaged or missing in it, and adding one twice is adding it once. Any other "
        + "file is imported as a recording, if it is audio that import reads."
    ],
    arguments: [Arguments.paths],
    json: [
      "{\"adopted\":[{\"path\", \"result\", \"recording\", \"take\", \"added\", \"healed\", "
        + "\"known\", \"damaged\", \"refusal\"}]}"
    ],
    examples: [
      CommandExample("holdfast adopt lost/0001", "Take in a reel that was found"),
      CommandExample("holdfast adopt /old/store/audio", "Take in all the reels of another store"),
    ],
    exits: [
      ExitNote(.damage, "stretches of a reel are damaged; the rest was taken in"),
      ExitNote(.refused, "a file is neither a reel nor a format that is read"),
    ])
}
