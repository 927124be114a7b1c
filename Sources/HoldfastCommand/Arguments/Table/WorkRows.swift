/// Rows of the table: deferred work.
extension CommandTable {
  /// `holdfast work`.
  static let work = CommandSpec(
    "work", in: .transcripts, "Run the work that is due",
    discussion: [
      "Work is what is to be done on a recording after, or while, it is made: transcribe, then "
        + "summarize, or any names. It is done in units; what a unit gives is saved with the note "
        + "that it is done, so that whatever ends the process, at most one unit is done again and "
        + "none is recorded twice. Work of a kind that has no handler stays, parked.",
      "A handler is any program. Its standard input is one line of JSON: {\"task\":{\"id\", "
        + "\"kind\", \"attempt\", \"epoch\", \"deadlineSeconds\"}, \"recording\":{\"id\", "
        + "\"title\", \"durationSeconds\"}, \"input\":{\"wav\", \"track\", \"startSeconds\", "
        + "\"endSeconds\", \"firstFrame\", \"frames\", \"sampleRate\", \"channels\", "
        + "\"revision\"}, \"checkpoint\", \"transcript\":[…]}. The file wav has the unit's audio, "
        + "16-bit, in a private directory that is removed afterwards; the program runs where work "
        + "was started; firstFrame counts frames of recording time.",
      "Its standard output is JSON Lines of at most 1 MiB, unknown keys ignored: "
        + "{\"progress\":0…1}; {\"segment\":{\"startSeconds\", \"endSeconds\", \"text\", "
        + "\"speaker\", \"confidence\", \"final\", \"words\"}} in seconds from the start of the "
        + "recording; {\"checkpoint\":ANY}, which saves all segments since the last one; "
        + "{\"artefact\":{\"kind\", \"contentType\", \"text\"}}. A program that says nothing has "
        + "not done its work; one that heard nothing says {\"progress\":1}.",
      "Exit 0 is done, 75 is try later and costs nothing, 65 means that the input can never work; "
        + "anything else, and death by a signal, is a failure: after five the task has failed, and "
        + "tasks retry tries it again. The program and what it started are ended when the time is "
        + "over.",
      "A kind that --handler-info says to need power or network (needs=power) waits until the "
        + "machine is on the mains, or has a default route: both are read from the system, nothing "
        + "is sent. A device that the system calls hot waits until it has cooled.",
    ],
    options: [
      Options.handler, Options.handlerInfo, Options.budget, Options.once, Options.watch,
    ],
    constraints: [.apart(["once", "watch"])],
    json: [
      "{\"units\", \"done\", \"failed\", \"left\", \"ended\", \"tasks\":[…]}: tasks as tasks ls "
        + "shows them, those that are left; ended is null, or why work ended early: deadline, "
        + "expired, stopped."
    ],
    examples: [
      CommandExample(
        "holdfast work --handler transcribe=tools/handlers/transcribe --handler-info "
          + "transcribe:unit=12 --handler summarize=tools/handlers/summarize",
        "Transcribe and summarize what is due"),
      CommandExample("holdfast work --budget 25 --handler …", "Return within 25 seconds"),
    ],
    exits: [
      ExitNote(.failed, "a handler failed; tasks says why"),
      ExitNote(.blocked, "the store is locked, or time was over with work left"),
    ])

  /// `holdfast tasks`.
  static let tasks = CommandSpec(
    "tasks", in: .transcripts, "Show the queue of deferred work, and change it",
    discussion: [
      "ls shows what is not settled. The states are waiting (the cause says for what, and wake "
        + "what ends it: a time, other tasks, audio, power, a network, less heat), ready, "
        + "running, parked (nobody handled its kind the last time that work ran), done, failed, "
        + "quarantined (three processes in a row died while it ran) and cancelled.",
      "add makes a task for a recording, again after an earlier one has ended; retry tries one "
        + "that failed or waits at once; cancel calls one off; release lets one out of "
        + "quarantine. No audio is ever removed because a task failed.",
      "A task may have several results: of late workers, other versions, other devices. Of each "
        + "kind the one of the best quality is shown, of equal ones that of the smallest id. "
        + "choose TASK RESULT shows another one, on every device; choose TASK auto takes that "
        + "back.",
    ],
    arguments: [Arguments.taskWords], options: [Options.allTasks],
    json: [
      "{\"tasks\":[{\"id\", \"kind\", \"recording\", \"state\", \"failures\", "
        + "\"interruptions\", \"deaths\", \"progress\", \"cause\", \"wake\", \"nextRetryAt\", "
        + "\"epoch\", \"generation\", \"units\", \"after\"}]}; progress is 0…1. show adds "
        + "\"results\":[{\"kind\", \"contentType\", \"text\", \"quality\", \"version\", "
        + "\"inputRevision\", \"madeAt\", \"late\", \"chosen\", \"shown\", \"id\"}]."
    ],
    examples: [
      CommandExample("holdfast tasks", "What is left to do?"),
      CommandExample("holdfast tasks add summarize 4f2a", "Have it summarized again"),
      CommandExample("holdfast tasks show 93c1", "One task with its results"),
      CommandExample("holdfast tasks choose 93c1 07be", "Show that result of it"),
    ])
}
