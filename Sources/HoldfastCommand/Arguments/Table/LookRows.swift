/// Rows of the table: views of a store. None of these commands writes to it.
extension CommandTable {
  static let list = CommandSpec(
    "list", aliases: ["ls"], in: .recordAndLook, "List the recordings",
    discussion: [
      "The states are recording, interrupted, pendingResume, stopped and deleted. Captured and "
        + "elapsed time stand side by side: where they differ, something was missed."
    ],
    options: [Options.all, Options.state, Options.since, Options.limit, Options.ids],
    json: [
      "{\"recordings\":[{\"id\", \"title\", \"state\", \"startedAt\", \"durationSeconds\", "
        + "\"elapsedSeconds\", \"chunks\", \"gaps\", \"payloadBytes\", \"origin\", \"recovered\", "
        + "\"tasks\", \"custody\"}]}"
    ],
    examples: [
      CommandExample("holdfast list --since 2026-11-30", "What was recorded since that day"),
      CommandExample("holdfast list --state interrupted --json", "For a program"),
    ])

  static let show = CommandSpec(
    "show", in: .recordAndLook, "Show one recording whole",
    discussion: [
      "Tracks, takes and gaps with their reasons, and what was captured against what elapsed."
    ],
    arguments: [Arguments.recording],
    json: [
      "The keys of list, and the tracks, takes, gaps, passes, tasks and custody; a gap is "
        + "{\"reason\", \"atFrame\", \"seconds\", \"known\", \"startedAt\"}."
    ],
    examples: [CommandExample("holdfast show 4f2a", "The recording whose id begins so")])

  static let launches = CommandSpec(
    "launches", in: .recordAndLook, "Say how each launch ended, with the evidence",
    discussion: [
      "A launch is one process lifetime that held the store open for writing. Reading commands "
        + "are none."
    ],
    examples: [CommandExample("holdfast launches", "Why did the last recording end?")])

  static let space = CommandSpec(
    "space", in: .recordAndLook, "Say where the bytes are and how long the disk will last",
    discussion: ["Bytes by recording and kind, the seconds of recording left, the reserve."],
    examples: [CommandExample("holdfast space", "How much longer can I record?")])

  static let inspect = CommandSpec(
    "inspect", in: .recordAndLook, "Show the store at a glance",
    examples: [CommandExample("holdfast inspect", "The whole store on a page of text")])

  static let dump = CommandSpec(
    "dump", in: .recordAndLook, "Print the canonical text of the replicated state",
    discussion: ["The text is equal on all replicas that agree."],
    options: [Options.digest],
    examples: [CommandExample("holdfast dump --digest", "A line to compare with another replica")])
}
