/// Rows of the table: what happened, and what can be put right.
extension CommandTable {
  static let recover = CommandSpec(
    "recover", in: .recordAndLook, "Report what earlier launches left and nobody acknowledged",
    discussion: [
      "Recovery itself happens whenever a command opens the store for writing, and recover does so "
        + "unless --dry-run is given. It reports until --ack; with --ack the report is "
        + "acknowledged, and nothing else is written. Calling it twice is calling it once."
    ],
    options: [Options.acknowledge, Options.dryRun],
    constraints: [.apart(["ack", "dry-run"])],
    json: [
      "{\"launches\":[…], \"recordings\":[{\"id\", \"durationSeconds\", \"indexedChunks\", "
        + "\"salvagedChunks\", \"lostAtMostSeconds\", \"gaps\"}], \"tasks\":[…], \"attention\":[…]}"
    ],
    examples: [
      CommandExample("holdfast recover", "What happened?"),
      CommandExample("holdfast recover --ack", "Understood; do not tell it again"),
    ],
    exits: [ExitNote(.damage, "a loss is not acknowledged yet")])

  static let verify = CommandSpec(
    "verify", in: .recordAndLook, "Check every chunk, every row and the database",
    discussion: [
      "Computes the hash of every chunk, compares every row with its frame, checks the database, "
        + "and looks for audio that no row knows. Changes nothing."
    ],
    json: ["{\"chunks\", \"ok\", \"damaged\":[…], \"missing\":[…], \"orphans\":[…]}"],
    examples: [CommandExample("holdfast verify", "Is everything there and whole?")],
    exits: [ExitNote(.damage, "something is damaged or missing")])

  static let rebuild = CommandSpec(
    "rebuild", in: .recordAndLook, "Make a new store from what can be read of the old one",
    discussion: [
      "From the reels alone, if need be; titles and text are then gone, and it says so. Links "
        + "instead of copying where it can. The old store is not touched."
    ],
    options: [Options.newStore],
    examples: [
      CommandExample("holdfast rebuild -o /data/rebuilt", "Save what can be saved"),
      CommandExample("holdfast list --store /data/rebuilt", "Look at the result"),
    ],
    exits: [ExitNote(.damage, "something could not be read; everything else is in the new store")])

  static let adopt = CommandSpec(
    "adopt", in: .recordAndLook, "Take in audio that no row of the store knows",
    discussion: ["Reels that verify lists as orphans, or finished audio files."],
    arguments: [Arguments.paths],
    examples: [CommandExample("holdfast adopt lost/0001", "Take in a reel that was found")],
    exits: [ExitNote(.refused, "a file is neither a reel nor a format that is read")])
}
