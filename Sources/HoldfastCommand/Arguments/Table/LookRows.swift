/// Rows of the table: views of a store. None of these commands writes to it.
extension CommandTable {
  /// `holdfast list`.
  static let list = CommandSpec(
    "list", aliases: ["ls"], in: .recordAndLook, "List the recordings",
    discussion: [
      "The states are recording, interrupted (it goes on after a call or a pause), pendingResume "
        + "(it waits for somebody to go on with it: record --resume, or stop), stopped, and "
        + "deleted (in the trash). \"(recovered)\" means that its process died; recover says more. "
        + "Captured and elapsed time stand side by side: where they differ, something was missed, "
        + "and show says when and why. One that is being captured is shown as far as its process "
        + "has told, in JSON with the time of that as asOf; its chunks are counted within ten "
        + "seconds."
    ],
    options: [Options.all, Options.state, Options.since, Options.limit, Options.ids],
    json: [
      "{\"recordings\":[{\"id\", \"title\", \"state\", \"startedAt\", \"durationSeconds\", "
        + "\"elapsedSeconds\", \"chunks\", \"gaps\", \"payloadBytes\", \"origin\", \"recovered\", "
        + "\"externalId\", \"asOf\", \"tasks\", \"custody\"}]}"
    ],
    examples: [
      CommandExample("holdfast list --since 2026-11-30", "What was recorded since that day"),
      CommandExample("holdfast list --state interrupted --json", "For a program"),
    ])

  /// `holdfast show`.
  static let show = CommandSpec(
    "show", in: .recordAndLook, "Show one recording whole",
    discussion: [
      "Tracks, takes and gaps with their reasons, and what was captured against what elapsed. A "
        + "take is one uninterrupted run of capture; between two takes lies a gap. A length with ≤ "
        + "is a bound: nobody was there to measure it."
    ],
    arguments: [Arguments.recording],
    json: [
      "The keys of list, where gaps is now a list, tasks one as tasks ls has it, and "
        + "\"phase\", \"tracks\", \"takes\", "
        + "\"capturedSeconds\", \"attributes\", \"conflicts\", \"passes\".",
      "A take is {\"id\", \"track\", \"index\", \"state\", \"reason\", \"startSeconds\", "
        + "\"seconds\", \"known\", \"startedAt\", \"endedAt\", \"frames\", \"chunks\", "
        + "\"payloadBytes\", \"encoding\", \"sampleRate\", \"channels\"}; a gap is {\"reason\", "
        + "\"track\", \"take\", \"takeIndex\", \"atFrame\", \"seconds\", \"known\", "
        + "\"startedAt\"}, its seconds null while it goes on. Passes are those of transcript ID "
        + "passes.",
    ],
    examples: [CommandExample("holdfast show 4f2a", "The recording whose id begins so")])

  /// `holdfast launches`.
  static let launches = CommandSpec(
    "launches", in: .recordAndLook, "Say how each launch ended, with the evidence",
    discussion: [
      "A launch is one process that had the store open for writing, from its start to its end; "
        + "commands that only read are none. It is alive while it holds its lock. Endings: clean, "
        + "endedWhileSuspended (the ordinary end of an app), killedInForeground, killedInGrace "
        + "(soon after it went to the background), killedAfterStaleProgress, expiredOrStopped, "
        + "neverStarted, poweredOff (the device was started anew since), crashed, unknown.",
      "While work runs or a recording is captured, a launch notes every few seconds what is in "
        + "hand, the memory that it holds and how hot the device is (nominal, fair, serious, "
        + "critical, or unknown where the system does not tell): the last such note is shown.",
    ],
    json: [
      "{\"launches\":[{\"id\", \"program\", \"process\", \"startedAt\", \"endedAt\", "
        + "\"alive\", \"ending\", \"evidence\", \"acknowledged\", \"heartbeat\":{\"at\", "
        + "\"task\", \"unit\", \"progress\", \"footprintBytes\", \"thermal\", \"lowPower\"}, "
        + "\"events\":[{\"name\", \"detail\", \"at\"}]}]}; heartbeat is null where there was none."
    ],
    examples: [CommandExample("holdfast launches", "Why did the last recording end?")])

  /// `holdfast space`.
  static let space = CommandSpec(
    "space", in: .recordAndLook, "Say where the bytes are and how long the disk will last",
    discussion: [
      "Bytes by recording and by kind, and the seconds that the disk has room for at the rate of "
        + "the newest take. The reserve is room kept for the last rows when the disk is full; it "
        + "is given up then, and the recording ends with all that was acknowledged."
    ],
    json: [
      "{\"recordings\":[{\"id\", \"title\", \"deleted\", \"audioBytes\"}], \"audioBytes\", "
        + "\"databaseBytes\", \"logBytes\", \"launchesBytes\", \"evidenceBytes\", "
        + "\"incomingBytes\", \"orphanBytes\", \"freedBytes\", \"reserveBytes\", "
        + "\"totalBytes\", \"freeBytes\", \"secondsLeft\", \"unreadable\"}"
    ],
    examples: [CommandExample("holdfast space", "How much longer can I record?")],
    exits: [ExitNote(.blocked, "audio may not be read now; its bytes are not counted")])

  /// `holdfast inspect`.
  static let inspect = CommandSpec(
    "inspect", in: .recordAndLook, "Show the store at a glance",
    discussion: [
      "The store, its room, a drawing of each recording's time line, and what nobody has "
        + "acknowledged yet. With --json the numbers alone."
    ],
    json: [
      "{\"store\", \"schema\", \"recordings\", \"launches\", \"alive\", \"totalBytes\", "
        + "\"freeBytes\", \"attention\":[CODE…]}"
    ],
    examples: [CommandExample("holdfast inspect", "The whole store on a page of text")])

  /// `holdfast dump`.
  static let dump = CommandSpec(
    "dump", in: .recordAndLook, "Print the canonical text of the replicated state",
    discussion: ["The text is equal on all replicas that agree."],
    options: [Options.digest],
    json: ["{\"digest\"}"],
    examples: [CommandExample("holdfast dump --digest", "A line to compare with another replica")])
}
